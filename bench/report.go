package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// report collects the measurements and prints them at the end.
type report struct {
	machine string
	tables  []figures
	sheets  []sheet
	ratios  []ratio
}

// sheet is a table outside of contests, headings first.
type sheet [][]string

func (s *sheet) add(cells ...string) { *s = append(*s, cells) }

// figures are the absolute numbers of one contest.
type figures struct {
	title  string
	scores []score
}

// ratio is one comparison, and its target.
type ratio struct {
	section string
	what    string
	figure  string
	beside  string // what the figure is compared with
	value   float64
	want    want
}

// want is the target of a ratio; the zero want is none.
type want struct {
	bound float64
	most  bool
}

func atLeast(bound float64) want { return want{bound: bound} }
func atMost(bound float64) want  { return want{bound: bound, most: true} }

func (w want) String() string {
	switch {
	case w.bound == 0:
		return ""
	case w.most:
		return "≤ " + strconv.FormatFloat(w.bound, 'g', -1, 64)
	}
	return "≥ " + strconv.FormatFloat(w.bound, 'g', -1, 64)
}

func (w want) verdict(value float64) string {
	switch {
	case w.bound == 0:
		return ""
	case w.most == (value <= w.bound), value == w.bound:
		return "yes"
	}
	return "NO"
}

func (r *report) add(row ratio) { r.ratios = append(r.ratios, row) }

func (r *report) figures(title string, scores []score) {
	r.tables = append(r.tables, figures{title, scores})
}

// text is the figures of each contest, then all ratios, as tables that Markdown
// understands.
func (r *report) text() string {
	var b strings.Builder
	b.WriteString("\n" + r.machine + "\n\n")
	for _, t := range r.tables {
		rows := [][]string{{t.title, "a second", "p50 ms", "p99 ms", "server's processor µs each", "bytes each"}}
		for _, s := range t.scores {
			rows = append(rows, []string{s.name, count(int(s.rate())), fmt.Sprintf("%.2f", s.p50()), fmt.Sprintf("%.2f", median(s.p99s)),
				orDash(median(s.processor)), orDash(float64(s.bytes))})
		}
		table(&b, rows)
	}
	for _, s := range r.sheets {
		table(&b, s)
	}
	rows := [][]string{{"section", "what", "figure", "beside", "ratio", "wanted", "met"}}
	for _, x := range r.ratios {
		value := ""
		if x.value != 0 {
			value = short(x.value)
		}
		rows = append(rows, []string{x.section, x.what, x.figure, x.beside, value, x.want.String(), x.want.verdict(x.value)})
	}
	table(&b, rows)
	return b.String()
}

func table(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(b, "| %-*s ", widths[i], cell)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, width := range widths {
				b.WriteString("|" + strings.Repeat("-", width+2))
			}
			b.WriteString("|\n")
		}
	}
	b.WriteString("\n")
}

func short(f float64) string {
	if f >= 10 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

func orDash(f float64) string {
	if f == 0 {
		return "–"
	}
	return count(int(f))
}

// count formats a number with separated thousands.
func count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func perSecond(rate float64) string { return count(int(rate)) + "/s" }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }
