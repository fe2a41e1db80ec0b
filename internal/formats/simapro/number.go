package simapro

import (
	"errors"
	"strconv"
	"strings"
)

// A Number is a number or a formula in its place.
type Number struct {
	Value   float64
	Formula string
	Missing bool
}

// number parses a cell with the header's decimal sign.
func (h Header) number(text string) Number {
	if text == "" {
		return Number{Missing: true}
	}
	plain := text
	if h.Decimal == ',' {
		plain = strings.Replace(text, ",", ".", 1)
	}
	if strings.Trim(plain, "0123456789.eE+-") == "" {
		v, err := strconv.ParseFloat(plain, 64)
		if err == nil || errors.Is(err, strconv.ErrRange) { // infinite numbers are refused later
			return Number{Value: v}
		}
	}
	return Number{Formula: text}
}

// lines restores the line ends that SimaPro writes as DEL.
func lines(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "\x7f\n", "\n"), "\x7f", "\n"))
}

// text is the text below a section's heading. An unquoted separator is part of
// it.
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
