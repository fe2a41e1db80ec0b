package lcia

import (
	"strings"

	"cradle/internal/ingest/sheet"
)

// A header is the heading rows of a table, of which there may be several:
// indicators over units over perspectives. One of them, the key, tells which
// columns describe the flow.
type header struct {
	rows []sheet.Row
	key  int // of rows
	last int // the line of the last
}

const (
	headerRows = 20 // how far down the header may be, below a title or a few lines of explanation
	heightRows = 5  // how many rows it may have above and below its key
	sampleRows = 200
)

// findHeader looks for the headings of a factor table, or returns nil.
func findHeader(t sheet.Table, takes func(*columns) bool) (*header, error) {
	var top []sheet.Row
	for row, err := range t.Rows() {
		if err != nil {
			return nil, err
		}
		if top = append(top, row); len(top) == headerRows+heightRows+sampleRows {
			break
		}
	}
	for k := range top[:min(len(top), headerRows)] {
		if !namesFlow(top[k]) {
			continue
		}
		h, sample := newHeader(top, k), newProfile()
		for _, row := range top {
			if row.Line > h.last {
				sample.add(row)
			}
		}
		if takes(newColumns(h, sample)) {
			return h, nil
		}
	}
	return nil, nil
}

// roleOf is the role of a column with a heading. It ignores remarks in brackets,
// "Name (in the report)", for columns about the flow.
func roleOf(text string) role {
	if r := roles[plainHeading(text)]; r != nothing {
		return r
	}
	before, _, remarked := strings.Cut(text, "(")
	if r := roles[plainHeading(before)]; remarked && tellsFlow(r) {
		return r
	}
	return nothing
}

func namesFlow(row sheet.Row) bool {
	for i := range row.Cells {
		if r := roleOf(row.Cell(i)); r == flowName || r == flowID {
			return true
		}
	}
	return false
}

// newHeader adds the rows around the key that are headings, too: below it those
// without a flow, and above it those over columns that the key row does not
// explain.
func newHeader(top []sheet.Row, k int) *header {
	last := k
	for last+1 < len(top) && last < k+heightRows && isHeading(top[k], top[last+1]) {
		last++
	}
	first := k
	for first > 0 && first > k-heightRows && !top[first].Gap && standsOver(top[first-1], top[k]) {
		first--
	}
	return &header{rows: top[first : last+1], key: k - first, last: top[last].Line}
}

// isHeading reports whether a row below the key belongs to the header: its cells
// in the flow's columns are empty or headings, too.
func isHeading(key, row sheet.Row) bool {
	for i := range key.Cells {
		if cell := row.Cell(i); cell != "" && tellsFlow(roleOf(key.Cell(i))) && roleOf(cell) == nothing {
			return false
		}
	}
	return true
}

// standsOver reports whether a row above the key has headings of factor columns.
// A title is over the first columns, which describe the flow.
func standsOver(row, key sheet.Row) bool {
	for i := range row.Cells {
		if row.Cell(i) != "" && !tellsFlow(roleOf(key.Cell(i))) {
			return i > 0 || len(row.Cells) > 1
		}
	}
	return false
}

// tellsFlow reports whether a column is about the flow, or about its row.
func tellsFlow(r role) bool { return r != nothing && r != factor }

// role is the role of a column, by the key row or else by the others.
func (h *header) role(column int) role {
	if r := roleOf(h.rows[h.key].Cell(column)); r != nothing {
		return r
	}
	for i := len(h.rows) - 1; i >= 0; i-- {
		if r := roleOf(h.rows[i].Cell(column)); r != nothing {
			return r
		}
	}
	return nothing
}

func (h *header) width() int {
	n := 0
	for _, row := range h.rows {
		n = max(n, len(row.Cells))
	}
	return n
}

// parts are the headings over a column, from the top. A heading over several
// columns is in the first of them; in the last row each column has its own,
// unless it is the row of units.
func (h *header) parts(column int, isFactor func(int) bool) []string {
	var parts []string
	for n, row := range h.rows {
		text, own := row.Cell(column), n == len(h.rows)-1
		for c := column - 1; text == "" && len(h.rows) > 1 && c >= 0 && isFactor(c); c-- {
			if left := row.Cell(c); !own || isUnitHeading(left) {
				text = left
			}
		}
		text = strings.Join(strings.Fields(text), " ")
		if text != "" && (len(parts) == 0 || parts[len(parts)-1] != text) {
			parts = append(parts, text)
		}
	}
	return parts
}

// A profile counts what the cells of each column hold.
type profile struct{ numbers, texts map[int]int }

func newProfile() *profile { return &profile{map[int]int{}, map[int]int{}} }

func (p *profile) add(row sheet.Row) {
	for i := range row.Cells {
		text := said(row.Cell(i))
		if _, ok := sheet.Number(text); ok {
			p.numbers[i]++
		} else if text != "" {
			p.texts[i]++
		}
	}
}

// isNumeric reports whether a column holds mostly numbers.
func (p *profile) isNumeric(column int) bool {
	return p.numbers[column] > 0 && p.numbers[column] >= p.texts[column]
}
