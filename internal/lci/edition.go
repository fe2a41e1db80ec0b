package lci

import (
	"cmp"
	"strconv"
	"strings"
)

// An Edition tells which of two records with one id is newer.
type Edition struct {
	Version string // as stated, or ""
	Changed string // a time in UTC or a day, or ""
}

// Compare is positive if e is newer than other, negative if it is older, and 0
// if that is unknown: the version decides, else the later change.
func (e Edition) Compare(other Edition) int {
	if e.Version != "" && other.Version != "" {
		if order := compareVersions(e.Version, other.Version); order != 0 {
			return order
		}
	}
	if e.Changed == "" || other.Changed == "" {
		return 0
	}
	return strings.Compare(e.Changed, other.Changed)
}

func (e Edition) String() string {
	switch {
	case e.Version != "" && e.Changed != "":
		return "version " + e.Version + " of " + e.Changed
	case e.Version != "":
		return "version " + e.Version
	case e.Changed != "":
		return "of " + e.Changed
	}
	return "without a version"
}

// compareVersions compares the numbers between dots: 1.10 is above 01.09.000.
func compareVersions(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		m, notM := strconv.ParseUint(cmp.Or(x, "0"), 10, 64)
		n, notN := strconv.ParseUint(cmp.Or(y, "0"), 10, 64)
		order := cmp.Compare(m, n)
		if notM != nil || notN != nil {
			order = strings.Compare(x, y)
		}
		if order != 0 {
			return order
		}
	}
	return 0
}
