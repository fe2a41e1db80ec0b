package rest

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/library"
)

// parseQuery parses the parameters of a list. Errors name the parameter.
func parseQuery(raw string) (library.Query, error) {
	q := library.Query{Limit: library.DefaultLimit}
	if raw == "" {
		return q, nil
	}
	values, err := parseValues(raw)
	if err != nil {
		return q, err
	}
	// Anything other than an integer is out of range, too.
	if text, ok := values["limit"]; ok {
		if q.Limit, ok = plainInteger(text); !ok {
			q.Limit = 0
		}
	}
	if text, ok := values["offset"]; ok {
		if q.Offset, ok = plainInteger(text); !ok {
			q.Offset = -1
		}
	}
	if q.Pulled, err = flag(values, "pulled"); err != nil {
		return q, err
	}
	q.Search = strings.TrimSpace(values["search"])
	return q, q.Check()
}

// parseValues parses a query string. It refuses repeated parameters because it
// is unclear which of them is meant.
func parseValues(raw string) (map[string]string, error) {
	parsed, err := gateway.ParseQuery(raw)
	if err != nil {
		return nil, fault.Invalidf("The query string is malformed")
	}
	values := make(map[string]string, len(parsed))
	for name, all := range parsed {
		if len(all) > 1 {
			switch name {
			case "limit", "offset", "pulled", "search", "quote", "format":
				return nil, fault.Fieldf(name, "is given more than once")
			}
		}
		values[name] = all[0]
	}
	return values, nil
}

// parseQuote parses the parameters of a pull. It refuses any other than quote: a
// misspelt one must not spend credits.
func parseQuote(raw string) (bool, error) {
	values, err := parseValues(raw)
	if err != nil {
		return false, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "quote" {
			return false, fault.Invalidf("%s is not a parameter of this request; the only one is quote", fault.Quoted(name))
		}
	}
	return flag(values, "quote")
}

// flag reads a parameter that is true or false, false when left out.
func flag(values map[string]string, name string) (bool, error) {
	switch text, given := values[name]; {
	case !given || text == "false":
		return false, nil
	case text == "true":
		return true, nil
	}
	return false, fault.Fieldf(name, "must be true or false")
}

// plainInteger parses digits with an optional minus sign. A number that
// overflows counts as the largest int.
func plainInteger(text string) (int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil && text != digits {
		return math.MinInt, true
	}
	if err != nil {
		return math.MaxInt, true
	}
	return n, true
}
