package sheet

import (
	"bufio"
	"errors"
	"io"
	"iter"

	"cradle/internal/ingest/source"
)

// A Table is a worksheet, or a file of delimited text.
type Table struct {
	Name string // the sheet's, "" for a file of text
	rows func() iter.Seq2[Row, error]
}

// Rows returns the rows that are not blank. They can be read again.
func (t Table) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		last := 0 // where the previous row ends
		for row, err := range t.rows() {
			if err == nil && row.Blank() {
				continue
			}
			row.Gap = row.Line > last+1
			last = max(row.Line, row.end)
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Open returns the tables of an entry: a workbook's sheets, or one table of
// delimited text.
func Open(e *source.Entry) ([]Table, error) {
	if !e.Is(source.Workbook) {
		return []Table{{rows: func() iter.Seq2[Row, error] { return textRows(e) }}}, nil
	}
	inside, err := e.Unzip()
	if err != nil {
		return nil, err
	}
	parts := Parts{}
	for _, part := range inside.Entries {
		parts[part.Name] = part.Open
	}
	book, err := OpenWorkbook(parts)
	if err != nil {
		return nil, err
	}
	var tables []Table
	for _, s := range book.Sheets {
		tables = append(tables, Table{Name: s.Name, rows: s.Rows})
	}
	return tables, nil
}

// Holds reports whether an entry may hold tables.
func Holds(e *source.Entry) bool {
	c, err := e.Sniff()
	if err != nil {
		return false
	}
	switch c.Kind {
	case source.Workbook, source.Table, source.Text:
		return true
	}
	return false
}

const headBytes = 64 << 10

func textRows(e *source.Entry) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		in, err := e.Text()
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer in.Close()
		buffered := bufio.NewReaderSize(in, headBytes)
		head, err := buffered.Peek(headBytes)
		if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
			yield(Row{}, err)
			return
		}
		text := NewText(buffered, Separator(string(head)))
		for {
			row, err := text.Next()
			if err == io.EOF {
				return
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}
