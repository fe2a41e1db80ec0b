package synth

import (
	"reflect"
	"testing"
)

func TestSameSeedMakesTheSameSystem(t *testing.T) {
	s, again, other := Make(500, 3, 1), Make(500, 3, 1), Make(500, 3, 2)
	if !reflect.DeepEqual(s, again) {
		t.Error("two systems of one seed differ")
	}
	if reflect.DeepEqual(s, other) {
		t.Error("two systems of different seeds are the same")
	}
}
