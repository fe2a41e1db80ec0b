package export

import (
	"encoding/xml"
	"io"
	"strings"

	"cradle/internal/ingest/source"
)

// An Archive is a zip that takes whole files.
type Archive struct{ *source.ZipWriter }

// NewArchive makes a zip of which the same files give the same bytes.
func NewArchive(w io.Writer) *Archive { return &Archive{source.NewZipWriter(w)} }

// Put adds a file.
func (a *Archive) Put(name string, content []byte) error {
	w, err := a.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

// EscapeXML is a text as it stands in an element or in an attribute.
func EscapeXML(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
