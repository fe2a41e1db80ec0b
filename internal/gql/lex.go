package gql

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// kindOf is the kind of a token: a punctuator is its own character, '.' is the
// spread.
type kindOf byte

const (
	endToken    kindOf = 0
	nameToken   kindOf = 'n'
	intToken    kindOf = 'i'
	floatToken  kindOf = 'f'
	stringToken kindOf = 's'
	blockToken  kindOf = 'b'
)

type token struct {
	kind  kindOf
	value string
	at    *ast.Position
}

func (t token) String() string {
	switch t.kind {
	case endToken:
		return "<EOF>"
	case nameToken:
		return fmt.Sprintf("Name %q", t.value)
	case intToken, floatToken:
		return fmt.Sprintf("Number %q", t.value)
	case stringToken, blockToken:
		return "String"
	case '.':
		return `"..."`
	}
	return fmt.Sprintf("%q", string(t.kind))
}

// lexer splits a document into tokens, by the specification of September 2025.
// Columns are those of graphql-js: UTF-16 units, as editors count.
type lexer struct {
	text   string
	next   int // where the next token starts, at the earliest
	line   int
	known  int // a place on this line whose column is known
	column int
}

func newLexer(text string) *lexer { return &lexer{text: text, line: 1, column: 1} }

var noSource = &ast.Source{}

// position returns the position of a place on the current line, at or after the
// last one requested.
func (l *lexer) position(at int) *ast.Position {
	for _, r := range l.text[l.known:at] {
		l.column += utf16.RuneLen(r)
	}
	l.known = at
	return &ast.Position{Start: at, Line: l.line, Column: l.column, Src: noSource}
}

func (l *lexer) newLine(start int) {
	l.line, l.known, l.column = l.line+1, start, 1
}

func (l *lexer) fail(at int, format string, args ...any) *Error {
	p := l.position(at)
	return &Error{Kind: Syntax, Message: "Syntax Error: " + fmt.Sprintf(format, args...), Locations: []Location{{p.Line, p.Column}}}
}

const byteOrderMark = "\uFEFF"

// skip skips whitespace, commas and comments.
func (l *lexer) skip() {
	for l.next < len(l.text) {
		switch c := l.text[l.next]; {
		case c == ' ' || c == '\t' || c == ',':
			l.next++
		case c == '\n' || c == '\r':
			l.next = afterLineEnd(l.text, l.next)
			l.newLine(l.next)
		case c == '#':
			end := strings.IndexAny(l.text[l.next:], "\r\n")
			if end < 0 {
				end = len(l.text) - l.next
			}
			l.next += end
		case strings.HasPrefix(l.text[l.next:], byteOrderMark):
			l.next += len(byteOrderMark)
		default:
			return
		}
	}
}

// afterLineEnd returns where the line after the line end at a place begins.
func afterLineEnd(text string, at int) int {
	if strings.HasPrefix(text[at:], "\r\n") {
		return at + 2
	}
	return at + 1
}

func (l *lexer) read() (token, *Error) {
	l.skip()
	start := l.next
	if start == len(l.text) {
		return token{endToken, "", l.position(start)}, nil
	}
	c := l.text[start]
	switch {
	case strings.IndexByte("!$&():=@[]{|}", c) >= 0:
		l.next++
		return token{kindOf(c), "", l.position(start)}, nil
	case strings.HasPrefix(l.text[start:], "..."):
		l.next += 3
		return token{'.', "", l.position(start)}, nil
	case isNameStart(c):
		l.next += nameLength(l.text[start:])
		return token{nameToken, l.text[start:l.next], l.position(start)}, nil
	case c == '-' || isDigit(c):
		return l.number()
	case strings.HasPrefix(l.text[start:], `"""`):
		return l.block()
	case c == '"':
		return l.string()
	}
	r, _ := utf8.DecodeRuneInString(l.text[start:])
	return token{}, l.fail(start, "Unexpected character: %q.", r)
}

func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isNameStart(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func nameLength(text string) int {
	n := 1
	for n < len(text) && (isNameStart(text[n]) || isDigit(text[n])) {
		n++
	}
	return n
}

func (l *lexer) number() (token, *Error) {
	start, kind := l.next, intToken
	l.accept("-")
	if l.accept("0") {
		if l.next < len(l.text) && isDigit(l.text[l.next]) {
			return token{}, l.fail(l.next, "Invalid number, unexpected digit after 0: %q.", l.text[l.next])
		}
	} else if err := l.digits(); err != nil {
		return token{}, err
	}
	if l.accept(".") {
		kind = floatToken
		if err := l.digits(); err != nil {
			return token{}, err
		}
	}
	if l.accept("eE") {
		kind = floatToken
		l.accept("+-")
		if err := l.digits(); err != nil {
			return token{}, err
		}
	}
	if l.next < len(l.text) && (l.text[l.next] == '.' || isNameStart(l.text[l.next])) {
		return token{}, l.fail(l.next, "Invalid number, expected digit but got: %q.", l.text[l.next])
	}
	return token{kind, l.text[start:l.next], l.position(start)}, nil
}

// accept passes one character of a set.
func (l *lexer) accept(set string) bool {
	if l.next < len(l.text) && strings.IndexByte(set, l.text[l.next]) >= 0 {
		l.next++
		return true
	}
	return false
}

func (l *lexer) digits() *Error {
	start := l.next
	for l.next < len(l.text) && isDigit(l.text[l.next]) {
		l.next++
	}
	if l.next > start {
		return nil
	}
	if start == len(l.text) {
		return l.fail(start, "Invalid number, expected digit but got: <EOF>.")
	}
	return l.fail(start, "Invalid number, expected digit but got: %q.", l.text[start])
}

func (l *lexer) string() (token, *Error) {
	at := l.position(l.next)
	l.next++
	var value strings.Builder
	for l.next < len(l.text) {
		switch c := l.text[l.next]; c {
		case '"':
			l.next++
			return token{stringToken, value.String(), at}, nil
		case '\n', '\r':
			return token{}, l.fail(l.next, "Unterminated string.")
		case '\\':
			r, length := escape(l.text[l.next:])
			if length == 0 {
				return token{}, l.fail(l.next, "Invalid character escape sequence.")
			}
			value.WriteRune(r)
			l.next += length
		default:
			value.WriteByte(c)
			l.next++
		}
	}
	return token{}, l.fail(l.next, "Unterminated string.")
}

var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads the escape sequence at the beginning of text; its length is 0 if
// there is none.
func escape(text string) (r rune, length int) {
	if len(text) < 2 {
		return 0, 0
	}
	if text[1] != 'u' {
		if r, known := escapes[text[1]]; known {
			return r, 2
		}
		return 0, 0
	}
	if strings.HasPrefix(text[2:], "{") {
		end := strings.IndexByte(text, '}')
		if r, ok := hexadecimal(text, 3, end); ok && utf8.ValidRune(r) {
			return r, end + 1
		}
		return 0, 0
	}
	r, ok := hexadecimal(text, 2, 6)
	if !ok {
		return 0, 0
	}
	if utf8.ValidRune(r) {
		return r, 6
	}
	low, ok := hexadecimal(text, 8, 12)
	if r = utf16.DecodeRune(r, low); !ok || text[6:8] != `\u` || r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

func hexadecimal(text string, from, to int) (r rune, ok bool) {
	if from >= to || to > len(text) {
		return 0, false
	}
	for _, c := range []byte(text[from:to]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if c < '0' || digit < 0 || r > utf8.MaxRune {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}

func (l *lexer) block() (token, *Error) {
	at := l.position(l.next)
	l.next += 3
	lines := []string{}
	var line strings.Builder
	for l.next < len(l.text) {
		rest := l.text[l.next:]
		switch {
		case strings.HasPrefix(rest, `"""`):
			l.next += 3
			return token{blockToken, dedented(append(lines, line.String())), at}, nil
		case strings.HasPrefix(rest, `\"""`):
			line.WriteString(`"""`)
			l.next += 4
		case rest[0] == '\n' || rest[0] == '\r':
			lines = append(lines, line.String())
			line.Reset()
			l.next = afterLineEnd(l.text, l.next)
			l.newLine(l.next)
		default:
			line.WriteByte(rest[0])
			l.next++
		}
	}
	return token{}, l.fail(l.next, "Unterminated string.")
}

// dedented removes the common indentation of all lines but the first, and empty
// lines at both ends, from a block string.
func dedented(lines []string) string {
	const white = " \t"
	indent := -1
	for _, line := range lines[1:] {
		if text := strings.TrimLeft(line, white); text != "" && (indent < 0 || len(line)-len(text) < indent) {
			indent = len(line) - len(text)
		}
	}
	first, last := len(lines), -1
	for i, line := range lines {
		if i > 0 && indent > 0 {
			lines[i] = line[min(indent, len(line)):]
		}
		if strings.TrimLeft(line, white) != "" {
			first, last = min(first, i), i
		}
	}
	return strings.Join(lines[min(first, last+1):last+1], "\n")
}
