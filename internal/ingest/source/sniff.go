package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"cradle/internal/ingest/xmlstream"
)

// Kind is the kind of an entry's content, detected from its first bytes.
type Kind string

const (
	Empty    Kind = "nothing"
	Gzip     Kind = "gzipped data"
	Zip      Kind = "a zip"
	Workbook Kind = "a workbook" // .xlsx
	XML      Kind = "XML"
	JSON     Kind = "JSON"
	YAML     Kind = "YAML"
	Table    Kind = "a table" // lines of fields that are separated by commas and the like
	Text     Kind = "text"
	Binary   Kind = "binary data"
)

// Content is what the first bytes of an entry tell.
type Content struct {
	Kind      Kind
	Root      string // of XML, its root element's name
	Namespace string // and namespace
	Flaw      string // of XML, why its root cannot be read
	Line      string // of text, its first line that is not empty, or the start of it
}

const (
	headBytes   = 4 << 10
	lineBytes   = 512
	prologBytes = 64 << 10 // how far into an XML document its root element may begin
)

// Sniff examines the entry's first bytes. It fails only if they cannot be read.
func (e *Entry) Sniff() (Content, error) {
	e.once.Do(func() { e.content, e.failure = e.sniff() })
	return e.content, e.failure
}

// Is reports whether the entry can be read and is of the kind.
func (e *Entry) Is(kind Kind) bool {
	c, err := e.Sniff()
	return err == nil && c.Kind == kind
}

func (e *Entry) sniff() (Content, error) {
	in, err := e.Open()
	if err != nil {
		return Content{}, err
	}
	defer in.Close()
	head, err := readHead(in, headBytes)
	if err != nil {
		return Content{}, fmt.Errorf("read %s: %w", Printable(e.Name), err)
	}
	c := contentOf(head)
	switch c.Kind {
	case XML:
		rest, err := readHead(in, prologBytes-len(head)) // its root may follow long comments
		if err != nil {
			return Content{}, fmt.Errorf("read %s: %w", Printable(e.Name), err)
		}
		if c.Root, c.Namespace, err = rootOf(append(head, rest...)); err != nil {
			c.Flaw = err.Error()
		}
	case Zip:
		if book, err := e.Unzip(); err == nil && book.isWorkbook() {
			c.Kind = Workbook
		}
	}
	return c, nil
}

func readHead(in io.Reader, n int) ([]byte, error) {
	head := make([]byte, n)
	n, err := io.ReadFull(in, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:n], nil
}

func contentOf(head []byte) Content {
	switch {
	case len(head) == 0:
		return Content{Kind: Empty}
	case isGzip(head):
		return Content{Kind: Gzip}
	case isZip(head):
		return Content{Kind: Zip}
	}
	text := decodeHead(head)
	if strings.ContainsRune(text, 0) {
		return Content{Kind: Binary}
	}
	text = strings.TrimSpace(text)
	return Content{Kind: textKind(text), Line: firstLine(text)}
}

// decodeHead decodes the start of a text, which may end within a character.
func decodeHead(head []byte) string {
	encoding, known := markedEncoding(head)
	switch {
	case known && encoding != UTF8:
		head = head[:len(head)&^1]
	default:
		for cut := 1; cut < utf8.UTFMax && cut < len(head); cut++ {
			if start := head[len(head)-cut:]; utf8.RuneStart(start[0]) {
				if !utf8.FullRune(start) {
					head = head[:len(head)-cut]
				}
				break
			}
		}
		if !utf8.Valid(head) {
			encoding = Windows1252
		}
	}
	text, err := io.ReadAll(encoding.Reader(bytes.NewReader(head)))
	if err != nil {
		return "\x00"
	}
	return string(text)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if len(line) > lineBytes {
		line = strings.ToValidUTF8(line[:lineBytes], "")
	}
	return strings.TrimRight(line, "\r ")
}

var (
	jsonStart = regexp.MustCompile(`^(\{\s*("|\}|$)|\[\s*(["{\[\]\-0-9tfn]|$))`)
	xmlStart  = regexp.MustCompile(`^<[?!A-Za-z_]`)
	yamlStart = regexp.MustCompile(`^(---|%YAML)(\s|$)|^(#[^\n]*\n\s*|\s*\n)*("[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_][^\n:,;\t]*):(\s|$)`)
)

func textKind(text string) Kind {
	switch {
	case text == "":
		return Empty
	case jsonStart.MatchString(text):
		return JSON
	case xmlStart.MatchString(text):
		return XML
	case yamlStart.MatchString(text):
		return YAML
	case strings.ContainsAny(firstLine(text), ",;\t|"):
		return Table
	}
	return Text
}

// rootOf finds the root element in the first bytes of an XML document.
func rootOf(head []byte) (name, namespace string, err error) {
	r, err := xmlstream.NewReader(bytes.NewReader(head))
	if err != nil {
		return "", "", err
	}
	root, err := r.Root()
	if err != nil {
		return "", "", err
	}
	return root.Name, root.Space, nil
}
