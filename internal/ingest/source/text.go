package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Encoding is a character encoding.
type Encoding string

const (
	UTF8        Encoding = "UTF-8"
	UTF16LE     Encoding = "UTF-16LE"
	UTF16BE     Encoding = "UTF-16BE"
	Windows1252 Encoding = "windows-1252" // also for ISO-8859-1, which often is in fact this
)

// Reader converts text to UTF-8, without a byte order mark. Invalid text ends
// with an error that names the line.
func (e Encoding) Reader(in io.Reader) io.Reader {
	switch e {
	case UTF16LE:
		return transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	case UTF16BE:
		return transform.NewReader(in, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder())
	case Windows1252:
		return transform.NewReader(in, charmap.Windows1252.NewDecoder())
	}
	return &valid{in: in, line: 1, start: true}
}

// Text opens the entry's text as UTF-8. Its encoding is told by its byte order
// mark, else detected: it is UTF-8 if all of it is valid UTF-8, else
// windows-1252, unless most of it is UTF-8: then it is broken, and reading it
// ends with an error.
func (e *Entry) Text() (io.ReadCloser, error) {
	found, err := e.Encoding()
	if err != nil {
		return nil, err
	}
	return e.textIn(found)
}

// UTF8 opens the text of an entry whose format requires UTF-8.
func (e *Entry) UTF8() (io.ReadCloser, error) { return e.textIn(UTF8) }

func (e *Entry) textIn(encoding Encoding) (io.ReadCloser, error) {
	in, err := e.Open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{encoding.Reader(in), in}, nil
}

// Encoding detects the encoding of the entry's text.
func (e *Entry) Encoding() (Encoding, error) {
	in, err := e.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	found, err := findEncoding(in)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", Printable(e.Name), err)
	}
	return found, nil
}

// findEncoding counts the characters beyond ASCII that are valid UTF-8 and the
// bytes that are not.
func findEncoding(in io.Reader) (Encoding, error) {
	buf := make([]byte, 64<<10)
	kept, good, bad := 0, 0, 0
	for first := true; ; first = false {
		n, err := io.ReadAtLeast(in, buf[kept:], 4)
		text := buf[:kept+n]
		if marked, known := markedEncoding(text); first && known {
			return marked, nil
		}
		atEnd := err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !atEnd {
			return "", err
		}
		for len(text) > 0 && (atEnd || utf8.FullRune(text)) {
			r, size := utf8.DecodeRune(text)
			switch {
			case r == utf8.RuneError && size == 1:
				bad++
			case size > 1:
				good++
			}
			text = text[size:]
		}
		if atEnd {
			break
		}
		kept = copy(buf, text)
	}
	if bad > good {
		return Windows1252, nil
	}
	return UTF8, nil
}

// markedEncoding detects the encoding by a byte order mark, or by the zero bytes
// in the first character of UTF-16.
func markedEncoding(head []byte) (Encoding, bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		return UTF8, true
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), len(head) > 3 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return UTF16LE, true
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), len(head) > 3 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return UTF16BE, true
	}
	return UTF8, false
}

// valid reads UTF-8 and returns an error where it is invalid.
type valid struct {
	in    io.Reader
	start bool   // nothing was read yet
	line  int    // of what was read last
	carry []byte // the start of an incomplete character
	err   error
}

func (v *valid) Read(p []byte) (int, error) {
	if v.err != nil {
		return 0, v.err
	}
	if v.start {
		v.start = false
		v.in = withoutMark(v.in)
	}
	n, err := v.in.Read(p)
	if bad := v.check(p[:n], err == io.EOF); bad != nil {
		v.err = bad
		return 0, bad
	}
	return n, err
}

func withoutMark(in io.Reader) io.Reader {
	const mark = "\uFEFF"
	head := make([]byte, len(mark))
	n, err := io.ReadFull(in, head)
	switch {
	case string(head[:n]) == mark:
		return in
	case err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
		return io.MultiReader(bytes.NewReader(head[:n]), failing{err})
	}
	return io.MultiReader(bytes.NewReader(head[:n]), in)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// check checks what was read next; an incomplete character is an error only at
// the end of the text.
func (v *valid) check(p []byte, atEnd bool) error {
	for len(v.carry) > 0 && len(p) > 0 && !utf8.FullRune(v.carry) {
		v.carry, p = append(v.carry, p[0]), p[1:]
	}
	if len(v.carry) > 0 && (utf8.FullRune(v.carry) || atEnd) {
		if !utf8.Valid(v.carry) {
			return v.broken(nil)
		}
		v.carry = v.carry[:0]
	}
	if len(v.carry) == 0 {
		v.carry, p = v.setAside(p)
	}
	if !utf8.Valid(p) {
		return v.broken(p)
	}
	v.line += bytes.Count(p, []byte{'\n'})
	if atEnd && len(v.carry) > 0 {
		return v.broken(nil)
	}
	return nil
}

// setAside cuts an incomplete character off the end.
func (v *valid) setAside(p []byte) (carry, rest []byte) {
	for i := len(p) - 1; i >= 0 && i > len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				return append(v.carry[:0], p[i:]...), p[:i]
			}
			break
		}
	}
	return v.carry[:0], p
}

func (v *valid) broken(p []byte) error {
	good := 0
	for good < len(p) {
		r, size := utf8.DecodeRune(p[good:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		good += size
	}
	return &Damage{Line: v.line + bytes.Count(p[:good], []byte{'\n'}), Message: "is not valid UTF-8"}
}
