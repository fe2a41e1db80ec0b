package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Bounds of the parts that are held in memory.
const (
	maxStrings = 128 << 20 // bytes of the shared strings
	maxSheets  = 1024
)

// Parts are the files that a workbook consists of, by name.
type Parts map[string]func() (io.ReadCloser, error)

// ErrNoWorkbook is returned for what is not an Excel workbook.
var ErrNoWorkbook = errors.New("no Excel workbook (.xlsx)")

// A Workbook is an Excel workbook (.xlsx) opened for reading. Its values are
// those the program that wrote it has stored, also where it keeps a formula.
type Workbook struct {
	Sheets []Worksheet
}

// A Worksheet is one sheet of a workbook.
type Worksheet struct {
	Name string
	open func() (io.ReadCloser, error)
	text *sharedStrings
}

// OpenWorkbook finds a workbook's sheets, in the order they are shown in.
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
	err = parts.eachElement(at, "sheet", func(e xml.StartElement) error {
		if len(book.Sheets) == maxSheets {
			return fmt.Errorf("more than %d sheets", maxSheets)
		}
		if open := parts[targets[attribute(e, "id")]]; open != nil { // else a part that is not there
			book.Sheets = append(book.Sheets, Worksheet{Name: attribute(e, "name"), open: open, text: text})
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
	err := p.eachElement(rels, "Relationship", func(e xml.StartElement) error {
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(path.Dir(of), target)
		}
		targets[attribute(e, "Id")] = strings.TrimPrefix(target, "/")
		return nil
	})
	return targets, err
}

func (p Parts) eachElement(part, name string, visit func(xml.StartElement) error) error {
	content, err := p[part]()
	if err != nil {
		return err
	}
	defer content.Close()
	decoder := xml.NewDecoder(io.LimitReader(content, maxStrings))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == name {
			if err := visit(e); err != nil {
				return err
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
