package export

import (
	"encoding/xml"
	"io"
	"strings"

	"cradle/internal/ingest/source"
)

// An Archive is a zip that takes whole files.
type Archive struct{ *source.ZipWriter }

// NewArchive returns an archive that writes the same bytes for the same files.
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

// EscapeXML escapes a text for an element or an attribute.
func EscapeXML(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
