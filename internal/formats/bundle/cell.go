package bundle

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"cradle/internal/allocation"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

const (
	maxCellBytes = 100_000
	maxNameChars = 1_000
)

// A column describes one column of a table whose rows are of type R.
type column[R any] struct {
	name     string
	required bool
	extra    bool                            // written only if some row has a value in it
	parse    func(row *R, cell string) error // of a cell that is not empty
	format   func(row *R) string
	kind     ingest.Kind         // of the record that the cell refers to, or ""
	names    func(row *R) lci.ID // that record
}

func required[R any](c column[R]) column[R] {
	c.required = true
	return c
}

func extra[R any](c column[R]) column[R] {
	c.extra = true
	return c
}

func cell[R, V any](name string, field func(*R) *V, parse func(string) (V, error), format func(V) string) column[R] {
	return column[R]{
		name: name,
		parse: func(row *R, cell string) (err error) {
			*field(row), err = parse(cell)
			return err
		},
		format: func(row *R) string { return format(*field(row)) },
	}
}

func text[R any](name string, field func(*R) *string) column[R] {
	return cell(name, field, parseText, asIs)
}

// title is a record's name: one line, of bounded length.
func title[R any](name string, field func(*R) *string) column[R] {
	return cell(name, field, parseTitle, asIs)
}

func date[R any](name string, field func(*R) *string) column[R] {
	return cell(name, field, parseDate, asIs)
}

func list[R any](name string, field func(*R) *[]string) column[R] {
	return cell(name, field, parseList, formatList)
}

func boolean[R any](name string, field func(*R) *bool) column[R] {
	return cell(name, field, parseBoolean, strconv.FormatBool)
}

func number[R any](name string, field func(*R) *float64) column[R] {
	return cell(name, field, parseNumber, formatNumber)
}

func maybeNumber[R any](name string, field func(*R) **float64) column[R] {
	return cell(name, field, maybe(parseNumber), formatMaybe)
}

func deviation[R any](field func(*R) **float64) column[R] {
	return cell("standard_deviation", field, maybe(parseDeviation), formatMaybe)
}

// share is a product's share; those of all products should add up to 1.
func share[R any](field func(*R) *float64) column[R] {
	return cell("share", field, parseShare, formatNumber)
}

func maybeShare[R any](field func(*R) **float64) column[R] {
	return cell("share", field, maybe(parseShare), formatMaybe)
}

// sharing is the allocation method that a process names. One chosen by an
// importer is written as shares, which then state it.
func sharing[R any](field func(*R) *lci.Sharing) column[R] {
	parse := func(s string) (lci.Sharing, error) {
		if s != "" && !slices.Contains(allocation.Methods(), allocation.Basis(s)) {
			return lci.Sharing{}, fmt.Errorf("%s is not one of %s", quote(s), join(allocation.Methods(), ", "))
		}
		return lci.Sharing{By: s, Stated: s != ""}, nil
	}
	return cell("allocation", field, parse, func(v lci.Sharing) string {
		if !v.Stated {
			return ""
		}
		return v.By
	})
}

func price[R any](field func(*R) *int64) column[R] {
	return cell("price", field, parsePrice, func(v int64) string { return strconv.FormatInt(v, 10) })
}

func oneOf[R any, V ~string](name string, field func(*R) *V, choices ...V) column[R] {
	parse := func(s string) (V, error) {
		if !slices.Contains(choices, V(s)) {
			return "", fmt.Errorf("%s is not one of %s", quote(s), join(choices, ", "))
		}
		return V(s), nil
	}
	return cell(name, field, parse, func(v V) string { return string(v) })
}

// uuid is an id that need not be that of a record.
func uuid[R any](name string, field func(*R) *lci.ID) column[R] {
	return cell(name, field, parseUUID, lci.ID.String)
}

// reference is the id of a record that has to exist.
func reference[R any](name string, kind ingest.Kind, field func(*R) *lci.ID) column[R] {
	c := uuid(name, field)
	c.kind = kind
	c.names = func(row *R) lci.ID { return *field(row) }
	return c
}

func asIs(s string) string { return s }

// parseText refuses NUL, which not every database can store.
func parseText(s string) (string, error) {
	if strings.Contains(s, "\x00") {
		return "", errors.New("contains a NUL character")
	}
	return s, nil
}

func parseTitle(s string) (string, error) {
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", errors.New("contains a line break or another control character")
	}
	if utf8.RuneCountInString(s) > maxNameChars {
		return "", fmt.Errorf("is longer than %d characters", maxNameChars)
	}
	return s, nil
}

func parseUUID(s string) (lci.ID, error) {
	id, ok := lci.ParseID(s)
	if !ok {
		return lci.ID{}, fmt.Errorf("%s is not a UUID", quote(s))
	}
	if id.IsZero() {
		return lci.ID{}, errors.New("a UUID of zeros is not a valid id")
	}
	return id, nil
}

func parseNumber(s string) (float64, error) {
	// Of these characters ParseFloat accepts only plain decimal numbers.
	foreign := func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) }
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case strings.ContainsFunc(s, foreign), errors.Is(err, strconv.ErrSyntax):
		return 0, fmt.Errorf("%s is not a number (like 1234.5 or 1.2e-3)", quote(s))
	case err != nil:
		return 0, fmt.Errorf("%s is too large", quote(s))
	}
	return v, nil
}

func parseDeviation(s string) (float64, error) {
	v, err := parseNumber(s)
	if err == nil && v < 0 {
		return 0, fmt.Errorf("a standard deviation cannot be negative: %s", quote(s))
	}
	return v, err
}

func parseShare(s string) (float64, error) {
	v, err := parseNumber(s)
	if err == nil && v < 0 {
		return 0, fmt.Errorf("%s is below 0", quote(s))
	}
	return v, err
}

func maybe(parse func(string) (float64, error)) func(string) (*float64, error) {
	return func(s string) (*float64, error) {
		v, err := parse(s)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}
}

func parsePrice(s string) (int64, error) {
	v, err := strconv.ParseUint(s, 10, 63)
	if err != nil || v > lci.MaxPrice {
		return 0, fmt.Errorf("%s is not a whole number from 0 to %d", quote(s), lci.MaxPrice)
	}
	return int64(v), nil
}

func parseDate(s string) (string, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil || day.Year() == 0 {
		return "", fmt.Errorf("%s is not a date (YYYY-MM-DD)", quote(s))
	}
	return s, nil
}

// parseBoolean ignores case: spreadsheets write TRUE.
func parseBoolean(s string) (bool, error) {
	isTrue := strings.EqualFold(s, "true")
	if !isTrue && !strings.EqualFold(s, "false") {
		return false, fmt.Errorf("%s is neither true nor false", quote(s))
	}
	return isTrue, nil
}

func parseList(s string) ([]string, error) {
	if _, err := parseText(s); err != nil {
		return nil, err
	}
	var values []string
	for v := range strings.SplitSeq(s, ";") {
		if v = strings.TrimSpace(v); v != "" {
			values = append(values, v)
		}
	}
	return values, nil
}

// formatList is the inverse of parseList. A semicolon within a value, which
// other formats may have, is percent-encoded as in links.
func formatList(values []string) string {
	escaped := make([]string, len(values))
	for i, v := range values {
		escaped[i] = strings.ReplaceAll(v, ";", "%3B")
	}
	return strings.Join(escaped, ";")
}

// formatNumber returns the shortest text that parses to v, with an exponent only
// if there would be many zeros.
func formatNumber(v float64) string {
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func formatMaybe(v *float64) string {
	if v == nil {
		return ""
	}
	return formatNumber(*v)
}

// quote quotes a cell for a message, shortened.
func quote(s string) string {
	const shown = 60
	if utf8.RuneCountInString(s) <= shown {
		return strconv.Quote(s)
	}
	return strconv.Quote(string([]rune(s[:min(len(s), shown*utf8.UTFMax)])[:shown]) + "…")
}

func join[S ~string](values []S, separator string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return strings.Join(texts, separator)
}
