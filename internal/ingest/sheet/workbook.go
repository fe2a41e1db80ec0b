package sheet

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"cradle/internal/ingest/xmlstream"
)

// Bounds of the parts that are held in memory.
const (
	maxStrings = 128 << 20 // bytes of the shared strings
	maxSheets  = 1024
)

// Parts are the files that a workbook consists of, by name.
type Parts map[string]func() (io.ReadCloser, error)

// ErrNoWorkbook is returned for a file that is not an Excel workbook.
var ErrNoWorkbook = errors.New("not an Excel workbook (.xlsx)")

// A Workbook is an Excel workbook (.xlsx) opened for reading. Its values are
// those stored by the program that wrote it, even for formulas.
type Workbook struct {
	Sheets []Worksheet
}

// A Worksheet is one sheet of a workbook.
type Worksheet struct {
	Name string
	open func() (io.ReadCloser, error)
	text *sharedStrings
}

// OpenWorkbook finds a workbook's sheets, in the order in which they are shown.
func OpenWorkbook(parts Parts) (*Workbook, error) {
	const at = "xl/workbook.xml"
	if parts[at] == nil {
		return nil, ErrNoWorkbook
	}
	targets, err := parts.relations(at)
	if err != nil {
		return nil, err
	}
	text := &sharedStrings{open: parts["xl/sharedStrings.xml"]}
	for _, target := range targets {
		if path.Base(target) == "sharedStrings.xml" {
			text.open = parts[target]
		}
	}
	book := &Workbook{}
	err = parts.eachElement(at, "sheet", func(e *xmlstream.Element) error {
		if len(book.Sheets) == maxSheets {
			return fmt.Errorf("more than %d sheets", maxSheets)
		}
		if open := parts[targets[e.Attr("id")]]; open != nil { // else the part is missing
			book.Sheets = append(book.Sheets, Worksheet{Name: e.Attr("name"), open: open, text: text})
		}
		return nil
	})
	return book, err
}

// relations returns the parts that a part refers to, by the ids it uses.
func (p Parts) relations(of string) (map[string]string, error) {
	targets := map[string]string{}
	rels := path.Join(path.Dir(of), "_rels", path.Base(of)+".rels")
	if p[rels] == nil {
		return targets, nil
	}
	err := p.eachElement(rels, "Relationship", func(e *xmlstream.Element) error {
		target := e.Attr("Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(path.Dir(of), target)
		}
		targets[e.Attr("Id")] = strings.TrimPrefix(target, "/")
		return nil
	})
	return targets, err
}

func (p Parts) eachElement(part, name string, visit func(*xmlstream.Element) error) error {
	if err := eachElement(limited(p[part]), name, visit); err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	return nil
}

// limited bounds a part that is held in memory.
func limited(open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		content, err := open()
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(content, maxStrings), content}, err
	}
}

// eachElement visits the outermost elements of a name.
func eachElement(open func() (io.ReadCloser, error), name string, visit func(*xmlstream.Element) error) error {
	content, err := open()
	if err != nil {
		return err
	}
	defer content.Close()
	r, err := xmlstream.NewReader(content)
	if err != nil {
		return err
	}
	root, err := r.Root()
	if err != nil {
		return err
	}
	var walk func(*xmlstream.Element) error
	walk = func(e *xmlstream.Element) error {
		if e.Name == name {
			return visit(e)
		}
		return e.Each(walk)
	}
	if err := root.Each(walk); err != nil {
		return err
	}
	return r.Close()
}
