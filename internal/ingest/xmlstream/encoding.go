package xmlstream

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// declarationSize is how far into a document its declaration is looked for.
const declarationSize = 512

// decode returns the document as UTF-8 without a byte order mark. A mark takes
// precedence over the first bytes, and these over the declaration: tools that
// declare UTF-16 and write UTF-8 are common. strict means that U+FFFD is the
// result of a broken encoding.
func decode(in io.Reader) (out io.Reader, strict bool, err error) {
	buffered := bufio.NewReaderSize(in, declarationSize)
	head, err := buffered.Peek(declarationSize)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		buffered.Discard(3)
		return buffered, false, nil
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder().Reader(buffered), true, nil
	case bytes.HasPrefix(head, []byte{0, '<', 0}):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder().Reader(buffered), true, nil
	case len(head) > 3 && head[0] == '<' && head[1] == 0 && head[3] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Reader(buffered), true, nil
	}
	name := declared(head)
	charset, err := charset(name)
	if err != nil {
		return nil, false, err
	}
	if charset == nil {
		return buffered, false, nil
	}
	return charset.NewDecoder().Reader(buffered), true, nil
}

// declared returns the encoding that the XML declaration names, "" if none.
func declared(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	end := bytes.Index(head, []byte("?>"))
	if end < 0 {
		return ""
	}
	t := tag{left: head[len("<?xml"):end]}
	for t.blanks() {
		name := t.name()
		value, ok := t.value()
		if !ok {
			return ""
		}
		if string(name) == "encoding" {
			return string(value)
		}
	}
	return ""
}

// charset returns the encoding of a name, nil for UTF-8. ISO-8859-1 is read as
// windows-1252, as browsers do: the characters in which they differ are control
// characters in the one and quotation marks in the other.
func charset(name string) (encoding.Encoding, error) {
	switch strings.ToLower(name) {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "ucs-2", "iso-10646-ucs-2":
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, &Error{Line: 1, Message: "the encoding " + quote(name) + " is not known; save the file as UTF-8"}
	}
	return e, nil
}
