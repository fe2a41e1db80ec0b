package ecospold2

import (
	"io"
	"strings"

	"cradle/internal/ingest/document"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/xmlstream"
)

const space = "http://www.EcoInvent.org/EcoSpold02"

// A visitor receives the content of a file, in order. Master data comes after
// the datasets that use it, so datasets are passed on when the file is read.
type visitor struct {
	dataset func(*dataset)
	method  func(*method)
	flow    func(*exchange) // of a file of master data
	other   func(name string, line int)
	// unreadable receives errors in an activity or a method.
	unreadable func(name string, wrong *xmlstream.Error)
}

// maxWaiting is how many datasets wait for their file's master data. Files with
// one dataset have it; those with many, if any do, are too large to wait.
const maxWaiting = 64

// parse reads a document.
func parse(in io.Reader, v visitor) error {
	r, root, err := open(in)
	if err != nil {
		return err
	}
	f := &reading{visitor: v, known: master{sources: map[string]string{}, companies: map[string]string{}}}
	err = root.Each(f.part)
	f.release()
	if err != nil {
		return err
	}
	return r.Close()
}

// skim reads only the identity and the exchanges of a document's datasets.
func skim(in io.Reader, visit func(*dataset)) error {
	_, root, err := open(in)
	if err != nil {
		return err
	}
	err = root.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "activityDataset", "childActivityDataset":
			d := &dataset{line: e.Line, skimmed: true}
			err := e.Each(d.section)
			if document.Flaw(err) != nil {
				return nil
			}
			if err == nil {
				visit(d)
			}
			return err
		case "usedUserMasterData":
			return io.EOF
		}
		return nil
	})
	if err == io.EOF {
		return nil
	}
	return err
}

func open(in io.Reader) (*xmlstream.Reader, *xmlstream.Element, error) {
	r, err := xmlstream.NewReader(in)
	if err != nil {
		return nil, nil, err
	}
	root, err := r.Root()
	if err == nil && root.Space != "" && root.Space != space {
		err = root.Errorf("%s of the namespace %q is not EcoSpold 2", root.Name, root.Space)
	}
	return r, root, err
}

// A reading is a document as far as it was read.
type reading struct {
	visitor
	waiting []*dataset
	known   master
}

func (f *reading) part(e *xmlstream.Element) error {
	switch e.Name {
	case "activityDataset", "childActivityDataset":
		d := &dataset{line: e.Line}
		if err := e.Each(d.section); err != nil {
			return f.passOver(d.name, err)
		}
		f.wait(d)
		if len(f.waiting) == maxWaiting {
			f.release()
		}
		return nil
	case "impactMethod":
		m := &method{line: e.Line, id: e.Attr("id"), version: e.Attr("version")}
		if err := m.read(e); err != nil {
			return f.passOver(m.name, err)
		}
		f.method(m)
		return nil
	case "usedUserMasterData":
		return e.Each(f.known.read)
	case "elementaryExchange", "intermediateExchange":
		x := &exchange{line: e.Line, elementary: e.Name == "elementaryExchange", flow: e.Attr("id"), cas: e.Attr("casNumber")}
		if err := e.Each(x.part); err != nil {
			return f.passOver(x.name, err)
		}
		f.flow(x)
		return nil
	}
	f.other(e.Name, e.Line)
	return nil
}

// passOver reports a record with an error; what follows it can still be read.
func (f *reading) passOver(name string, err error) error {
	wrong := document.Flaw(err)
	if wrong == nil {
		return err
	}
	f.unreadable(name, wrong)
	return nil
}

// wait keeps a dataset. Results that follow their dataset become part of it.
func (f *reading) wait(d *dataset) {
	if n := len(f.waiting); n > 0 && d.isResultOf(f.waiting[n-1]) {
		f.waiting[n-1].results = d.results
		return
	}
	f.waiting = append(f.waiting, d)
}

func (f *reading) release() {
	for _, d := range f.waiting {
		d.master = f.known
		f.dataset(d)
	}
	f.waiting = f.waiting[:0]
}

func (d *dataset) section(e *xmlstream.Element) error {
	switch {
	case e.Name == "activityDescription":
		return e.Each(d.description)
	case e.Name == "flowData":
		return e.Each(d.flowData)
	case d.skimmed:
		return nil
	}
	switch e.Name {
	case "modellingAndValidation":
		return e.Each(d.modelling)
	case "administrativeInformation":
		return e.Each(d.administration)
	}
	return nil
}

func (d *dataset) description(e *xmlstream.Element) error {
	switch e.Name {
	case "activity":
		d.id, d.nameID, d.parent = e.Attr("id"), e.Attr("activityNameId"), e.Attr("parentActivityId")
		d.kind, d.special = e.Attr("type"), e.Attr("specialActivityType")
		if d.skimmed {
			return nil
		}
		return d.activity(e)
	case "classification":
		c, err := readClass(e)
		d.classes = append(d.classes, c)
		return err
	case "geography":
		return e.Each(func(e *xmlstream.Element) error {
			if e.Name == "shortname" {
				return document.English(e, &d.geography)
			}
			return d.comment(e, "comment", "Geography")
		})
	case "technology":
		return e.Each(func(e *xmlstream.Element) error { return d.comment(e, "comment", "Technology") })
	case "timePeriod":
		d.start, d.end = e.Attr("startDate"), e.Attr("endDate")
		return e.Each(func(e *xmlstream.Element) error { return d.comment(e, "comment", "Time") })
	}
	return nil
}

func (d *dataset) activity(e *xmlstream.Element) error {
	var starts, ends string
	err := e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "activityName":
			return document.English(e, &d.name)
		case "synonym":
			return document.List(e, &d.synonyms)
		case "tag":
			return document.List(e, &d.tags)
		case "includedActivitiesStart":
			return document.English(e, &starts)
		case "includedActivitiesEnd":
			return document.English(e, &ends)
		case "allocationComment":
			return d.comment(e, e.Name, "Allocation")
		}
		return d.comment(e, "generalComment", "")
	})
	d.say("Included activities start", starts)
	d.say("Included activities end", ends)
	return err
}

// comment reads a text of several parts, if the element has the name.
func (d *dataset) comment(e *xmlstream.Element, name, label string) error {
	if e.Name != name {
		return nil
	}
	text, err := richText(e)
	d.say(label, text)
	return err
}

func (d *dataset) say(label, text string) {
	if text != "" {
		d.texts = append(d.texts, inventory.Text{Label: label, Text: text})
	}
}

func (d *dataset) modelling(e *xmlstream.Element) error {
	if e.Name != "representativeness" {
		return nil
	}
	var sampling, extrapolations string
	err := e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "systemModelName":
			return document.English(e, &d.systemModel)
		case "samplingProcedure":
			return document.English(e, &sampling)
		case "extrapolations":
			return document.English(e, &extrapolations)
		}
		return nil
	})
	d.say("Sampling", sampling)
	d.say("Extrapolations", extrapolations)
	return err
}

func (d *dataset) administration(e *xmlstream.Element) error {
	switch e.Name {
	case "dataGeneratorAndPublication":
		d.generator = person{e.Attr("personId"), e.Attr("personName")}
		d.sourceID, d.sourceAuthor, d.sourceYear = e.Attr("publishedSourceId"), e.Attr("publishedSourceFirstAuthor"), e.Attr("publishedSourceYear")
	case "dataEntryBy":
		d.author = person{e.Attr("personId"), e.Attr("personName")}
	case "fileAttributes":
		d.edited = e.Attr("lastEditTimestamp")
		if d.edited == "" {
			d.edited = e.Attr("fileTimestamp")
		}
		d.version = version(e)
	}
	return nil
}

// version joins the numbers of a release and its revision.
func version(e *xmlstream.Element) string {
	var parts []string
	for _, name := range []string{"majorRelease", "minorRelease", "majorRevision", "minorRevision"} {
		if part := e.Attr(name); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}

// read keeps sources and the companies of persons. It skips flows because
// exchanges repeat them.
func (m master) read(e *xmlstream.Element) error {
	switch e.Name {
	case "source":
		m.sources[e.Attr("id")] = inventory.Citation(e.Attr("firstAuthor"), e.Attr("additionalAuthors"), e.Attr("year"), e.Attr("title"), e.Attr("journal"))
	case "person":
		id := e.Attr("id")
		return e.Each(func(e *xmlstream.Element) error {
			if e.Name != "companyName" {
				return nil
			}
			company, err := e.Text()
			m.companies[id] = company
			return err
		})
	}
	return nil
}

func readClass(e *xmlstream.Element) (class, error) {
	var c class
	err := e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "classificationSystem":
			return document.English(e, &c.system)
		case "classificationValue":
			return document.English(e, &c.value)
		}
		return nil
	})
	return c, err
}

// richText joins the parts of a text, without pictures. Of several languages it
// takes English, else the first.
func richText(e *xmlstream.Element) (string, error) {
	byLanguage := map[string]string{}
	var first string
	err := e.Each(func(e *xmlstream.Element) error {
		if e.Name != "text" {
			return nil
		}
		lang := e.Attr("lang")
		if document.IsEnglish(e) {
			lang = "en"
		}
		if first == "" {
			first = lang
		}
		text, err := e.Text()
		if byLanguage[lang] != "" && text != "" {
			text = byLanguage[lang] + "\n" + text
		}
		if text != "" {
			byLanguage[lang] = text
		}
		return err
	})
	if text := byLanguage["en"]; text != "" {
		return text, err
	}
	return byLanguage[first], err
}
