package bundle

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
	"cradle/internal/lci"
)

const (
	maxRecordBytes = 4 << 20 // enough for a row with all cells at their limit
	maxColumns     = 1_000
)

// A cursor goes through the rows of a table's file:
//
//	rows := t.open(pass, note)
//	defer rows.close()
//	for rows.next() { … rows.row … }
//	return rows.err
//
// Errors in the file go to note; err is an error that keeps the file from being
// read.
type cursor[R any] struct {
	table    *table[R]
	note     func(ingest.Error)
	warnings []ingest.Warning // of ignored columns
	err      error

	row     R
	line    int      // where the row begins
	id      lci.ID   // the row's id, zero if it is wrong or cannot be derived
	derived bool     // whether the id is derived
	bad     []string // the columns with invalid cells in this row

	input     io.Closer
	meter     *meter
	csv       *csv.Reader
	malformed bool // the file is not valid CSV
	header    []string
	headline  int
	columns   []*column[R]   // of each field, nil where unknown
	partial   bool           // a required column is missing
	repeated  map[lci.ID]int // how often a natural key occurred
}

// open opens the table's file. A bundle without the file has no rows.
func (t *table[R]) open(p *pass, note func(ingest.Error)) *cursor[R] {
	c := &cursor[R]{table: t, note: note, repeated: make(map[lci.ID]int)}
	c.stop()
	f, ok := p.bundle.files[t.file]
	if !ok {
		return c
	}
	input, err := f.open()
	if err != nil {
		c.err = fmt.Errorf("open %s: %w", t.file, err)
		return c
	}
	c.input = input
	c.meter = &meter{in: p.gauge.Reader(p.ctx, input)}
	c.csv = newCSV(c.meter)
	c.readHeader()
	return c
}

func (c *cursor[R]) close() {
	if c.input != nil {
		c.input.Close()
	}
}

func newCSV(in io.Reader) *csv.Reader {
	const byteOrderMark = "\uFEFF"
	// As large as package csv's own buffer, so that it does not add one.
	buffered := bufio.NewReaderSize(in, 64<<10)
	if start, _ := buffered.Peek(len(byteOrderMark)); string(start) == byteOrderMark {
		buffered.Discard(len(byteOrderMark))
	}
	r := csv.NewReader(buffered)
	r.ReuseRecord = true
	r.FieldsPerRecord = -1
	return r
}

func (c *cursor[R]) noteAt(line int, column, format string, args ...any) {
	c.note(ingest.Error{File: c.table.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// wrong notes an error in a cell of the current row.
func (c *cursor[R]) wrong(column, format string, args ...any) {
	c.bad = append(c.bad, column)
	c.noteAt(c.lineOf(column), column, format, args...)
}

// lineOf is where the column's cell begins in a row that may span lines.
func (c *cursor[R]) lineOf(column string) int {
	i := slices.Index(c.header, column)
	if i < 0 {
		return c.line
	}
	line, _ := c.csv.FieldPos(i)
	return line
}

// whole reports whether every cell of the row is valid.
func (c *cursor[R]) whole() bool { return !c.partial && len(c.bad) == 0 }

// stop leaves nothing to be read.
func (c *cursor[R]) stop() {
	c.csv, c.meter = csv.NewReader(strings.NewReader("")), &meter{}
}

// next reads the next row that has as many fields as the header.
func (c *cursor[R]) next() bool {
	if c.err != nil {
		return false
	}
	for {
		record, ok := c.record()
		if !ok {
			return false
		}
		c.line, _ = c.csv.FieldPos(0)
		if len(record) == len(c.header) {
			c.parse(record)
			return true
		}
		c.noteAt(c.line, "", "the line does not match the header: fields %d, columns %d", len(record), len(c.header))
	}
}

// record reads the next valid CSV record, and notes invalid ones.
func (c *cursor[R]) record() ([]string, bool) {
	for {
		record, err := c.csv.Read()
		c.meter.unbroken = 0
		var malformed *csv.ParseError
		switch {
		case err == nil:
			return record, true
		case errors.As(err, &malformed):
			c.noteMalformed(malformed, len(record))
		case err != io.EOF:
			c.err = fmt.Errorf("read %s: %w", c.table.file, err)
			return nil, false
		default:
			if c.meter.cut {
				c.noteAt(c.line, "", "the line is longer than %d bytes; the rest was not read", maxRecordBytes)
			}
			return nil, false
		}
	}
}

// noteMalformed notes where quoting went wrong: in the field after those that
// package csv could read.
func (c *cursor[R]) noteMalformed(e *csv.ParseError, field int) {
	message := "a quote is inside an unquoted cell"
	if errors.Is(e.Err, csv.ErrQuote) {
		message = "the quoted cell must end with a quote, followed by a comma or the end of the line"
	}
	if e.Line != e.StartLine {
		message += fmt.Sprintf(" (seen on line %d)", e.Line)
	}
	column := ""
	if field < len(c.header) {
		column = c.columnName(field)
	}
	c.line, c.malformed = e.StartLine, true
	c.noteAt(c.line, column, "%s", message)
}

// parse fills the row from a record's cells.
func (c *cursor[R]) parse(record []string) {
	c.row, c.bad = c.table.blank, c.bad[:0]
	for i, cell := range record {
		switch {
		case len(cell) > maxCellBytes:
			c.wrong(c.columnName(i), "is longer than %d bytes", maxCellBytes)
		case !utf8.ValidString(cell):
			c.wrong(c.columnName(i), "is not valid UTF-8")
		case c.columns[i] != nil:
			c.parseCell(c.columns[i], strings.TrimSpace(cell))
		}
	}
	c.identify()
}

func (c *cursor[R]) columnName(i int) string {
	if c.header[i] == "" {
		return strconv.Itoa(i + 1)
	}
	return source.Printable(c.header[i])
}

func (c *cursor[R]) parseCell(col *column[R], cell string) {
	if cell == "" {
		if col.required {
			c.wrong(col.name, "must not be empty")
		}
		return
	}
	if err := col.parse(&c.row, cell); err != nil {
		c.wrong(col.name, "%s", err)
	}
}

// identify completes a valid row and derives its id if none is given.
func (c *cursor[R]) identify() {
	t := c.table
	c.id, c.derived = lci.ID{}, false
	if c.whole() && t.complete != nil {
		t.complete(&c.row)
	}
	if t.id != nil {
		c.id = *t.id(&c.row)
	}
	if c.id.IsZero() && c.whole() {
		c.id, c.derived = c.deriveID(), true
		if t.id != nil {
			*t.id(&c.row) = c.id
		}
	}
}

func (c *cursor[R]) deriveID() lci.ID {
	key := c.table.key(&c.row)
	if !c.table.repeats {
		return key
	}
	n := c.repeated[key]
	c.repeated[key]++
	if n == 0 {
		return key
	}
	return lci.DerivedID("repeated", key.String(), strconv.Itoa(n))
}
