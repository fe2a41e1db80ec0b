package gql

import (
	"math"
	"strconv"
	"unicode/utf8"
)

func appendInt(to []byte, v int) []byte { return strconv.AppendInt(to, int64(v), 10) }

// appendFloat writes a number as encoding/json does: the shortest that reads
// back the same, with an exponent only where it is very large or small.
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

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string. What is not UTF-8 becomes U+FFFD.
func appendString(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= ' ' && b != '"' && b != '\\' && b < utf8.RuneSelf {
			i++
			continue
		}
		if b >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			to = append(append(to, s[start:i]...), `\ufffd`...)
		} else {
			to = appendEscape(append(to, s[start:i]...), b)
		}
		i++
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
