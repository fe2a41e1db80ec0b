package gql

import (
	"encoding/json"
	"testing"
	"unicode"
)

// Rows are rendered here or taken from JSON written by encoding/json: both must
// spell strings and numbers alike.
func TestSpeltAsEncodingJSONDoes(t *testing.T) {
	same := func(got []byte, value any) {
		t.Helper()
		want, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%q is spelt %s, not %s", value, got, want)
		}
	}
	for r := range rune(unicode.MaxRune + 1) {
		if r < 0x3000 || r > unicode.MaxRune-16 || r%251 == 0 {
			text := "a" + string(r) + "b"
			same(appendString(nil, text), text)
		}
	}
	for _, text := range []string{"", "\xff", "a\xffb", "\xe2\x80", "\xe2\x80\xa8", "<script>&amp;</script>"} {
		same(appendString(nil, text), text)
	}
	for _, n := range []float64{0, 1, -1.5, 1e-6, 9.99e-7, 1e-9, 1e20, 1e21, -1e21, 1.7976931348623157e308, 5e-324, 0.1, 1e-10} {
		same(appendFloat(nil, n), n)
	}
}
