package sheet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"cradle/internal/ingest/xmlstream"
)

// Rows returns the rows that are not empty, with their numbers. A cell with a
// formula and no value is returned as "=" and the formula.
func (w Worksheet) Rows() iter.Seq2[Row, error] { return w.rows(maxSlots) }

// errEnough ends the reading of a worksheet when its reader stops early.
var errEnough = errors.New("enough rows")

func (w Worksheet) rows(slots int) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s := &scanner{text: w.text, slots: slots}
		err := eachElement(w.open, "row", func(e *xmlstream.Element) error {
			row, err := s.row(e)
			if err == nil && !row.Blank() && !yield(row, nil) {
				return errEnough
			}
			return err
		})
		if err != nil && err != errEnough {
			yield(Row{}, fmt.Errorf("sheet %s: %w", w.Name, err))
		}
	}
}

// A scanner reads the rows of one worksheet.
type scanner struct {
	text  *sharedStrings
	line  int
	next  int // the column of a cell without a reference
	slots int // cells that may still follow
}

func (s *scanner) row(e *xmlstream.Element) (Row, error) {
	s.line++
	if n, err := strconv.Atoi(e.Attr("r")); err == nil {
		s.line = n
	}
	if s.line < 1 || s.line > maxRows {
		return Row{}, fmt.Errorf("row %d is outside a worksheet", s.line)
	}
	row := Row{Line: s.line}
	s.next = 0
	err := e.Each(func(c *xmlstream.Element) error {
		if c.Name != "c" {
			return nil
		}
		return s.cell(&row, c)
	})
	return row, err
}

func (s *scanner) cell(row *Row, e *xmlstream.Element) error {
	column := s.next
	ref := e.Attr("r")
	if ref != "" {
		column = columnOf(ref)
	}
	if column < 0 || column >= maxColumns {
		return fmt.Errorf("row %d: cell %.20s is outside the first %d columns", row.Line, ref, maxColumns)
	}
	s.next = column + 1
	text, err := s.value(e)
	if err != nil {
		return fmt.Errorf("row %d: %w", row.Line, err)
	}
	if text == "" {
		return nil
	}
	if s.slots -= column + 1 - min(len(row.Cells), column+1); s.slots < 0 {
		return errors.New("too many cells, including empty ones")
	}
	for len(row.Cells) <= column {
		row.Cells = append(row.Cells, "")
	}
	row.Cells[column] = text
	return nil
}

// columnOf reads the letters of a cell's reference.
func columnOf(ref string) int {
	n := 0
	for i := range len(ref) {
		c := ref[i] &^ 0x20 // upper case
		if c < 'A' || c > 'Z' || i == 3 {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}

// value reads the content of a cell.
func (s *scanner) value(e *xmlstream.Element) (string, error) {
	kind := e.Attr("t")
	var stored, inline, formula string
	err := e.Each(func(child *xmlstream.Element) error {
		text, err := textOf(child)
		switch child.Name {
		case "v":
			stored = text
		case "f":
			formula = text
		default:
			inline += text
		}
		return err
	})
	switch {
	case err != nil:
		return "", err
	case stored == "" && inline == "" && formula != "":
		return "=" + formula, nil
	case kind == "inlineStr":
		return inline, nil
	}
	return s.text.decode(kind, stored)
}

// textOf is the text of a cell without phonetic hints.
func textOf(e *xmlstream.Element) (string, error) {
	text, err := e.Text("rPh")
	if err == nil && len(text) > maxCell {
		err = fmt.Errorf("a cell is longer than %d bytes", maxCell)
	}
	return text, err
}

// sharedStrings are the texts that the cells of all sheets refer to by number.
type sharedStrings struct {
	open func() (io.ReadCloser, error) // nil if there are none
	list []string
	err  error
	read bool
}

func (t *sharedStrings) decode(kind, stored string) (string, error) {
	switch kind {
	case "s":
		return t.at(stored)
	case "b":
		if stored == "1" {
			return "True", nil
		}
		return "False", nil
	case "", "n":
		return shortest(stored), nil
	}
	return stored, nil // a text, an error or a date as written
}

// shortest shortens the seventeen digits in which Excel writes 0.1.
func shortest(stored string) string {
	f, err := strconv.ParseFloat(stored, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return stored
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func (t *sharedStrings) at(number string) (string, error) {
	if !t.read {
		t.read, t.err = true, t.load()
	}
	if t.err != nil {
		return "", t.err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(t.list) {
		return "", fmt.Errorf("there is no shared text %.20q", number)
	}
	return t.list[n], nil
}

func (t *sharedStrings) load() error {
	if t.open == nil {
		return nil
	}
	err := eachElement(limited(t.open), "si", func(e *xmlstream.Element) error {
		text, err := textOf(e)
		t.list = append(t.list, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("shared texts: %w", err)
	}
	return nil
}
