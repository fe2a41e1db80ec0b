package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"cradle/internal/lci"
)

// hint prints something that is not a result.
func (a *app) hint(format string, args ...any) {
	fmt.Fprintf(a.err, format+"\n", args...)
}

// print writes a result: the document with --json, else the text.
func (a *app) print(document any, format string, args ...any) error {
	if a.global.JSON {
		return a.printJSON(document)
	}
	_, err := fmt.Fprintf(a.out, format+"\n", args...)
	return err
}

func (a *app) printJSON(document any) error {
	text, err := encode(document)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", text)
	return err
}

func encode(document any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(document)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// width is how many columns a line of hints may have.
func (a *app) width() int {
	const enough, least = 120, 40
	if f, ok := a.err.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return max(columns, least)
		}
	}
	return enough
}

// cut shortens a text to a number of characters.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// table writes rows in aligned columns, the first of them the heading.
func (a *app) table(rows [][]string) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// stamp is a time as it is printed.
type stamp time.Time

const stampForm = "2006-01-02T15:04:05.000Z07:00"

func (s stamp) String() string { return time.Time(s).UTC().Format(stampForm) }

func (s stamp) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func stampOf(at *time.Time) *stamp {
	if at == nil {
		return nil
	}
	s := stamp(*at)
	return &s
}

// clock formats a time for a table, in local time.
func clock(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.Local().Format("2006-01-02 15:04:05")
}

// idOrNull is an id in a document, null for none.
func idOrNull(id lci.ID) *lci.ID {
	if id.IsZero() {
		return nil
	}
	return &id
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orDash shows an empty text as a dash.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func (s stamp) clock() string {
	at := time.Time(s)
	return clock(&at)
}

// arrayWriter prints the elements of a JSON array as they arrive.
type arrayWriter struct {
	out  io.Writer
	rows int
}

func (w *arrayWriter) element(document any) error {
	text, err := encode(document)
	if err != nil {
		return err
	}
	separator := ",\n"
	if w.rows++; w.rows == 1 {
		separator = "\n"
	}
	_, err = fmt.Fprintf(w.out, "%s%s", separator, text)
	return err
}
