package formula

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	end kind = iota
	number
	name
	quoted
	sign // an operator, a bracket or a separator
)

type token struct {
	kind  kind
	text  string // signs in one spelling: "=" for "==", "<>" for "!=", "^" for "**"
	value float64
	at    int
}

type lexer struct {
	text   string
	pos    int
	syntax Syntax
}

// pairs are operators of two characters, and their meaning.
var pairs = map[string]string{"<=": "<=", ">=": ">=", "<>": "<>", "!=": "<>", "==": "=", "**": "^", "&&": "and", "||": "or", "//": "div"}

func (l *lexer) next() (token, error) {
	rest := strings.TrimLeftFunc(l.text[l.pos:], unicode.IsSpace)
	l.pos = len(l.text) - len(rest)
	t := token{at: l.pos + 1}
	if rest == "" {
		return t, nil
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isDigit(r) || l.isPoint(r) && len(rest) > 1 && isDigit(rune(rest[1])):
		return l.number(rest)
	case unicode.IsLetter(r) || r == '_':
		return l.take(token{kind: name, at: t.at}, nameLength(rest)), nil
	case r == '\'' || r == '"':
		n := strings.IndexByte(rest[1:], byte(r))
		if n < 0 {
			return t, fmt.Errorf("the quote at %d is not closed", t.at)
		}
		t = l.take(token{kind: quoted, at: t.at}, n+2)
		t.text = t.text[1 : len(t.text)-1]
		return t, nil
	}
	if len(rest) > 1 {
		if meaning, ok := pairs[rest[:2]]; ok {
			l.pos += 2
			return token{kind: sign, text: meaning, at: t.at}, nil
		}
	}
	if !strings.ContainsRune("+-*/^%()<>=;,&|!·×", r) {
		return t, fmt.Errorf("unexpected %q at %d", r, t.at)
	}
	t = l.take(token{kind: sign, at: t.at}, size)
	switch t.text {
	case "&":
		t.text = "and"
	case "|":
		t.text = "or"
	case "!":
		t.text = "not"
	case "·", "×":
		t.text = "*"
	}
	return t, nil
}

func (l *lexer) take(t token, n int) token {
	t.text = l.text[l.pos : l.pos+n]
	l.pos += n
	return t
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func (l *lexer) isPoint(r rune) bool { return r == '.' || r == ',' && l.syntax.DecimalComma }

func nameLength(s string) int {
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' {
			return i
		}
	}
	return len(s)
}

// number reads digits, a point and more of them, and a power of ten.
func (l *lexer) number(rest string) (token, error) {
	n, point := 0, false
	for n < len(rest) && (isDigit(rune(rest[n])) || !point && l.isPoint(rune(rest[n]))) {
		point = point || !isDigit(rune(rest[n]))
		n++
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		m := n + 1
		if m < len(rest) && (rest[m] == '+' || rest[m] == '-') {
			m++
		}
		digits := m
		for m < len(rest) && isDigit(rune(rest[m])) {
			m++
		}
		if m > digits {
			n = m
		}
	}
	t := l.take(token{kind: number, at: l.pos + 1}, n)
	v, err := strconv.ParseFloat(strings.Replace(t.text, ",", ".", 1), 64)
	if err != nil {
		return t, fmt.Errorf("%q at %d is not a number", shortened(t.text), t.at)
	}
	t.value = v
	return t, nil
}
