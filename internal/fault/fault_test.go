package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"cradle/internal/fault"
)

func TestAFaultIsFoundBehindWrapping(t *testing.T) {
	refusal := fault.NotFoundf("There is no material %s", "x")
	wrapped := fmt.Errorf("read: %w", refusal)
	if found := fault.As(wrapped); found != refusal {
		t.Errorf("found %v", found)
	}
	if kind := fault.KindOf(wrapped); kind != fault.NotFound {
		t.Errorf("kind %v", kind)
	}
	if refusal.Error() != "There is no material x" || refusal.Code != "not_found" {
		t.Errorf("refusal %+v", refusal)
	}
}

func TestAnyOtherErrorIsInternal(t *testing.T) {
	for name, err := range map[string]error{"none": nil, "plain": errors.New("disk on fire")} {
		if fault.As(err) != nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("%s: %v", name, fault.KindOf(err))
		}
	}
}
