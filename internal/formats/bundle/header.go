package bundle

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cradle/internal/ingest"
)

// readHeader reads the header row. Without a valid one there are no rows.
func (c *cursor[R]) readHeader() {
	record, ok := c.record()
	if c.malformed {
		c.stop()
		return
	}
	if !ok {
		if c.err == nil {
			c.noteAt(1, "", "the file has no header row")
		}
		return
	}
	c.header = make([]string, len(record))
	for i, name := range record {
		c.header[i] = strings.TrimSpace(name)
	}
	c.headline, _ = c.csv.FieldPos(0)
	c.line = c.headline
	if c.headerIsReadable() {
		c.bind()
	} else {
		c.stop()
	}
}

func (c *cursor[R]) headerIsReadable() bool {
	switch {
	case !utf8.ValidString(strings.Join(c.header, "")):
		c.noteAt(c.headline, "", "the header row is not valid UTF-8")
	case len(c.header) > maxColumns:
		c.noteAt(c.headline, "", "the file has %d columns; at most %d are allowed", len(c.header), maxColumns)
	case len(c.header) == 1 && strings.ContainsAny(c.header[0], ";\t"):
		c.noteAt(c.headline, "", "the columns must be separated by commas")
	default:
		return true
	}
	return false
}

// bind finds the position of each column.
func (c *cursor[R]) bind() {
	c.columns = make([]*column[R], len(c.header))
	for i, name := range c.header {
		c.columns[i] = c.table.column(name)
		switch {
		case name == "":
			c.warn("column %d has no name and is ignored", i+1)
		case slices.Index(c.header, name) < i:
			c.noteAt(c.headline, c.columnName(i), "the column appears twice")
		case c.columns[i] == nil:
			c.warn("unknown column %s is ignored", quote(name))
		}
	}
	for _, col := range c.table.columns {
		if col.required && !slices.Contains(c.header, col.name) {
			c.partial = true
			c.noteAt(c.headline, col.name, "the required column is missing")
		}
	}
}

func (c *cursor[R]) warn(format string, args ...any) {
	c.warnings = append(c.warnings,
		ingest.Warning{File: c.table.file, Line: c.headline, Message: fmt.Sprintf(format, args...)})
}
