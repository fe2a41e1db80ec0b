package xmlstream

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// outline formats a document's elements in a line: name{attribute=value}(text
// children).
func outline(in io.Reader) (string, error) {
	r, err := NewReader(in)
	if err != nil {
		return "", err
	}
	root, err := r.Root()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := describe(&b, root); err != nil {
		return "", err
	}
	return b.String(), r.Close()
}

func describe(b *strings.Builder, e *Element) error {
	b.WriteString(e.Name)
	for _, a := range e.attributes {
		fmt.Fprintf(b, "{%s=%s}", a.name, e.Attr(a.name))
	}
	b.WriteByte('(')
	err := e.Each(func(child *Element) error {
		if strings.HasPrefix(child.Name, "t") {
			text, err := child.Text()
			fmt.Fprintf(b, "%s%q", child.Name, text)
			return err
		}
		return describe(b, child)
	})
	b.WriteByte(')')
	return err
}

func TestReads(t *testing.T) {
	for _, c := range []struct{ name, document, want string }{
		{"an empty element", `<a/>`, "a()"},
		{"nested elements", `<a><b><c/></b><b/></a>`, "a(b(c())b())"},
		{"a text", `<a><t> one <!-- not this -->two </t></a>`, `a(t"one two")`},
		{"a text's children", `<a><t>one <b>two</b></t></a>`, `a(t"one two")`},
		{"attributes in either quotes", `<a b="1" c='2"3'/>`, `a{b=1}{c=2"3}()`},
		{"> in a value", `<a b="1>2"/>`, `a{b=1>2}()`},
		{"blanks around =", "<a b =\n'1' />", `a{b=1}()`},
		{"XML's own entities", `<a b="&lt;&quot;&#x41;&#66;"><t>&amp;&apos;&gt;</t></a>`, `a{b=<"AB}(t"&'>")`},
		{"an escaped line break stays one", "<a b='1&#10;2\n3'/>", "a{b=1\n2 3}()"},
		{"line breaks of other systems", "<a><t>1\r\n2\r3</t></a>", `a(t"1\n2\n3")`},
		{"character data", `<a><t><![CDATA[<b>&amp;]]></t></a>`, `a(t"<b>&amp;")`},
		{"a stylesheet", "<?xml version='1.0'?>\n<?xml-stylesheet href='x.xsl'?><a/>\n", "a()"},
		{"what is passed over", `<a><u><v/></u><t>x</t></a>`, `a(u(v())t"x")`},
		{"beyond ASCII", "<a b='Gebäude'><t>天工</t></a>", `a{b=Gebäude}(t"天工")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(c.document), iotest.OneByteReader(strings.NewReader(c.document))} {
				got, err := outline(in)
				if err != nil || got != c.want {
					t.Errorf("got %s, %v; want %s", got, err, c.want)
				}
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	laughs := `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]><a>&lol2;</a>`
	for _, c := range []struct{ name, document, want string }{
		{"billion laughs", laughs, "line 1: document types (DOCTYPE) are not allowed"},
		{"an external entity", "\n<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "line 2: document types (DOCTYPE) are not allowed"},
		{"an entity of its own", "<a>\n&xxe;</a>", "the entity &xxe; is not defined in XML"},
		{"another declaration", `<!ELEMENT a ANY><a/>`, "markup declarations are not allowed"},
		{"deep nesting", strings.Repeat("<a>", 1000), "nested more than 64 levels deep"},
		{"too many attributes", "<a " + strings.Repeat(" b:a='1'", 200) + "/>", "more than 128 attributes"},
		{"too many namespaces", strings.Repeat("<a "+strings.Repeat("xmlns:b='c' ", 30)+">", 20), "more than 256 namespaces"},
		{"an endless value", `<a b="` + strings.Repeat("x", 9<<20), "longer than 8388608 bytes"},
		{"an endless name", "<" + strings.Repeat("x", 9<<20), "longer than 8388608 bytes"},
		{"a long text", "<a><t>" + strings.Repeat("<b>"+strings.Repeat("x", 1<<20)+"</b>", 17), "is longer than 16777216 bytes"},
		{"nothing", "", "there is no element"},
		{"text only", "hello", "there is text before the first element"},
		{"a cut document", "<a>\n<b>", "line 2: the document ends inside b"},
		{"a cut tag", "<a><b c='", "the document ends in the middle of a tag"},
		{"a cut comment", "<a><!-- ", "the document ends in the middle of a tag"},
		{"the wrong end", "<a>\n\n</b>", "line 3: b ends where a should"},
		{"a second root", "<a/><a/>", "there is more data after the last element"},
		{"an attribute twice", `<a b="1" b="2"/>`, "has the attribute b twice"},
		{"an attribute without value", `<a b/>`, `not written name="value"`},
		{"< in a value", `<a b="<"/>`, `not written name="value"`},
		{"a bare &", `<a><t>a & b</t></a>`, "a single & must be written"},
		{"an undeclared prefix", `<x:a/>`, "the prefix of x:a is not declared"},
		{"a control character", "<a>\x01</a>", "the control character U+0001"},
		{"no character", "<a>&#xFFFE;</a>", "&#xFFFE; is not a character"},
		{"broken UTF-8", "<a>\n\xff</a>", "the text is not UTF-8; declare its encoding"},
		{"an unknown encoding", `<?xml version="1.0" encoding="klingon"?><a/>`, `the encoding "klingon" is not known`},
		{"half a UTF-16 pair", "\xff\xfe<\x00a\x00>\x00\x00\xd8", "does not match the declared encoding"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := outline(strings.NewReader(c.document))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	const text = "Äquivalent – “5 µg” €"
	document := func(name string) string {
		return `<?xml version="1.0" encoding="` + name + `"?><a><t>` + text + `</t></a>`
	}
	encoded := func(e encoding.Encoding, s string) string {
		out, err := e.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct{ name, document string }{
		{"UTF-8", document("UTF-8")},
		{"UTF-8 with a mark", "\xEF\xBB\xBF" + document("utf-8")},
		{"a mark says more than a wrong declaration", "\xEF\xBB\xBF" + document("iso-8859-1")},
		{"UTF-8 declared as UTF-16", document("utf-16")},
		{"windows-1252", encoded(charmap.Windows1252, document("windows-1252"))},
		{"windows-1252 declared as ISO-8859-1", encoded(charmap.Windows1252, document("ISO-8859-1"))},
		{"UTF-16, little end first", encoded(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), document("UTF-16"))},
		{"UTF-16, big end first", encoded(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), document("UTF-16"))},
		{"UTF-16 without a mark", encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), document("UTF-16"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := outline(strings.NewReader(c.document))
			if want := `a(t"` + text + `")`; err != nil || got != want {
				t.Errorf("got %s, %v; want %s", got, err, want)
			}
		})
	}
	chinese := encoded(simplifiedchinese.GBK, `<?xml version="1.0" encoding="gb2312"?><a><t>钢</t></a>`)
	if got, err := outline(strings.NewReader(chinese)); err != nil || got != `a(t"钢")` {
		t.Errorf("GB2312: got %s, %v", got, err)
	}
}

func TestNamespaces(t *testing.T) {
	r, err := NewReader(strings.NewReader(`<a xmlns="one" xmlns:p="two"><b/><p:c p:d="1" d="2" e="3"/><b xmlns=""/><b xmlns="three"><b/></b><b/></a>`))
	if err != nil {
		t.Fatal(err)
	}
	root, err := r.Root()
	if err != nil {
		t.Fatal(err)
	}
	var spaces []string
	err = root.Each(func(e *Element) error {
		spaces = append(spaces, e.Space)
		if e.Name == "c" && (e.Attr("d") != "2" || e.Attr("e") != "3" || !e.Has("d") || e.Has("f")) {
			t.Errorf("attributes: %q %q", e.Attr("d"), e.Attr("e"))
		}
		return nil
	})
	if want := []string{"one", "two", "", "three", "one"}; err != nil || fmt.Sprint(spaces) != fmt.Sprint(want) {
		t.Errorf("got %q, %v; want %q", spaces, err, want)
	}
}

func TestLines(t *testing.T) {
	r, err := NewReader(strings.NewReader("<?xml version='1.0'?>\n<a>\n\n<b\nc='1'\n/>\n<!--\n--><b/>\n</a>"))
	if err != nil {
		t.Fatal(err)
	}
	root, err := r.Root()
	if err != nil {
		t.Fatal(err)
	}
	lines := []int{root.Line}
	err = root.Each(func(e *Element) error {
		lines = append(lines, e.Line)
		return nil
	})
	if want := []int{2, 4, 8}; err != nil || fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("got %v, %v; want %v", lines, err, want)
	}
}

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64
		ok   bool
	}{
		{"1", 1, true}, {" -1.5E-3 ", -0.0015, true}, {"+2", 2, true}, {".5", 0.5, true},
		{"", 0, false}, {"NaN", 0, false}, {"1e-999", 0, true},
	} {
		got, ok, err := ParseNumber(c.in)
		if got != c.want || ok != c.ok || err != nil {
			t.Errorf("%q: got %v, %v, %v", c.in, got, ok, err)
		}
	}
	for _, in := range []string{"1e999", "INF", "-INF", "Infinity", "0x10", "1_000", "1,5", "one", "1 2", strings.Repeat("9", 1000)} {
		if got, ok, err := ParseNumber(in); err == nil || ok || got != 0 {
			t.Errorf("%q: got %v, %v", in, got, ok)
		}
	}
}
