package gql

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

func appendInt(to []byte, v int) []byte { return strconv.AppendInt(to, int64(v), 10) }

// appendFloat writes a number as encoding/json does: the shortest text that
// reads back the same, with an exponent only for very large or small numbers.
func appendFloat(to []byte, v float64) []byte {
	size := math.Abs(v)
	if size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(to, v, 'f', -1, 64)
	}
	to = strconv.AppendFloat(to, v, 'e', -1, 64)
	if n := len(to); n >= 4 && to[n-4] == 'e' && to[n-3] == '-' && to[n-2] == '0' {
		to[n-2] = to[n-1]
		to = to[:n-1]
	}
	return to
}

// escaped are the bytes below utf8.RuneSelf that must be escaped in a string, or
// that could end a script in an HTML page.
var escaped = func() (is [utf8.RuneSelf]bool) {
	for b := range is {
		is[b] = b < ' ' || strings.IndexByte(`"\<>&`, byte(b)) >= 0
	}
	return is
}()

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string as encoding/json does, so that both spell a
// text alike. Invalid UTF-8 becomes U+FFFD.
func appendString(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if !escaped[b] {
				i++
				continue
			}
			to = appendEscape(append(to, s[start:i]...), b)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			to = append(append(to, s[start:i]...), `\ufffd`...)
		case r == '\u2028' || r == '\u2029': // line ends in JavaScript
			to = append(append(to, s[start:i]...), `\u202`...)
			to = append(to, hexDigits[r&0xF])
		default:
			i += size
			continue
		}
		i += size
		start = i
	}
	return append(append(to, s[start:]...), '"')
}

func appendEscape(to []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(to, '\\', b)
	case '\b':
		return append(to, '\\', 'b')
	case '\f':
		return append(to, '\\', 'f')
	case '\n':
		return append(to, '\\', 'n')
	case '\r':
		return append(to, '\\', 'r')
	case '\t':
		return append(to, '\\', 't')
	}
	return append(to, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xF])
}
