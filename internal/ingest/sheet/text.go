package sheet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Text reads delimited text. Lines end with LF, CRLF or CR; a cell that begins
// with a quote ends at the matching one and may contain separators, line ends
// and doubled quotes. What follows the closing quote is kept as written, so that
// a stray quote cannot swallow the rest of a file.
type Text struct {
	from      *bufio.Reader
	separator byte
	line      int
	cell      []byte // being read
	width     int    // of the previous line
}

// NewText reads UTF-8 text whose cells are separated by separator.
func NewText(from io.Reader, separator byte) *Text {
	return &Text{from: bufio.NewReaderSize(from, 1<<16), separator: separator, line: 1}
}

// Next returns the next line, even if blank, and io.EOF after the last.
func (t *Text) Next() (Row, error) {
	row := Row{Line: t.line, Cells: make([]string, 0, t.width)}
	for {
		text, end, err := t.readCell()
		if err == io.EOF && len(row.Cells) == 0 && text == "" {
			return Row{}, io.EOF
		}
		if err != nil && err != io.EOF {
			return Row{}, err
		}
		if len(row.Cells) == maxColumns {
			return Row{}, &Error{row.Line, fmt.Sprintf("more than %d columns", maxColumns)}
		}
		row.Cells = append(row.Cells, text)
		if end {
			row.end, t.width = t.line-1, len(row.Cells)
			return row, nil
		}
	}
}

// readCell returns one cell and whether it is the last of its line.
func (t *Text) readCell() (text string, end bool, err error) {
	t.cell = t.cell[:0]
	c, err := t.from.ReadByte()
	if err != nil {
		return "", true, err
	}
	if c == '"' {
		return t.quoted()
	}
	return t.plain(c)
}

func (t *Text) plain(c byte) (string, bool, error) {
	for {
		switch c {
		case t.separator:
			return string(t.cell), false, nil
		case '\n', '\r':
			return string(t.cell), true, t.endLine(c)
		}
		if err := t.keep(c); err != nil {
			return "", true, err
		}
		var err error
		if c, err = t.from.ReadByte(); err == io.EOF {
			return string(t.cell), true, nil
		} else if err != nil {
			return "", true, err
		}
	}
}

func (t *Text) quoted() (string, bool, error) {
	opened := t.line
	for {
		c, err := t.from.ReadByte()
		if err == io.EOF {
			return "", true, &Error{opened, "a quoted cell is not closed"}
		} else if err != nil {
			return "", true, err
		}
		if c == '"' {
			after, err := t.from.ReadByte()
			switch {
			case err == io.EOF:
				return string(t.cell), true, nil
			case err != nil:
				return "", true, err
			case after == '"':
			case after == t.separator:
				return string(t.cell), false, nil
			case after == '\n' || after == '\r':
				return string(t.cell), true, t.endLine(after)
			default:
				t.cell = append(append([]byte{'"'}, t.cell...), '"')
				return t.plain(after)
			}
		}
		if c == '\r' {
			if err := t.endLine(c); err != nil {
				return "", true, err
			}
			c = '\n'
		} else if c == '\n' {
			t.line++
		}
		if err := t.keep(c); err != nil {
			var tooLong *Error
			if errors.As(err, &tooLong) {
				tooLong.Line = opened
			}
			return "", true, err
		}
	}
}

// endLine consumes the LF that may follow a CR.
func (t *Text) endLine(c byte) error {
	t.line++
	if c != '\r' {
		return nil
	}
	switch next, err := t.from.ReadByte(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	case next != '\n':
		return t.from.UnreadByte()
	}
	return nil
}

func (t *Text) keep(c byte) error {
	if len(t.cell) >= maxCell {
		return &Error{t.line, fmt.Sprintf("a cell is longer than %d bytes", maxCell)}
	}
	t.cell = append(t.cell, c)
	return nil
}

// Separator guesses the separator of delimited text from its beginning: the one
// of comma, semicolon, tab and bar that cuts the most lines into equally many
// cells.
func Separator(head string) byte {
	best, bestScore := byte(','), 0
	for _, separator := range []byte{',', ';', '\t', '|'} {
		if score := evenness(head, separator); score > bestScore {
			best, bestScore = separator, score
		}
	}
	return best
}

// evenness is higher the more lines have the most common number of cells, and
// the larger that is.
func evenness(head string, separator byte) int {
	widths, lines := map[int]int{}, 0
	rows := NewText(strings.NewReader(head), separator)
	for range 50 {
		row, err := rows.Next()
		if err != nil {
			break
		}
		if row.Blank() {
			continue
		}
		lines++
		widths[len(row.Cells)]++
	}
	best := 0
	for width, n := range widths {
		best = max(best, (width-1)*n*n*100/lines)
	}
	return best
}
