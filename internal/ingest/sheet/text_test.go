package sheet

import (
	"io"
	"reflect"
	"strings"
	"testing"
)

func readText(text string, separator byte) ([]Row, error) {
	rows := NewText(strings.NewReader(text), separator)
	var all []Row
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, row)
	}
}

func TestTextIsCutIntoCells(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       [][]string
	}{
		{"plain", "a;b\nc;\n", [][]string{{"a", "b"}, {"c", ""}}},
		{"no line end at the end", "a;b", [][]string{{"a", "b"}}},
		{"CRLF", "a\r\nb\r\n", [][]string{{"a"}, {"b"}}},
		{"CR", "a;1\rb;2\r", [][]string{{"a", "1"}, {"b", "2"}}},
		{"blank lines stay", "a\n\nb\n", [][]string{{"a"}, {""}, {"b"}}},
		{"quoted separator and line end", "\"a;1\nb\";c\n", [][]string{{"a;1\nb", "c"}}},
		{"doubled quote", `"say ""hi""";x`, [][]string{{`say "hi"`, "x"}}},
		{"quote within", `2" pipe;kg`, [][]string{{`2" pipe`, "kg"}}},
		{"text behind a quote", "\"Process\" one;kg\nnext;p\n", [][]string{{`"Process" one`, "kg"}, {"next", "p"}}},
		{"empty quotes", `"";x`, [][]string{{"", "x"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := readText(c.text, ';')
			if err != nil {
				t.Fatal(err)
			}
			var got [][]string
			for _, r := range rows {
				got = append(got, r.Cells)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLinesAreCountedThroughQuotes(t *testing.T) {
	rows, err := readText("a\n\"b\nc\r\nd\"\ne\n", ';')
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	if rows[1].Line != 2 || rows[2].Line != 5 {
		t.Errorf("lines %d and %d, want 2 and 5", rows[1].Line, rows[2].Line)
	}
}

func TestTextIsBounded(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"quote never closed", "a\nb;\"c\nd\n", "line 2: a quoted cell is not closed"},
		{"long cell", strings.Repeat("x", maxCell+1), "line 1: a cell is longer than"},
		{"long quoted cell", "\n\"" + strings.Repeat("x\n", maxCell), "line 2: a cell is longer than"},
		{"many columns", strings.Repeat(";", maxColumns+1), "line 1: more than 4096 columns"},
	} {
		if _, err := readText(c.text, ';'); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestSeparatorIsGuessed(t *testing.T) {
	for text, want := range map[string]byte{
		"a,b,c\n1,2,3\n":                   ',',
		"name;value\nx, y;1,5\nz, w;2,5\n": ';',
		"a\tb\n1\t2\n":                     '\t',
		"a|b\n1|2\n":                       '|',
		"Flowable,Context\n\"a;b\",air\n\"c\",air\n": ',',
		"one word": ',',
	} {
		if got := Separator(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, " -2.5 ": -2.5, "1e3": 1000, "0,5": 0.5, "7916.": 7916, "1.5E-03": 0.0015} {
		if got, ok := Number(text); !ok || got != want {
			t.Errorf("%q: %v %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "NaN", "Inf", "0x10", "1_000", "1,000.5,3", "1e999", "(no data)"} {
		if got, ok := Number(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"a;b\n\"c\"\"\";d\r", "\"", "\"a\"b\"c;\n", ";;\r\n;", "\r\r\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows := NewText(strings.NewReader(text), ';')
		line, size := 0, 0
		for {
			row, err := rows.Next()
			if err != nil {
				break
			}
			if row.Line <= line {
				t.Fatalf("line %d after %d", row.Line, line)
			}
			line = row.Line
			for _, c := range row.Cells {
				size += len(c)
			}
		}
		if size > len(text) {
			t.Fatalf("%d bytes of %d", size, len(text))
		}
		Separator(text)
	})
}
