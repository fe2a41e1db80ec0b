package source

import (
	"bytes"
	"fmt"
)

// maxInside is the largest archive within a source, because it is held in
// memory.
const maxInside = 256 << 20

// Unzip opens an entry that is itself a zip, such as a workbook, with the same
// limits.
func (e *Entry) Unzip() (*Source, error) {
	content, err := e.ReadAll(maxInside)
	if err != nil {
		return nil, err
	}
	src, err := e.limits.unzip(Printable(e.Name), bytes.NewReader(content), e.Size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Printable(e.Name), err)
	}
	src.raw = content
	return src, nil
}

func (s *Source) isWorkbook() bool {
	types, book := false, false
	for _, e := range s.Entries {
		types = types || e.Name == "[Content_Types].xml"
		book = book || e.Name == "xl/workbook.xml"
	}
	return types && book
}
