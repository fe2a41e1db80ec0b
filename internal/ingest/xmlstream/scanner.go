package xmlstream

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind int

const (
	startTag kind = iota + 1
	endTag
	text
	characterData
)

// A scanner splits a document into tags and text. It holds the current token and
// read-ahead.
type scanner struct {
	in     io.Reader
	strict bool // U+FFFD is the result of a broken encoding
	buf    []byte
	at     int   // where the next token begins
	err    error // why no more can be read, io.EOF at the end
	line   int   // where the current token begins
	passed int   // lines within the current token

	token   []byte // a tag without its brackets, a text with its entities resolved
	empty   bool   // the tag is both start and end
	escaped []byte
	began   bool
}

func newScanner(in io.Reader, strict bool) scanner {
	return scanner{in: in, strict: strict, buf: make([]byte, 0, 64<<10), line: 1}
}

// next goes to the next token. At the end of the document it returns io.EOF.
func (s *scanner) next() (kind, error) {
	for {
		s.line += s.passed
		s.passed = 0
		if s.at == len(s.buf) {
			if err := s.fill(); err != nil {
				return 0, err
			}
		}
		if s.buf[s.at] != '<' {
			return s.text()
		}
		t, err := s.markup()
		if err != nil || t != 0 {
			return t, err
		}
	}
}

// fill reads more into the buffer; io.EOF at the end.
func (s *scanner) fill() error {
	if s.err != nil {
		return s.err
	}
	if len(s.buf)-s.at > maxToken {
		return s.refuse("a tag or text is longer than %d bytes", maxToken)
	}
	switch {
	case s.at > 0 && s.at >= len(s.buf)/2:
		s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
		s.at = 0
	case len(s.buf) == cap(s.buf):
		s.buf = append(make([]byte, 0, 2*cap(s.buf)), s.buf[s.at:]...)
		s.at = 0
	}
	for range 100 {
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if err != nil {
			s.err = err
		}
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	s.err = io.ErrNoProgress
	return s.err
}

// more reads more of an unfinished token: the end of the document is an error.
func (s *scanner) more() error {
	err := s.fill()
	if err == io.EOF {
		return s.errorf("the document ends in the middle of a tag")
	}
	return err
}

// take consumes the next n bytes as the current token's source.
func (s *scanner) take(n int) []byte {
	b := s.buf[s.at : s.at+n]
	s.at += n
	s.passed = bytes.Count(b, newline)
	return b
}

var newline = []byte{'\n'}

// text consumes everything up to the next tag.
func (s *scanner) text() (kind, error) {
	from := 0
	for {
		if n := bytes.IndexByte(s.buf[s.at+from:], '<'); n >= 0 {
			from += n
			break
		}
		from = len(s.buf) - s.at
		if err := s.fill(); err == io.EOF {
			break
		} else if err != nil {
			return 0, err
		}
	}
	source := s.take(from)
	if bytes.Contains(source, []byte("]]>")) {
		return 0, s.errorf("a text contains ]]>")
	}
	if err := s.check(source); err != nil {
		return 0, err
	}
	var err error
	s.escaped, err = s.unescape(s.escaped[:0], source, false)
	s.token = s.escaped
	return text, err
}

// markup consumes what begins with <; the kind is 0 if it is to be ignored.
func (s *scanner) markup() (kind, error) {
	for len(s.buf)-s.at < len("<![CDATA[") {
		if err := s.fill(); err == io.EOF {
			break
		} else if err != nil {
			return 0, err
		}
	}
	b := s.buf[s.at:]
	switch {
	case bytes.HasPrefix(b, []byte("<?")):
		return 0, s.instruction()
	case bytes.HasPrefix(b, []byte("<!--")):
		return 0, s.comment()
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		return s.cdata()
	case bytes.HasPrefix(b, []byte("<!DOCTYPE")):
		return 0, s.refuse("document types (DOCTYPE) are not allowed, because they can load entities and other files")
	case bytes.HasPrefix(b, []byte("<!")):
		return 0, s.refuse("markup declarations are not allowed")
	}
	return s.tag()
}

// tag consumes <…>; a > within quotes does not end it.
func (s *scanner) tag() (kind, error) {
	n := 1
	var quoted byte
	for ; ; n++ {
		if s.at+n == len(s.buf) {
			if err := s.more(); err != nil {
				return 0, err
			}
		}
		c := s.buf[s.at+n]
		if quoted != 0 {
			rest := s.buf[s.at+n:]
			i := bytes.IndexByte(rest, quoted)
			if i < 0 {
				n = len(s.buf) - s.at - 1
				continue
			}
			n, quoted = n+i, 0
			continue
		}
		if c == '>' {
			break
		}
		switch c {
		case '"', '\'':
			quoted = c
		case '<':
			return 0, s.errorf("a tag contains <")
		}
	}
	b := s.take(n + 1)
	b = b[1:n]
	s.began = true
	if len(b) > 0 && b[0] == '/' {
		s.token = b[1:]
		return endTag, nil
	}
	s.empty = len(b) > 0 && b[len(b)-1] == '/'
	if s.empty {
		b = b[:len(b)-1]
	}
	s.token = b
	return startTag, nil
}

// until consumes everything up to and including the mark.
func (s *scanner) until(start, mark string) ([]byte, error) {
	from := len(start)
	for {
		if s.at+from <= len(s.buf) {
			if n := bytes.Index(s.buf[s.at+from:], []byte(mark)); n >= 0 {
				return s.take(from + n + len(mark)), nil
			}
			from = max(from, len(s.buf)-s.at-len(mark)+1)
		}
		if err := s.more(); err != nil {
			return nil, err
		}
	}
}

// instruction skips <?…?>. The document's declaration was handled before;
// elsewhere it is an error.
func (s *scanner) instruction() error {
	b, err := s.until("<?", "?>")
	if err != nil {
		return err
	}
	declaration := bytes.HasPrefix(b, []byte("<?xml")) && len(b) > 5 && (isBlank(b[5]) || b[5] == '?')
	if declaration && s.began {
		return s.errorf("the XML declaration must come first")
	}
	s.began = true
	t := tag{left: b[2:]}
	if t.name() == nil {
		return s.errorf("an instruction has no name")
	}
	return s.check(b)
}

func (s *scanner) comment() error {
	b, err := s.until("<!--", "-->")
	if err != nil {
		return err
	}
	s.began = true
	if bytes.Contains(b[4:len(b)-3], []byte("--")) {
		return s.errorf("a comment contains --")
	}
	return s.check(b)
}

func (s *scanner) cdata() (kind, error) {
	b, err := s.until("<![CDATA[", "]]>")
	if err != nil {
		return 0, err
	}
	b = b[len("<![CDATA[") : len(b)-len("]]>")]
	if err := s.check(b); err != nil {
		return 0, err
	}
	s.escaped = appendLines(s.escaped[:0], b)
	s.token = s.escaped
	return characterData, nil
}

// unescape appends a text or an attribute's value with its references resolved
// and its line breaks normalised.
func (s *scanner) unescape(to, from []byte, attribute bool) ([]byte, error) {
	for len(from) > 0 {
		n := bytes.IndexByte(from, '&')
		if n < 0 {
			return appendPlain(to, from, attribute), nil
		}
		to = appendPlain(to, from[:n], attribute)
		from = from[n+1:]
		end := bytes.IndexByte(from[:min(len(from), 40)], ';')
		if end < 0 {
			return to, s.errorf("a single & must be written &amp;")
		}
		r, err := reference(string(from[:end]))
		if err != nil {
			return to, s.errorf("%v", err)
		}
		to = utf8.AppendRune(to, r)
		from = from[end+1:]
	}
	return to, nil
}

func reference(name string) (rune, error) {
	switch name {
	case "amp":
		return '&', nil
	case "lt":
		return '<', nil
	case "gt":
		return '>', nil
	case "quot":
		return '"', nil
	case "apos":
		return '\'', nil
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, fmt.Errorf("the entity &%s; is not defined in XML", name)
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !isChar(rune(n)) || n > 0x10FFFF {
		return 0, fmt.Errorf("&%s; is not a character", name)
	}
	return rune(n), nil
}

// appendPlain appends a text without references: a line break becomes a line
// feed in text, and a space in a value.
func appendPlain(to, from []byte, attribute bool) []byte {
	if !attribute {
		return appendLines(to, from)
	}
	at := len(to)
	to = appendLines(to, from)
	for i := at; i < len(to); i++ {
		if to[i] == '\n' || to[i] == '\t' {
			to[i] = ' '
		}
	}
	return to
}

func appendLines(to, from []byte) []byte {
	for {
		n := bytes.IndexByte(from, '\r')
		if n < 0 {
			return append(to, from...)
		}
		to = append(append(to, from[:n]...), '\n')
		from = from[n+1:]
		if len(from) > 0 && from[0] == '\n' {
			from = from[1:]
		}
	}
}

// check refuses characters that XML does not allow.
func (s *scanner) check(b []byte) error {
	plain := true
	for _, c := range b {
		if c >= 0x80 {
			plain = false
		} else if c < 0x20 && !isBlank(c) {
			return s.errorf("the document contains the control character U+%04X", c)
		}
	}
	if plain {
		return nil
	}
	for len(b) > 0 {
		if b[0] < 0x80 {
			b = b[1:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			return s.errorf("the text is not UTF-8; declare its encoding, such as <?xml version=\"1.0\" encoding=\"windows-1252\"?>")
		case r == utf8.RuneError && s.strict:
			return s.errorf("the text does not match the declared encoding")
		case !isChar(r):
			return s.errorf("the document contains U+%04X", r)
		}
		b = b[n:]
	}
	return nil
}

func isChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		0x20 <= r && r <= 0xD7FF || 0xE000 <= r && r <= 0xFFFD || 0x10000 <= r && r <= 0x10FFFF
}

func (s *scanner) errorf(format string, args ...any) error {
	return &Error{Line: s.line + s.passed, Message: fmt.Sprintf(format, args...)}
}

func (s *scanner) refuse(format string, args ...any) error {
	return &Error{Line: s.line + s.passed, Message: fmt.Sprintf(format, args...), Refused: true}
}
