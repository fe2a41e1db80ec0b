package jsonld

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// decode parses a record. It accepts strings in place of numbers or booleans,
// and the reverse.
func decode(text []byte, to any) error {
	err := json.Unmarshal(text, to)
	var typed *json.UnmarshalTypeError
	if !errors.As(err, &typed) {
		return err
	}
	if loose, changed := loosened(text); changed && json.Unmarshal(loose, to) == nil {
		return nil
	}
	return err
}

func fields(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// Fields, of all records, that some tools write with another type.
var (
	flags = fields("referenceUnit", "isRefUnit", "referenceFlowProperty", "isRefFlowProperty", "input", "isInput", "quantitativeReference",
		"isQuantitativeReference", "avoidedProduct", "isAvoidedProduct", "inputParameter", "isInputParameter")
	numbers = fields("conversionFactor", "amount", "costValue", "value", "internalId", "mean", "sd", "geomMean", "geomSd", "minimum", "maximum", "mode")
	words   = fields("version", "lastChange", "cas", "code", "name", "refUnit", "formula", "creationDate", "validFrom", "description")
)

func loosened(text []byte) (loose []byte, changed bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var record any
	if d.Decode(&record) != nil || !loosen(record) {
		return nil, false
	}
	loose, err := json.Marshal(record)
	return loose, err == nil
}

// loosen converts fields to the type they should have, and reports whether any
// had another.
func loosen(value any) bool {
	changed := false
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			changed = loosen(item) || changed
		}
	case map[string]any:
		for name, field := range v {
			if meant, ok := asMeant(name, field); ok {
				v[name], changed = meant, true
			} else {
				changed = loosen(field) || changed
			}
		}
	}
	return changed
}

func asMeant(name string, value any) (any, bool) {
	switch v := value.(type) {
	case string:
		v = strings.TrimSpace(v)
		switch {
		case flags[name] && strings.EqualFold(v, "true"):
			return true, true
		case flags[name] && strings.EqualFold(v, "false"):
			return false, true
		case numbers[name] && strings.Trim(v, "0123456789+-.eE") == "":
			number, err := strconv.ParseFloat(v, 64)
			return number, err == nil
		}
	case json.Number:
		return v.String(), words[name]
	}
	return nil, false
}
