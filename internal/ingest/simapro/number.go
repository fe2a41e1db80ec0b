package simapro

import (
	"strconv"
	"strings"
)

// A Number is a number or the formula that stands in its place.
type Number struct {
	Value   float64
	Formula string
	Missing bool
}

// number reads a cell of numbers. A decimal comma becomes a point, in formulas
// too: there it stands between digits.
func (h Header) number(text string) Number {
	if text == "" {
		return Number{Missing: true}
	}
	if h.Decimal == ',' {
		text = pointed(text)
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && plain(text) {
		return Number{Value: v}
	}
	return Number{Formula: text}
}

func plain(text string) bool { return strings.Trim(text, "0123456789.eE+-") == "" }

func pointed(text string) string {
	b := []byte(text)
	for i := 1; i+1 < len(b); i++ {
		if b[i] == ',' && digit(b[i-1]) && digit(b[i+1]) {
			b[i] = '.'
		}
	}
	return string(b)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// lines restores the line ends that SimaPro writes as DEL.
func lines(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "\x7f\n", "\n"), "\x7f", "\n"))
}

// text is what stands below a section's heading. A separator in it that was not
// quoted is part of it.
func (s Section) text(h Header) string {
	var all []string
	for _, row := range s.Rows {
		all = append(all, strings.TrimRight(strings.Join(row.Cells, string(h.Separator)), string(h.Separator)+" "))
	}
	return lines(strings.Join(all, "\n"))
}

func joined(separator string, parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, separator)
}

func quote(text string) string { return strconv.Quote(text) }
