package ilcd

import (
	"strings"

	"cradle/internal/ingest/document"
	"cradle/internal/ingest/xmlstream"
)

// A names is a name of several parts in several languages.
type names struct {
	languages []string
	parts     map[string][]string
}

// read reads one part: the base name, or what narrows it down.
func (n *names) read(e *xmlstream.Element) error {
	lang := e.Attr("lang")
	if document.IsEnglish(e) {
		lang = "en"
	}
	text, err := e.Text()
	if text == "" {
		return err
	}
	if n.parts == nil {
		n.parts = map[string][]string{}
	}
	if n.parts[lang] == nil {
		n.languages = append(n.languages, lang)
	}
	n.parts[lang] = append(n.parts[lang], text)
	return err
}

// settle joins the parts of the name with semicolons, as ILCD does.
func (n *names) settle(h *head) {
	for _, lang := range n.languages {
		name := strings.Join(n.parts[lang], "; ")
		if h.name == "" || lang == "en" {
			if h.name != "" {
				h.others = append(h.others, h.name)
			}
			h.name = name
			continue
		}
		h.others = append(h.others, name)
	}
}

// readReference reads a reference to a dataset.
func readReference(e *xmlstream.Element) (reference, error) {
	r := reference{id: strings.ToLower(e.Attr("refObjectId"))}
	err := e.Each(func(e *xmlstream.Element) error {
		if e.Name == "shortDescription" {
			return document.English(e, &r.description)
		}
		return nil
	})
	return r, err
}

// readNumber reads an element's text as a number.
func readNumber(e *xmlstream.Element) (value float64, none bool, err error) {
	name, line := e.Name, e.Line
	text, err := e.Text()
	if err != nil {
		return 0, true, err
	}
	value, ok, err := xmlstream.ParseNumber(text)
	if err != nil {
		return 0, true, &xmlstream.Error{Line: line, Message: name + ": " + err.Error(), Content: true}
	}
	return value, !ok, nil
}

// readClasses reads the levels of a classification or categorization, from
// coarse to fine.
func readClasses(e *xmlstream.Element) ([]string, error) {
	var path []string
	err := e.Each(func(e *xmlstream.Element) error {
		if e.Name != "class" && e.Name != "category" {
			return nil
		}
		text, err := e.Text()
		if text != "" {
			path = append(path, text)
		}
		return err
	})
	return path, err
}

func list(s string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, ";") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
