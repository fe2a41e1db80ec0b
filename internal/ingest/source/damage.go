package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// A Damage is why the content of one entry cannot be read, while those of others
// may.
type Damage struct {
	Line    int // 0 where it is not known
	Message string
}

func (d *Damage) Error() string {
	if d.Line == 0 {
		return d.Message
	}
	return fmt.Sprintf("line %d %s", d.Line, d.Message)
}

// damage tells what an archive has lost from what keeps all of it from being
// read.
func damage(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt) {
		return &Damage{Message: "is damaged in the archive"}
	}
	return err
}
