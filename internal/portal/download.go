package portal

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"

	"cradle/internal/library"
)

// ownedRow is one revealed number in a download.
type ownedRow struct {
	Kind         string   `json:"kind"` // property, material impact, input, output or impact
	RecordID     string   `json:"recordId"`
	Record       string   `json:"record"`
	Organization string   `json:"sourceOrganization"`
	RowID        string   `json:"id"`
	Name         string   `json:"name"`
	Method       string   `json:"method,omitempty"`
	MethodID     string   `json:"methodId,omitempty"`
	Version      string   `json:"methodVersion,omitempty"`
	Category     string   `json:"impactCategory,omitempty"`
	Value        *float64 `json:"value"`
	Mean         *float64 `json:"mean"`
	Deviation    *float64 `json:"standardDeviation"`
	Unit         string   `json:"unit"`
}

func materialRows(m library.Material) []ownedRow {
	row := ownedRow{RecordID: m.ID.String(), Record: m.Name, Organization: m.SourceOrganization}
	var rows []ownedRow
	for _, p := range m.Properties {
		if p.Revealed {
			rows = append(rows, row.of("property", p.ID.String(), p.Name, p.Number, p.Unit))
		}
	}
	for _, i := range m.Impacts {
		if i.Revealed {
			r := row.of("material impact", i.ID.String(), i.Indicator, library.Number{Value: i.Value}, i.Unit)
			r = r.under(i.Method, i.Category)
			rows = append(rows, r)
		}
	}
	return rows
}

func processRows(p library.Process) []ownedRow {
	row := ownedRow{RecordID: p.ID.String(), Record: p.Name, Organization: p.SourceOrganization}
	var rows []ownedRow
	for i, x := range slices.Concat(p.Inputs, p.Outputs) {
		kind := "input"
		if i >= len(p.Inputs) {
			kind = "output"
		}
		if x.Number.Value != nil {
			rows = append(rows, row.of(kind, x.ID.String(), x.Name, x.Number, x.Unit))
		}
	}
	for _, i := range p.Impacts {
		if i.Revealed {
			r := row.of("impact", i.ID.String(), i.Indicator, i.Number, i.Unit)
			r = r.under(i.Method, i.Category)
			rows = append(rows, r)
		}
	}
	return rows
}

// under says which method gives the row.
func (r ownedRow) under(m library.Method, category string) ownedRow {
	r.Method, r.MethodID, r.Version, r.Category = m.Name, m.ID.String(), m.Version, category
	return r
}

func (r ownedRow) of(kind, id, name string, n library.Number, unit string) ownedRow {
	r.Kind, r.RowID, r.Name, r.Value, r.Mean, r.Deviation, r.Unit = kind, id, name, n.Value, n.Mean, n.StandardDeviation, unit
	return r
}

func (v *visit) downloadMaterial() error {
	m, err := v.readMaterial()
	if err != nil {
		return err
	}
	return v.download(one(materialRows(m)))
}

func (v *visit) downloadProcess() error {
	p, err := v.readProcess()
	if err != nil {
		return err
	}
	return v.download(one(processRows(p)))
}

func one(rows []ownedRow) iter.Seq2[[]ownedRow, error] {
	return func(yield func([]ownedRow, error) bool) { yield(rows, nil) }
}

// downloadOwned sends everything that the team has pulled, row by row.
func (v *visit) downloadOwned() error { return v.download(v.owned()) }

// owned reads the team's materials, then its processes, record by record.
func (v *visit) owned() iter.Seq2[[]ownedRow, error] {
	return func(yield func([]ownedRow, error) bool) {
		for m, err := range v.ownedMaterials() {
			if !yield(materialRows(m), err) || err != nil {
				return
			}
		}
		for p, err := range v.ownedProcesses() {
			if !yield(processRows(p), err) || err != nil {
				return
			}
		}
	}
}

const downloadChunk = 100

func (v *visit) ownedMaterials() iter.Seq2[library.Material, error] {
	return func(yield func(library.Material, error) bool) {
		for offset := 0; ; offset += downloadChunk {
			page, err := v.Library.List(v.context(), v.viewer, library.Materials, library.Query{Pulled: true, Limit: downloadChunk, Offset: offset})
			var found []library.Material
			if err == nil {
				found, err = page.WholeMaterials(v.context(), page.Refs)
			}
			if err != nil {
				yield(library.Material{}, err)
				return
			}
			for _, m := range found {
				if !yield(m, nil) {
					return
				}
			}
			if !page.HasMore {
				return
			}
		}
	}
}

func (v *visit) ownedProcesses() iter.Seq2[library.Process, error] {
	return func(yield func(library.Process, error) bool) {
		for offset := 0; ; offset += downloadChunk {
			page, err := v.Library.List(v.context(), v.viewer, library.Processes, library.Query{Pulled: true, Limit: downloadChunk, Offset: offset})
			var found []library.Process
			if err == nil {
				found, err = page.Processes(v.context(), page.Refs)
			}
			if err != nil {
				yield(library.Process{}, err)
				return
			}
			for _, p := range found {
				if !yield(p, nil) {
					return
				}
			}
			if !page.HasMore {
				return
			}
		}
	}
}

// download writes rows in the format of the file's extension. Once it has begun,
// it can only break off on an error.
func (v *visit) download(records iter.Seq2[[]ownedRow, error]) error {
	var write func(io.Writer, iter.Seq2[[]ownedRow, error]) error
	switch name := v.path("file"); {
	case strings.HasSuffix(name, ".csv"):
		write = writeCSV
		v.attach("text/csv; charset=utf-8", name)
	case strings.HasSuffix(name, ".json"):
		write = writeJSON
		v.attach("application/json", name)
	default:
		return v.noPage()
	}
	out := bufio.NewWriter(v.writer)
	if err := write(out, records); err != nil {
		v.Log.Error("download broken off", "requestId", v.id, "route", v.route, "error", err)
		panic(http.ErrAbortHandler)
	}
	return out.Flush()
}

// attach makes the answer a download.
func (v *visit) attach(contentType, name string) {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, name)
	h := v.writer.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, safe))
}

func writeCSV(w io.Writer, records iter.Seq2[[]ownedRow, error]) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"kind", "record_id", "record", "source_organization", "id", "name", "method", "impact_category", "value", "mean", "standard_deviation", "unit", "method_id", "method_version"})
	for rows, err := range records {
		if err != nil {
			return err
		}
		for _, r := range rows {
			_ = out.Write([]string{r.Kind, r.RecordID, plain(r.Record), plain(r.Organization), r.RowID, plain(r.Name), plain(r.Method), plain(r.Category),
				fullValue(r.Value), fullValue(r.Mean), fullValue(r.Deviation), plain(r.Unit), r.MethodID, plain(r.Version)})
		}
	}
	out.Flush()
	return out.Error()
}

// plain keeps spreadsheets from treating a text as a formula.
func plain(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func writeJSON(w io.Writer, records iter.Seq2[[]ownedRow, error]) error {
	encoder := json.NewEncoder(w)
	separator := "["
	for rows, err := range records {
		if err != nil {
			return err
		}
		for _, r := range rows {
			if _, err := io.WriteString(w, separator); err != nil {
				return err
			}
			if err := encoder.Encode(r); err != nil {
				return err
			}
			separator = ","
		}
	}
	if separator == "[" {
		separator = "[]"
	} else {
		separator = "]"
	}
	_, err := io.WriteString(w, separator+"\n")
	return err
}

// downloadExport sends everything that the team has pulled, for other programs.
func (v *visit) downloadExport() error {
	made, err := v.Export(v.context(), v.viewer, v.path("format"))
	if err != nil {
		return err
	}
	defer made.Close()
	v.attach(made.MediaType, made.Name)
	_, err = io.Copy(v.writer, made)
	return err
}
