package lci

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form of a name for sorting and searching: normalised (NFC),
// then fully case-folded.
func Fold(name string) string {
	if isPlainLower(name) {
		return name
	}
	return cases.Fold().String(norm.NFC.String(name))
}

func isPlainLower(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || 'A' <= s[i] && s[i] <= 'Z' {
			return false
		}
	}
	return true
}
