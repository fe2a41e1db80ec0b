// Package sheet reads tables as people keep them: delimited text and Excel
// workbooks, row by row, with limits on everything that a file can make large.
package sheet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Row is one row of a table. Cells missing in the file are "".
type Row struct {
	Line  int  // the line of a text file, the row number of a worksheet
	Gap   bool // of a Table: blank rows precede it
	Cells []string
	end   int // the line of a text file in which it ends
}

// Cell returns the trimmed text of a column, "" if the row is shorter.
func (r Row) Cell(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return strings.TrimSpace(r.Cells[column])
}

// Blank reports whether all cells are empty.
func (r Row) Blank() bool {
	for _, c := range r.Cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// Limits on what is read, far above the size of real tables.
const (
	maxCell    = 1 << 20 // bytes of one cell
	maxColumns = 4096
	maxRows    = 1 << 20 // of a worksheet, Excel's own bound
	maxSlots   = 1 << 26 // cells of a worksheet, including empty ones between others
)

// An Error is an error at one line of a table.
type Error struct {
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Flaw returns at which line a table cannot be read, 0 if unknown, and why.
func Flaw(err error) (line int, message string) {
	var wrong *Error
	if errors.As(err, &wrong) {
		return wrong.Line, wrong.Message
	}
	return 0, err.Error()
}

// Letters returns a spreadsheet's name of a column: A, B, … AA.
func Letters(column int) string {
	name := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// Number parses a number as written in tables: with a dot or, if there is no
// dot, one comma as the decimal sign; it refuses grouping by spaces.
func Number(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	if text == "" || !numeric(text) {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// numeric excludes what ParseFloat accepts but no table means: Inf, NaN, hex,
// underscores.
func numeric(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return false
		}
	}
	return true
}
