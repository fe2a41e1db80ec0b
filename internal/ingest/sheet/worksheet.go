package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
)

// Rows returns the rows that hold anything, with their numbers. A cell that
// keeps a formula and no value is given as "=" and the formula.
func (w Worksheet) Rows() iter.Seq2[Row, error] { return w.rows(maxSlots) }

func (w Worksheet) rows(slots int) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		content, err := w.open()
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer content.Close()
		s := &scanner{xml: xml.NewDecoder(content), text: w.text, slots: slots}
		for {
			row, err := s.row()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Row{}, fmt.Errorf("sheet %s: %w", w.Name, err))
				return
			}
			if !row.Blank() && !yield(row, nil) {
				return
			}
		}
	}
}

// A scanner walks the XML of one worksheet.
type scanner struct {
	xml   *xml.Decoder
	text  *sharedStrings
	line  int
	next  int // the column of a cell that does not say where it stands
	slots int // cells that may still come
}

func (s *scanner) row() (Row, error) {
	e, err := s.walk("row")
	if err != nil {
		return Row{}, err
	}
	s.line++
	if n, err := strconv.Atoi(attribute(e, "r")); err == nil {
		s.line = n
	}
	if s.line < 1 || s.line > maxRows {
		return Row{}, fmt.Errorf("row %d is outside a worksheet", s.line)
	}
	row := Row{Line: s.line}
	s.next = 0
	for {
		token, err := s.xml.Token()
		if err != nil {
			return Row{}, unexpected(err)
		}
		switch e := token.(type) {
		case xml.EndElement:
			return row, nil
		case xml.StartElement:
			if e.Name.Local != "c" {
				if err := s.xml.Skip(); err != nil {
					return Row{}, err
				}
				continue
			}
			if err := s.cell(&row, e); err != nil {
				return Row{}, err
			}
		}
	}
}

func (s *scanner) cell(row *Row, e xml.StartElement) error {
	column := s.next
	if ref := attribute(e, "r"); ref != "" {
		column = columnOf(ref)
	}
	if column < 0 || column >= maxColumns {
		return fmt.Errorf("row %d: cell %.20s is outside the %d columns that are read", row.Line, attribute(e, "r"), maxColumns)
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
		return errors.New("too many cells, empty ones between others included")
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
func (s *scanner) value(e xml.StartElement) (string, error) {
	kind := attribute(e, "t")
	var stored, inline, formula strings.Builder
	for {
		token, err := s.xml.Token()
		if err != nil {
			return "", unexpected(err)
		}
		switch child := token.(type) {
		case xml.EndElement:
			if stored.Len() == 0 && inline.Len() == 0 && formula.Len() > 0 {
				return "=" + formula.String(), nil
			}
			if kind == "inlineStr" {
				return inline.String(), nil
			}
			return s.text.decode(kind, stored.String())
		case xml.StartElement:
			into := &inline
			switch child.Name.Local {
			case "v":
				into = &stored
			case "f":
				into = &formula
			}
			if err := collect(s.xml, into); err != nil {
				return "", err
			}
		}
	}
}

// walk goes to the next element of the name.
func (s *scanner) walk(name string) (xml.StartElement, error) {
	for {
		token, err := s.xml.Token()
		if err != nil {
			return xml.StartElement{}, err
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == name {
			return e, nil
		}
	}
}

// collect gathers the text inside the element just opened, phonetic hints left out.
func collect(from *xml.Decoder, into *strings.Builder) error {
	for depth := 1; depth > 0; {
		token, err := from.Token()
		if err != nil {
			return unexpected(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" {
				if err := from.Skip(); err != nil {
					return err
				}
				continue
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if into.Len()+len(t) > maxCell {
				return fmt.Errorf("a cell of more than %d bytes", maxCell)
			}
			into.Write(t)
		}
	}
	return nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// sharedStrings are the texts that the cells of all sheets refer to by number.
type sharedStrings struct {
	open func() (io.ReadCloser, error) // nil where there are none
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

// shortest undoes the seventeen digits in which Excel writes 0.1.
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
	content, err := t.open()
	if err != nil {
		return err
	}
	defer content.Close()
	s := &scanner{xml: xml.NewDecoder(io.LimitReader(content, maxStrings))}
	var text strings.Builder
	for {
		if _, err := s.walk("si"); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("shared texts: %w", err)
		}
		text.Reset()
		if err := collect(s.xml, &text); err != nil {
			return fmt.Errorf("shared texts: %w", err)
		}
		t.list = append(t.list, text.String())
	}
}
