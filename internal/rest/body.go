package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cradle/internal/fault"
)

// mostBody is the largest accepted request body.
const mostBody = 1 << 20

// fields is a JSON object whose values are not parsed yet.
type fields map[string]json.RawMessage

// parseObject parses one JSON object with only known fields. Names are
// case-sensitive; repeated fields and trailing content are refused.
func parseObject(body []byte, known ...string) (fields, error) {
	if !utf8.Valid(body) {
		return nil, fault.Invalidf("The body is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, fault.Invalidf("The body must be one JSON object")
	}
	found := fields{}
	for decoder.More() {
		token, err := decoder.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, malformed(err)
		}
		if !slices.Contains(known, name) {
			return nil, fault.Invalidf("%s is not a field of this request; its fields are %s", strconv.Quote(name), strings.Join(known, ", "))
		}
		if _, again := found[name]; again {
			return nil, fault.Fieldf(name, "is given more than once")
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, malformed(err)
		}
		found[name] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, malformed(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fault.Invalidf("The body has extra data after its JSON object")
	}
	return found, nil
}

func malformed(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fault.Invalidf("The body is not valid JSON (near byte %d)", syntax.Offset)
	}
	return fault.Invalidf("The body is not valid JSON")
}

// integer reads a field that must be a plain JSON integer of at least least. A
// number that overflows counts as the largest int64.
func (f fields) integer(name string, least int64) (int64, error) {
	text := string(f[name])
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, fault.Fieldf(name, "must be an integer of at least %d", least)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && text == digits {
		n = math.MaxInt64
	}
	if n < least {
		return 0, fault.Fieldf(name, "must be an integer of at least %d", least)
	}
	return n, nil
}

// texts reads a field that must be a list of strings.
func (f fields) texts(name string) ([]string, error) {
	raw, given := f[name]
	if !given {
		return nil, fault.Fieldf(name, "is required")
	}
	var list []*string
	if err := json.Unmarshal(raw, &list); err != nil || list == nil || slices.Contains(list, nil) {
		return nil, fault.Fieldf(name, "must be a list of strings")
	}
	texts := make([]string, len(list))
	for i, text := range list {
		texts[i] = *text
	}
	return texts, nil
}
