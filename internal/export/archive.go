package export

import (
	"encoding/json"
	"io"

	"cradle/internal/ingest/source"
)

// archive is a zip that takes whole files.
type archive struct{ *source.ZipWriter }

func newArchive(w io.Writer) *archive { return &archive{source.NewZipWriter(w)} }

func (a *archive) put(name string, content []byte) error {
	w, err := a.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

func (a *archive) putJSON(name string, record any) error {
	w, err := a.Create(name)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(record)
}
