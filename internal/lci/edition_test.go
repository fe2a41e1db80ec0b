package lci

import "testing"

func TestNewerEditions(t *testing.T) {
	for _, c := range []struct {
		name     string
		new, old Edition
		want     int
	}{
		{"a higher version", Edition{Version: "01.10.000"}, Edition{Version: "01.09.000"}, 1},
		{"numbers are no texts", Edition{Version: "10.0"}, Edition{Version: "9.9"}, 1},
		{"a version counts more than a change", Edition{"2.0", "2010-01-01"}, Edition{"1.0", "2020-01-01"}, 1},
		{"the same version written otherwise, changed later", Edition{"1", "2020-01-01T10:00:00.000Z"}, Edition{"01.00.000", "2020-01-01"}, 1},
		{"a version of one only", Edition{"2.0", "2010-01-01"}, Edition{"", "2020-01-01"}, -1},
		{"letters", Edition{Version: "3.9b"}, Edition{Version: "3.9a"}, 1},
		{"nothing stated", Edition{}, Edition{"1.0", "2020-01-01"}, 0},
		{"the same", Edition{"1.0", "2020-01-01"}, Edition{"1.0", "2020-01-01"}, 0},
	} {
		if got, back := c.new.Compare(c.old), c.old.Compare(c.new); got != c.want || back != -c.want {
			t.Errorf("%s: got %d and %d, want %d", c.name, got, back, c.want)
		}
	}
}
