// Package document reads the XML documents of a source, for formats that consist
// of them.
package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/source"
	"cradle/internal/ingest/xmlstream"
)

// Any reports whether any file of a source belongs to a format.
func Any(src *source.Source, holds func(*source.Entry) bool) bool {
	return slices.ContainsFunc(src.Entries, holds)
}

// Split returns the files that belong to a format, and the others. Broken XML
// counts among the first: reading it returns the reason.
func Split(src *source.Source, holds func(*source.Entry) bool) (files, others []*source.Entry) {
	for _, e := range src.Entries {
		if holds(e) || IsBroken(e) {
			files = append(files, e)
		} else {
			others = append(others, e)
		}
	}
	return files, others
}

// IsBroken reports whether a file is XML whose root cannot be read.
func IsBroken(e *source.Entry) bool {
	c, err := e.Sniff()
	return err == nil && c.Kind == source.XML && c.Root == ""
}

// IsEcoSpold reports whether a file is in one of the EcoSpold formats: by its
// namespace or, since old tools write none, by the first element of its root.
func IsEcoSpold(e *source.Entry, ours func(namespace string) bool, first ...string) bool {
	c, err := e.Sniff()
	switch {
	case err != nil || c.Kind != source.XML:
		return false
	case c.Namespace == "" && c.Root == "ecoSpold":
		return slices.Contains(first, xmlstream.FirstChild(e.Open))
	}
	return ours(c.Namespace)
}

// Refused returns why a source is not in a format.
func Refused(src *source.Source, format, namespace string) (ingest.Package, error) {
	return nil, fmt.Errorf("%s contains no %s: no file has a root element in the namespace %s", src.Path, format, namespace)
}

// Size is the total size of the files.
func Size(files []*source.Entry) int64 {
	var size int64
	for _, f := range files {
		size += f.Size
	}
	return size
}

// maxNamed is how many other files are listed; there can be thousands of
// pictures and papers beside datasets.
const maxNamed = 20

// Skip reports files that do not belong to a format.
func Skip(to *inventory.Builder, files []*source.Entry, format string) {
	for i, f := range files {
		at := inventory.Where{File: source.Printable(f.Name)}
		switch _, err := f.Sniff(); {
		case err != nil:
			to.Unreadable("files", at, "cannot be read: %v", err)
		case f.Is(source.Empty) && (f.Ext() == ".xml" || f.Ext() == ".spold"):
			to.Unreadable("files", at, "is empty")
		case f.Is(source.Zip):
			to.Skip("files", at, "is a zip inside the library", "import it separately")
		case i == maxNamed && len(files) > maxNamed+1:
			to.SkipAll("files", len(files)-i, at, "they contain no data of "+format)
			return
		default:
			to.Skip("files", at, "contains no data of "+format, "")
		}
	}
}

// Read opens a file and reads its document. It passes errors of the document to
// unreadable; a returned error ends the import.
func Read(ctx context.Context, f *source.Entry, gauge *source.Gauge, read func(io.Reader) error, unreadable func(inventory.Where, string)) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	err = read(gauge.Reader(ctx, in))
	at := inventory.Where{File: source.Printable(f.Name)}
	var wrong *xmlstream.Error
	var damage *source.Damage
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Refused:
		return &ingest.Errors{List: []ingest.Error{{File: at.File, Line: wrong.Line, Message: wrong.Message}}}
	case wrong != nil:
		at.Line = wrong.Line
		unreadable(at, wrong.Message)
		return nil
	case errors.As(err, &damage):
		unreadable(at, damage.Message)
		return nil
	}
	return fmt.Errorf("read %s: %w", at.File, err)
}

// Flaw returns what is wrong with the content of a well-formed element, after
// which the document can be read on, or nil if err is something else.
func Flaw(err error) *xmlstream.Error {
	var wrong *xmlstream.Error
	if errors.As(err, &wrong) && wrong.Content {
		return wrong
	}
	return nil
}

// English reads a text given in several languages, one element each: English, or
// without a language, else the first.
func English(e *xmlstream.Element, to *string) error {
	english := IsEnglish(e)
	text, err := e.Text()
	if *to == "" || english && text != "" {
		*to = text
	}
	return err
}

// IsEnglish reports whether an element's text is English or has no language.
func IsEnglish(e *xmlstream.Element) bool {
	lang := e.Attr("lang")
	return lang == "" || lang == "en" || strings.HasPrefix(lang, "en-")
}

// List appends the element's text.
func List(e *xmlstream.Element, to *[]string) error {
	text, err := e.Text()
	if text != "" {
		*to = append(*to, text)
	}
	return err
}
