package xmlstream

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// FuzzReader reads its input like encoding/xml, or refuses it.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		`<a/>`, `<a b="1"><c>text</c></a>`, "<a xmlns='u' xmlns:p='v'><p:b p:c=\"&lt;\"/></a>",
		`<?xml version="1.0" encoding="windows-1252"?><a><![CDATA[x]]><!-- y --></a>`,
		"<a>&#10;&amp;\r\n</a>", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "<a><b></a></b>", "<a b='1' b='2'>",
		"\xff\xfe<\x00a\x00/\x00>\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got, err := retell(document)
		if err != nil {
			return
		}
		want, err := retoldByTheStandard(document)
		if err != nil && !isASCII(document) && strings.Contains(err.Error(), "name") {
			return // encoding/xml restricts the letters beyond ASCII that begin a name
		}
		if err != nil {
			t.Fatalf("read %q as\n%s\nbut encoding/xml refuses it: %v", document, got, err)
		}
		if got != want {
			t.Fatalf("read %q as\n%s\nwant\n%s", document, got, want)
		}
	})
}

func isASCII(b []byte) bool { return !bytes.ContainsFunc(b, func(r rune) bool { return r >= 0x80 }) }

// retell writes a document's start tags with their attributes, and all its text.
func retell(document []byte) (string, error) {
	r, err := NewReader(bytes.NewReader(document))
	if err != nil {
		return "", err
	}
	var b, text strings.Builder
	tell := func() {
		e := &r.frames[r.depth].element
		fmt.Fprintf(&b, "%s %s\n", e.Space, e.Name)
		for _, a := range e.attributes {
			fmt.Fprintf(&b, "  %s=%q\n", a.name, blanks.Replace(string(r.frames[r.depth].values[a.from:a.to])))
		}
	}
	if _, err := r.Root(); err != nil {
		return "", err
	}
	tell()
	for r.depth > 0 {
		if r.ended {
			r.close()
			continue
		}
		k, err := r.token()
		if err != nil {
			return "", err
		}
		switch k {
		case startTag:
			if err := r.open(); err != nil {
				return "", err
			}
			tell()
		case endTag:
			if err := r.end(); err != nil {
				return "", err
			}
		default:
			text.Write(r.scan.token)
		}
	}
	return b.String() + text.String(), r.Close()
}

func retoldByTheStandard(document []byte) (string, error) {
	decoded, _, err := decode(bytes.NewReader(document))
	if err != nil {
		return "", err
	}
	all, err := io.ReadAll(decoded)
	if err != nil {
		return "", err
	}
	if bytes.HasPrefix(all, []byte("<?xml")) { // encoding/xml accepts one version and one form of the declaration
		all = all[bytes.Index(all, []byte("?>"))+2:]
	}
	d := xml.NewDecoder(bytes.NewReader(all))
	var b, text strings.Builder
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return b.String() + text.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			fmt.Fprintf(&b, "%s %s\n", token.Name.Space, token.Name.Local)
			for _, a := range token.Attr {
				fmt.Fprintf(&b, "  %s=%q\n", a.Name.Local, blanks.Replace(a.Value))
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth > 0 {
				text.Write(token)
			}
		}
	}
}

// blanks normalises values as encoding/xml does not.
var blanks = strings.NewReplacer("\n", " ", "\t", " ", "\r", " ")
