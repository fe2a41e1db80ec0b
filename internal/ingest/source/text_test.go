package source

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

func entry(name string, content []byte) *Entry {
	return &Entry{Name: name, Size: int64(len(content)), limits: DefaultLimits, open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

func utf16le(text string) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return b
}

func TestSniff(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		want    Content
	}{
		"nothing":          {nil, Content{Kind: Empty}},
		"only space":       {[]byte(" \n\t\n"), Content{Kind: Empty}},
		"gzip":             {gzipped(t, []byte("x")), Content{Kind: Gzip}},
		"zip":              {zipOf(t, library...), Content{Kind: Zip}},
		"workbook":         {workbook(t), Content{Kind: Workbook}},
		"binary":           {[]byte("\x00\x01\x02\x03\x04"), Content{Kind: Binary}},
		"object":           {[]byte("\xEF\xBB\xBF{\n  \"@id\": 1}"), Content{Kind: JSON, Line: "{"}},
		"array":            {[]byte(`[{"@id": 1}]`), Content{Kind: JSON, Line: `[{"@id": 1}]`}},
		"simapro header":   {[]byte("{SimaPro 9.1}\r\n{processes}"), Content{Kind: Text, Line: "{SimaPro 9.1}"}},
		"table":            {[]byte("name;unit\r\nsteel;kg\r\n"), Content{Kind: Table, Line: "name;unit"}},
		"table in UTF-16":  {append([]byte("\xFF\xFE"), utf16le("näme,unit\n")...), Content{Kind: Table, Line: "näme,unit"}},
		"table in Latin-1": {[]byte("n\xE4me,unit\n"), Content{Kind: Table, Line: "näme,unit"}},
		"yaml":             {[]byte("# materials\nname: steel\n"), Content{Kind: YAML, Line: "# materials"}},
		"yaml document":    {[]byte("---\n- a\n"), Content{Kind: YAML, Line: "---"}},
		"text":             {[]byte("Read me first\n"), Content{Kind: Text, Line: "Read me first"}},
		"xml": {[]byte(`<?xml version="1.0" encoding="UTF-8"?><!-- made by --><e:ecoSpold xmlns:e="urn:two"/>`),
			Content{Kind: XML, Root: "ecoSpold", Namespace: "urn:two"}},
		"xml in Latin-1": {[]byte(`<?xml version="1.0" encoding="ISO-8859-1"?><a x="` + "\xE4" + `"/>`), Content{Kind: XML, Root: "a"}},
		"xml in UTF-16":  {utf16le(`<?xml version="1.0" encoding="UTF-16"?><a/>`), Content{Kind: XML, Root: "a"}},
		"xml after a long comment": {[]byte("<!--" + strings.Repeat("x", 10_000) + "--><a/>"),
			Content{Kind: XML, Root: "a"}},
		"xml with a document type": {[]byte("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"),
			Content{Kind: XML, Flaw: "line 1: document types (DOCTYPE) are not allowed, because they can load entities and other files"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := entry("a", c.content).Sniff()
			if err != nil {
				t.Fatal(err)
			}
			if c.want.Kind == XML {
				got.Line = ""
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestSniffCutsCharactersInTwo(t *testing.T) {
	for shift := range 4 {
		text := strings.Repeat("x", shift) + strings.Repeat("€", 3_000)
		got, err := entry("a", []byte(text)).Sniff()
		if err != nil || got.Kind != Text || !strings.HasPrefix(text, got.Line) {
			t.Errorf("%d: %+v, %v", shift, got, err)
		}
	}
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"plain":              {[]byte("µg"), "µg"},
		"marked":             {[]byte("\xEF\xBB\xBFµg"), "µg"},
		"UTF-16":             {append([]byte("\xFF\xFE"), utf16le("µg €")...), "µg €"},
		"UTF-16, big end":    {[]byte("\xFE\xFF\x00\xB5\x00g"), "µg"},
		"UTF-16, unmarked":   {utf16le("name µ"), "name µ"},
		"windows-1252":       {[]byte("\xB5g \x80"), "µg €"},
		"late windows-1252":  {[]byte(strings.Repeat("x", 200_000) + "\xB5g"), strings.Repeat("x", 200_000) + "µg"},
		"nothing":            {nil, ""},
		"cut at the buffer":  {[]byte(strings.Repeat("x", 64<<10-1) + "µ€"), strings.Repeat("x", 64<<10-1) + "µ€"},
		"one character only": {[]byte("€"), "€"},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := entry("a", c.content).Text()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			got, err := io.ReadAll(in)
			if err != nil || string(got) != c.want {
				t.Errorf("got %.40q, %v, want %.40q", got, err, c.want)
			}
		})
	}
}

func TestBrokenUTF8NamesTheLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"in the middle":        {"µ\nµµ\nx\xB5y\n", "line 3 is not valid UTF-8"},
		"at the end":           {"µµ\n\xE2\x82", "line 2 is not valid UTF-8"},
		"at the very start":    {"\xB5 µµ", "line 1 is not valid UTF-8"},
		"a surrogate":          {"µµµµ\n\xED\xA0\x80", "line 2 is not valid UTF-8"},
		"overlong":             {"µµµ\n\n\n\xC0\xAF", "line 4 is not valid UTF-8"},
		"cut short, then more": {"µµµ\n\xE2x", "line 2 is not valid UTF-8"},
	} {
		for way, read := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader, "with the end": iotest.DataErrReader,
		} {
			t.Run(name+" "+way, func(t *testing.T) {
				_, err := io.ReadAll(UTF8.Reader(read(strings.NewReader(c.text))))
				if err == nil || err.Error() != c.want {
					t.Errorf("got %v, want %q", err, c.want)
				}
			})
		}
	}
}

func FuzzUTF8(f *testing.F) {
	f.Add([]byte("µ\n€\xB5"), 3)
	f.Add([]byte("\xEF\xBB\xBFx"), 1)
	f.Fuzz(func(t *testing.T, text []byte, step int) {
		got, err := io.ReadAll(UTF8.Reader(&stepping{bytes.NewReader(text), 1 + (step&0xff)%9}))
		if (err == nil) != utf8.Valid(text) {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil && !bytes.Equal(got, bytes.TrimPrefix(text, []byte("\uFEFF"))) {
			t.Fatalf("%q is read as %q", text, got)
		}
	})
}

type stepping struct {
	in   io.Reader
	step int
}

func (s *stepping) Read(p []byte) (int, error) { return s.in.Read(p[:min(len(p), s.step)]) }

func TestSniffReadsTheEncodingsOfXML(t *testing.T) {
	for name, document := range map[string]string{
		"UTF-8":        `<?xml version="1.0" encoding="utf-8"?><a/>`,
		"marked":       "\uFEFF<a/>",
		"windows-1252": `<?xml version="1.0" encoding="windows-1252"?>` + "<!-- \xB5 --><a/>",
		"UTF-16":       "\xFF\xFE" + string(utf16le(`<?xml version="1.0" encoding="UTF-16"?><a/>`)),
		"GB2312":       `<?xml version="1.0" encoding="gb2312"?>` + "<!-- \xB8\xD6 --><a/>",
	} {
		src, err := OpenFS(fstest.MapFS{"a": {Data: []byte(document)}})
		if err != nil {
			t.Fatal(err)
		}
		if c, err := src.Entries[0].Sniff(); err != nil || c.Kind != XML || c.Root != "a" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func TestSeenTellsWhyXMLCannotBeRead(t *testing.T) {
	src, err := OpenFS(fstest.MapFS{"a": {Data: []byte(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa">]><l>&a;</l>`)}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := src.Seen(), "XML that cannot be read (line 1: document types (DOCTYPE) are not allowed"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever its bytes, opening a file terminates, and if it can be opened its
// content can be detected.
func FuzzOpen(f *testing.F) {
	f.Add(zipOf(f, library...))
	f.Add(gzipped(f, tarOf(f, regular(library[0]), regular(library[1]))))
	f.Add(tarOf(f, regular(library[0])))
	f.Add(workbook(f))
	f.Add(utf16le("<a/>"))
	limits := Limits{Entry: 1 << 20, Total: 2 << 20, Entries: 100, Ratio: 100, RatioFrom: 1 << 16, Name: 200, Depth: 8}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := t.TempDir() + "/a"
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := limits.Open(path)
		if err != nil {
			return
		}
		defer src.Close()
		src.Seen()
		for _, e := range src.Entries {
			if e.Ext() == "" && e.Base() == "" {
				t.Errorf("entry %q", e.Name)
			}
			if text, err := e.Text(); err == nil {
				io.Copy(io.Discard, text)
				text.Close()
			}
		}
	})
}
