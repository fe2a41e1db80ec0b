package source

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// prologBytes is how far into a document its root element may begin.
const prologBytes = 64 << 10

var (
	errDoctype = errors.New("it declares a document type, whose entities and references are not followed here: remove the <!DOCTYPE …>")
	errNoRoot  = fmt.Errorf("no element begins in its first %d bytes", prologBytes)
)

// NewXML returns a decoder of an XML document in any of the encodings known
// here. A document type declaration is refused: entities that grow and
// references to other files come with it, and no format of ours has one.
func NewXML(in io.Reader) (*xml.Decoder, error) {
	raw := bufio.NewReaderSize(in, prologBytes)
	head, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	text := raw
	if encoding, known := markedEncoding(head); known {
		text = bufio.NewReaderSize(encoding.Reader(raw), prologBytes)
	}
	prolog, err := text.Peek(prologBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if err := checkProlog(prolog); err != nil {
		return nil, err
	}
	d := xml.NewDecoder(text)
	d.CharsetReader = declaredReader
	return d, nil
}

// checkProlog goes through declarations and comments to the root element.
func checkProlog(prolog []byte) error {
	for {
		prolog = bytes.TrimLeft(prolog, " \t\r\n")
		var end string
		switch {
		case bytes.HasPrefix(prolog, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(prolog, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(prolog, []byte("<!")):
			return errDoctype
		case bytes.HasPrefix(prolog, []byte("<")):
			return nil
		default:
			return errNoRoot
		}
		_, after, found := bytes.Cut(prolog, []byte(end))
		if !found {
			return errNoRoot
		}
		prolog = after
	}
}
