package source

import (
	"archive/zip"
	"io"
	"time"
)

// A ZipWriter writes a zip whose bytes depend only on its content.
type ZipWriter struct{ zip *zip.Writer }

// NewZipWriter returns a writer of a zip to w.
func NewZipWriter(w io.Writer) *ZipWriter { return &ZipWriter{zip.NewWriter(w)} }

// Create starts an entry and ends the previous one.
func (z *ZipWriter) Create(name string) (io.Writer, error) {
	return z.zip.CreateHeader(&zip.FileHeader{
		Name:     name,
		Method:   zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), // constant: the earliest time a zip can have
	})
}

// Close ends the zip. It does not close the underlying writer.
func (z *ZipWriter) Close() error { return z.zip.Close() }
