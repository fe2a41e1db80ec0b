package simapro

import (
	"bufio"
	"strings"
	"time"
)

// A Header is the lines at the top of an export. They are in braces, except in
// some versions of SimaPro 8.
type Header struct {
	Program   string // "SimaPro 9.1.0.7"
	Project   string
	Separator byte
	Decimal   byte   // '.' or ','
	Date      string // the layout of dates, in Go's terms
}

// parseHeader parses the header at the beginning of a file. Missing settings are
// SimaPro's defaults, or guessed from the text.
func parseHeader(head string) Header {
	h := Header{Separator: ';', Decimal: '.', Date: "2006-01-02"}
	format, dateSeparator, told := "", "", false
	lines := bufio.NewScanner(strings.NewReader(strings.ReplaceAll(head, "\r", "\n")))
	lines.Buffer(nil, len(head)+1)
	for lines.Scan() {
		line := strings.Trim(lines.Text(), " \t;,\"\ufeff")
		if line == "" {
			continue
		}
		if !isHeader(line) {
			break
		}
		key, value, _ := strings.Cut(strings.Trim(line, "{}"), ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "csv separator":
			h.Separator, told = separatorOf(value), true
		case "decimal separator":
			if value == "," || value == "" { // without braces it was cut off with the empty cells after it
				h.Decimal = ','
			}
		case "date separator":
			dateSeparator = value
		case "short date format":
			format = value
		case "project":
			h.Project = value
		default:
			if strings.HasPrefix(key, "SimaPro") {
				h.Program = key
			}
		}
	}
	if !told {
		h.Separator = likelySeparator(head)
	}
	if format != "" {
		h.Date = dateLayout(format, dateSeparator)
	}
	return h
}

// isHeader reports whether a line above the first block is part of the header:
// the names of blocks have no colon.
func isHeader(line string) bool {
	switch line {
	case "processes", "methods", "product stages": // what the export contains
		return true
	}
	return strings.HasPrefix(line, "{") || strings.HasPrefix(line, "SimaPro") || strings.Contains(line, ":")
}

func separatorOf(name string) byte {
	switch strings.ToLower(name) {
	case "comma", ",":
		return ','
	case "tab", "\t", "":
		return '\t'
	}
	return ';'
}

func likelySeparator(head string) byte {
	best := byte(';')
	for _, c := range []byte{'\t', ','} {
		// a comma stands in many names; it has to be far more frequent
		if strings.Count(head, string(c)) > 3*strings.Count(head, string(best)) {
			best = c
		}
	}
	return best
}

// dateLayout turns dd.MM.yyyy into 02.01.2006.
func dateLayout(format, separator string) string {
	if separator != "" {
		format = strings.ReplaceAll(format, "/", separator)
	}
	return strings.NewReplacer("yyyy", "2006", "yy", "06", "MMMM", "January", "MMM", "Jan",
		"MM", "01", "M", "1", "dd", "02", "d", "2").Replace(format)
}

// day returns a date as YYYY-MM-DD, "" if it is not a date.
func (h Header) day(text string) string {
	for _, layout := range []string{h.Date, "2006-01-02", "2.1.2006", "1/2/2006", "2-1-2006"} {
		if d, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return d.Format(time.DateOnly)
		}
	}
	return ""
}
