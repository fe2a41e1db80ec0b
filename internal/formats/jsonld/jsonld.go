// Package jsonld reads libraries in openLCA's JSON-LD, schema 1 and 2: a zip or
// a folder with a file per record, or one file with one or more records.
package jsonld

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/source"
)

// maxFile is the largest accepted file, because a file is read as a whole.
const maxFile = 256 << 20

// Detect reports whether a source holds records of openLCA's schema, or is an
// empty pack.
func Detect(src *source.Source) bool {
	const most = 50 // most of a library's files are records
	looked := 0
	for _, e := range src.Entries {
		if !e.Is(source.JSON) {
			continue
		}
		if looked++; looked > most {
			return false
		}
		if _, isRecord := ranks[typeOf(e)]; isRecord || e.Name == packFile {
			return true
		}
	}
	return false
}

// packFile is at the top of a pack and names its schema.
const packFile = "openlca.json"

// typeOf returns the type of a file's record, or of the first of several.
func typeOf(e *source.Entry) string {
	text, err := e.ReadAll(maxFile)
	if err != nil {
		return ""
	}
	heads := make([]header, 1)
	if isArray(text) {
		err = json.Unmarshal(text, &heads)
	} else {
		err = json.Unmarshal(text, &heads[0])
	}
	var typed *json.UnmarshalTypeError // some other record, which is reported when it is read
	if err != nil && !errors.As(err, &typed) || len(heads) == 0 {
		return ""
	}
	return heads[0].Type
}

func isJSON(e *source.Entry) bool {
	text, err := e.ReadAll(maxFile)
	return err == nil && json.Valid(bytes.TrimPrefix(text, []byte("\ufeff")))
}

func isArray(text []byte) bool {
	text = bytes.TrimLeft(text, "\ufeff \t\r\n")
	return len(text) > 0 && text[0] == '['
}

// Open opens the library in a source.
func Open(src *source.Source) (ingest.Package, error) {
	if !Detect(src) {
		return nil, fmt.Errorf("%s is not openLCA JSON-LD: it contains %s", src.Path, src.Seen())
	}
	return inventory.New(&reader{src: src}), nil
}

// reader reads a library. Records that others need are read before them.
type reader struct {
	src        *source.Source
	to         *inventory.Builder
	gauge      *source.Gauge
	locations  map[string]string         // codes
	sources    map[string]string         // links
	actors     map[string]string         // names
	categories map[string]categoryRecord // schema 1
	methods    map[string][]string       // of impact categories
	skipped    map[ingest.Kind]*skipped
	kinds      []ingest.Kind // in order of appearance
}

type skipped struct {
	first inventory.Where
	count int
}

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	*r = reader{
		src: r.src, to: to, gauge: source.NewGauge(r.src.Size, to.Progress), locations: map[string]string{}, sources: map[string]string{}, actors: map[string]string{},
		categories: map[string]categoryRecord{}, methods: map[string][]string{}, skipped: map[ingest.Kind]*skipped{},
	}
	for _, e := range r.inOrder() {
		if err := r.file(ctx, e); err != nil {
			return err
		}
	}
	for _, kind := range r.kinds {
		to.SkipAll(kind, r.skipped[kind].count, r.skipped[kind].first, "the catalogue does not store them")
	}
	r.gauge.Finish()
	return nil
}

// ranks order the types: those that others refer to come first.
var ranks = map[string]int{
	"Category": 0, "UnitGroup": 0, "FlowProperty": 1, "Location": 1, "Actor": 1, "Source": 1, "Parameter": 1,
	"Flow": 2, "ImpactMethod": 2, "ImpactCategory": 3, "LCIACategory": 3, "LCIAMethod": 2, "Process": 3,
	"ProductSystem": 4, "Project": 4, "DQSystem": 4, "SocialIndicator": 4, "Currency": 4, "Result": 4, "Epd": 4, "NwSet": 4,
}

// folders are openLCA's folders of the types.
var folders = map[string]string{
	"categories": "Category", "unit_groups": "UnitGroup", "flow_properties": "FlowProperty", "locations": "Location", "actors": "Actor", "sources": "Source",
	"parameters": "Parameter", "flows": "Flow", "lcia_methods": "ImpactMethod", "lcia_categories": "ImpactCategory", "processes": "Process",
	"product_systems": "ProductSystem", "projects": "Project", "dq_systems": "DQSystem", "social_indicators": "SocialIndicator", "currencies": "Currency",
	"results": "Result", "epds": "Epd", "nw_sets": "NwSet",
}

// inOrder lists the files with records, those that others refer to first.
func (r *reader) inOrder() []*source.Entry {
	var ordered [5][]*source.Entry
	for _, e := range r.src.Entries {
		name, known := folders[path.Base(path.Dir(e.Name))]
		switch {
		case strings.HasPrefix(e.Name, "bin/") || strings.Contains(e.Name, "/bin/"):
			r.skip("attached files", inventory.Where{File: source.Printable(e.Name)})
			continue
		case !e.Is(source.JSON) && known && e.Ext() != ".json":
			r.to.Unreadable("files", inventory.Where{File: source.Printable(e.Name)}, "is not an openLCA record: it contains %s", e.Seen())
			continue
		case !e.Is(source.JSON) && !known:
			r.skip("other files", inventory.Where{File: source.Printable(e.Name)})
			continue
		case !known:
			if name = typeOf(e); name == "" && isJSON(e) {
				continue // openLCA's description of the pack itself
			}
		}
		rank, isRecord := ranks[name]
		if !isRecord {
			rank = len(ordered) - 1
		}
		ordered[rank] = append(ordered[rank], e)
	}
	var all []*source.Entry
	for _, some := range ordered {
		all = append(all, some...)
	}
	return all
}

func (r *reader) skip(kind ingest.Kind, at inventory.Where) {
	s := r.skipped[kind]
	if s == nil {
		s = &skipped{first: at}
		r.skipped[kind] = s
		r.kinds = append(r.kinds, kind)
	}
	s.count++
}

// file reads the record or records of a file.
func (r *reader) file(ctx context.Context, e *source.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at := inventory.Where{File: source.Printable(e.Name)}
	text, err := r.content(ctx, e)
	promised := folders[path.Base(path.Dir(e.Name))]
	var damage *source.Damage
	switch {
	case errors.As(err, &damage):
		at.Line = damage.Line
		r.to.Unreadable(plural(promised), at, "%s", damage.Message)
	case err != nil:
		return fmt.Errorf("read %s: %w", at.File, err)
	case isArray(text):
		r.several(text, at)
	default:
		r.record(text, promised, at)
	}
	return nil
}

func (r *reader) content(ctx context.Context, e *source.Entry) ([]byte, error) {
	if e.Size > maxFile {
		return nil, fmt.Errorf("is larger than %d bytes", int64(maxFile))
	}
	in, err := e.UTF8()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text := bytes.NewBuffer(make([]byte, 0, e.Size+bytes.MinRead))
	_, err = text.ReadFrom(r.gauge.Reader(ctx, in))
	return text.Bytes(), err
}

// several reads an array of records.
func (r *reader) several(text []byte, at inventory.Where) {
	var records []json.RawMessage
	if err := json.Unmarshal(text, &records); err != nil {
		r.malformed("", text, at, err)
		return
	}
	heads := make([]header, len(records))
	for i, record := range records {
		decode(record, &heads[i]) // errors are reported when the record is read
	}
	for rank := range 5 {
		for i, record := range records {
			if ranks[heads[i].Type] == rank {
				at.Record = fmt.Sprintf("record %d", i+1)
				r.record(record, heads[i].Type, at)
			}
		}
	}
}

// malformed reports where a record of a type is invalid.
func (r *reader) malformed(of string, text []byte, at inventory.Where, err error) {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at.Line = lineOf(text, syntax.Offset)
		r.to.Unreadable(plural(of), at, "is not JSON: %v", err)
	case errors.As(err, &typed):
		at.Line = lineOf(text, typed.Offset)
		r.to.Unreadable(plural(of), at, "%s holds a %s", typed.Field, typed.Value)
	default:
		r.to.Unreadable(plural(of), at, "%v", err)
	}
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
}
