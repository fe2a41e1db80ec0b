package flowmatch

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/lci"
)

const (
	maxMappings = 1_000_000
	maxField    = 10_000 // bytes
	maxLine     = 1 << 20
)

// fields are the fields of a line in a mapping file.
type fields struct {
	sourceID, source, compartment, sourceUnit       string
	targetID, target, targetCompartment, targetUnit string
	condition, factor                               string
}

// columns of the two formats, ours and that of the Federal LCA Commons flow
// list, by their names in lower case.
var columns = map[string]func(*fields) *string{
	"source": func(f *fields) *string { return &f.source }, "compartment": func(f *fields) *string { return &f.compartment },
	"target": func(f *fields) *string { return &f.targetID }, "factor": func(f *fields) *string { return &f.factor },
	"source_unit": func(f *fields) *string { return &f.sourceUnit }, "target_unit": func(f *fields) *string { return &f.targetUnit },

	"sourceflowname": func(f *fields) *string { return &f.source }, "sourceflowuuid": func(f *fields) *string { return &f.sourceID },
	"sourceflowcontext": func(f *fields) *string { return &f.compartment }, "sourceunit": func(f *fields) *string { return &f.sourceUnit },
	"matchcondition": func(f *fields) *string { return &f.condition }, "conversionfactor": func(f *fields) *string { return &f.factor },
	"targetflowname": func(f *fields) *string { return &f.target }, "targetflowuuid": func(f *fields) *string { return &f.targetID },
	"targetflowcontext": func(f *fields) *string { return &f.targetCompartment }, "targetunit": func(f *fields) *string { return &f.targetUnit },
}

// ReadMappings reads a mapping file in UTF-8: lines of source (a name or an id),
// compartment, target (an id) and factor, or the flow mapping format of the
// Federal LCA Commons. Errors name line and column.
func ReadMappings(in io.Reader) ([]Mapping, error) {
	buffered := bufio.NewReaderSize(in, 64<<10)
	r := csv.NewReader(&lineGuard{in: buffered})
	r.Comma = separator(buffered)
	r.ReuseRecord, r.FieldsPerRecord = true, -1
	header, err := r.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", reason(err))
	}
	at, err := readHeader(header)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	var all []Mapping
	for {
		record, err := r.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, reason(err)
		}
		line, _ := r.FieldPos(0)
		one, err := readMapping(at, record)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if all = append(all, one); len(all) > maxMappings {
			return nil, fmt.Errorf("there are more than %d lines", maxMappings)
		}
	}
}

// reason is an error of package csv with its line.
func reason(err error) error {
	var malformed *csv.ParseError
	if errors.As(err, &malformed) {
		return fmt.Errorf("line %d: %w", malformed.StartLine, malformed.Err)
	}
	return err
}

// separator is what the header separates its columns with.
func separator(in *bufio.Reader) rune {
	head, _ := in.Peek(4 << 10)
	line, _, _ := strings.Cut(string(head), "\n")
	best, most := ',', 0
	for _, r := range ",;\t" {
		if n := strings.Count(line, string(r)); n > most {
			best, most = r, n
		}
	}
	return best
}

func readHeader(header []string) ([]func(*fields) *string, error) {
	at := make([]func(*fields) *string, len(header))
	seen := map[string]bool{}
	for i, h := range header {
		h = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(h, "\uFEFF")))
		if at[i] = columns[h]; at[i] != nil && seen[h] {
			return nil, fmt.Errorf("column %s appears twice", h)
		}
		seen[h] = true
	}
	ours := seen["source"] && seen["target"]
	commons := (seen["sourceflowname"] || seen["sourceflowuuid"]) && seen["targetflowuuid"]
	if ours == commons {
		return nil, errors.New("the columns must be source, compartment, target, factor, or those of a Federal LCA Commons flow mapping (SourceFlowName, …, TargetFlowUUID)")
	}
	return at, nil
}

func readMapping(at []func(*fields) *string, record []string) (Mapping, error) {
	f := fields{condition: "="}
	for i, cell := range record {
		switch {
		case i >= len(at):
			return Mapping{}, fmt.Errorf("the line has more fields than the header")
		case len(cell) > maxField:
			return Mapping{}, fmt.Errorf("a field is longer than %d bytes", maxField)
		case at[i] != nil:
			*at[i](&f) = strings.TrimSpace(cell)
		}
	}
	return f.mapping()
}

func (f *fields) mapping() (Mapping, error) {
	m := Mapping{
		Source: lci.Flow{Name: f.source, Compartment: f.compartment, Unit: f.sourceUnit},
		Target: lci.Flow{Name: f.target, Compartment: f.targetCompartment, Unit: f.targetUnit},
		Factor: 1, Exact: f.condition == "=" || f.condition == "",
	}
	var ok bool
	if id, isID := lci.ParseID(f.source); isID {
		m.Source.ID, m.Source.Name = id, ""
	}
	if f.sourceID != "" {
		if m.Source.ID, ok = lci.ParseID(f.sourceID); !ok {
			return Mapping{}, fmt.Errorf("column SourceFlowUUID: %q is not a UUID", f.sourceID)
		}
	}
	if m.Source.ID.IsZero() && m.Source.Name == "" {
		return Mapping{}, errors.New("column source: must be the name or the id of a flow")
	}
	if m.Target.ID, ok = lci.ParseID(f.targetID); !ok {
		return Mapping{}, fmt.Errorf("column target: %q is not a UUID", f.targetID)
	}
	if !slices.Contains([]string{"", "=", "~", "<", ">"}, f.condition) {
		return Mapping{}, fmt.Errorf("column MatchCondition: %q is not one of =, ~, <, >", f.condition)
	}
	if f.factor != "" {
		n, err := strconv.ParseFloat(f.factor, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || n == 0 {
			return Mapping{}, fmt.Errorf("column factor: %q must be a number other than 0", f.factor)
		}
		m.Factor = n
	}
	return m, nil
}

// lineGuard ends the reading of a line, or a quoted field, that has no end.
type lineGuard struct {
	in       io.Reader
	unbroken int
}

func (g *lineGuard) Read(p []byte) (int, error) {
	n, err := g.in.Read(p)
	if at := strings.LastIndexByte(string(p[:n]), '\n'); at >= 0 {
		g.unbroken = n - at
	} else if g.unbroken += n; g.unbroken > maxLine {
		return 0, fmt.Errorf("a line is longer than %d bytes", maxLine)
	}
	return n, err
}
