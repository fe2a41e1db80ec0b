package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// A Damage is why the content of one entry cannot be read, although that of
// others may be readable.
type Damage struct {
	Line    int // 0 if unknown
	Message string
}

func (d *Damage) Error() string {
	if d.Line == 0 {
		return d.Message
	}
	return fmt.Sprintf("line %d %s", d.Line, d.Message)
}

// damage distinguishes damage of one entry from errors that affect the whole
// source.
func damage(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt) {
		return &Damage{Message: "is damaged in the archive"}
	}
	return err
}
