package simapro

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"cradle/internal/ingest/sheet"
)

// A Block is the content between its name and "End".
type Block struct {
	Kind     string
	Line     int
	Rows     []sheet.Row // of a block without sections
	Sections []Section
}

// A Section is one part of a block: its name and the rows below it, up to a
// blank line.
type Section struct {
	Name  string
	Known bool
	Line  int
	Rows  []sheet.Row
}

// The most bytes of one block; the largest known methods have a tenth of it.
const maxBlockBytes = 512 << 20

// Read passes on the blocks of an export, in the order of the file.
func Read(from io.Reader, visit func(Header, Block) error) error {
	buffered := bufio.NewReaderSize(from, 1<<16)
	head, err := buffered.Peek(1 << 16)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return err
	}
	if string(head[:min(3, len(head))]) == "\ufeff" {
		buffered.Discard(3)
	}
	header := parseHeader(string(head))
	p := &parser{text: sheet.NewText(buffered, header.Separator)}
	for {
		block, err := p.block()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(header, block); err != nil {
			return err
		}
	}
}

type parser struct {
	text  *sheet.Text
	below bool // the header was read
}

// block reads the next block.
func (p *parser) block() (Block, error) {
	row, err := p.begin()
	if err != nil {
		return Block{}, err
	}
	b := Block{Kind: row.Cell(0), Line: row.Line}
	if name, ok := blockNames[fold(b.Kind)]; ok {
		b.Kind = name
	}
	known, sectioned := sections[b.Kind]
	size, inside := 0, false
	for {
		row, err := p.text.Next()
		if err == io.EOF {
			return Block{}, &sheet.Error{Line: b.Line, Message: fmt.Sprintf("the block %q has no End", b.Kind)}
		}
		if err != nil {
			return Block{}, err
		}
		for _, c := range row.Cells {
			size += len(c) + 16
		}
		if size > maxBlockBytes {
			return Block{}, &sheet.Error{Line: b.Line, Message: fmt.Sprintf("the block %q is longer than %d MB", b.Kind, maxBlockBytes>>20)}
		}
		switch {
		case row.Blank():
			inside = false
		case isEnd(row):
			return b, nil
		case !sectioned:
			b.Rows = append(b.Rows, row)
		default:
			name, ok := known.find(row, inside)
			if !ok && inside {
				last := &b.Sections[len(b.Sections)-1]
				last.Rows = append(last.Rows, row)
				continue
			}
			b.Sections = append(b.Sections, Section{Name: name, Known: ok, Line: row.Line})
			inside = true
		}
	}
}

// begin skips the header, blank lines and stray Ends.
func (p *parser) begin() (sheet.Row, error) {
	for {
		row, err := p.text.Next()
		if err != nil {
			return sheet.Row{}, err
		}
		first := strings.Trim(row.Cells[0], " \t\"\ufeff")
		if row.Blank() || isEnd(row) || strings.HasPrefix(first, "{") || !p.below && isHeader(first) {
			continue
		}
		p.below = true
		return row, nil
	}
}

func isEnd(row sheet.Row) bool { return alone(row) && strings.EqualFold(row.Cell(0), "End") }

// alone reports whether only the first cell has a text.
func alone(row sheet.Row) bool {
	return len(row.Cells) == 1 || (sheet.Row{Cells: row.Cells[1:]}).Blank()
}

// names are the sections of a kind of block, by their folded names.
type names map[string]string

// find reports whether a row is the heading of a section. Below a heading, where
// a value is expected, only the exact spelling counts.
func (n names) find(row sheet.Row, inside bool) (string, bool) {
	text := row.Cell(0)
	if !alone(row) {
		return text, false
	}
	name, ok := n[fold(text)]
	if !ok || inside && name != text {
		return text, false
	}
	return name, true
}

// fold makes names comparable: versions of SimaPro differ in case and plural.
func fold(name string) string {
	return strings.TrimSuffix(strings.ToLower(strings.Join(strings.Fields(name), " ")), "s")
}

func folded(list ...string) names {
	n := names{}
	for _, name := range list {
		n[fold(name)] = name
	}
	return n
}

// The kinds of blocks that are not named after their only content.
const (
	processBlock     = "Process"
	stageBlock       = "Product stage"
	methodBlock      = "Method"
	literatureBlock  = "Literature reference"
	systemBlock      = "System description"
	quantitiesBlock  = "Quantities"
	unitsBlock       = "Units"
	databaseInputs   = "Database Input parameters"
	databaseFormulas = "Database Calculated parameters"
	projectInputs    = "Project Input parameters"
	projectFormulas  = "Project Calculated parameters"
)

var blockNames = folded(processBlock, stageBlock, methodBlock, literatureBlock, systemBlock,
	quantitiesBlock, unitsBlock, databaseInputs, databaseFormulas, projectInputs, projectFormulas,
	"Raw materials", "Airborne emissions", "Waterborne emissions", "Final waste flows", "Emissions to soil",
	"Non material emissions", "Social issues", "Economic issues")

// sections names the parts of those blocks that have some.
var sections = map[string]names{
	processBlock: folded("PlatformId", "Category type", "Process identifier", "Type", "Process name", "Status",
		"Time period", "Geography", "Technology", "Representativeness", "Waste treatment allocation",
		"Multiple output allocation", "Substitution allocation", "Cut off rules", "Capital goods",
		"Boundary with nature", "Infrastructure", "Date", "Record", "Generator", "External documents",
		"Literature references", "Collection method", "Data treatment", "Verification", "Comment",
		"Allocation rules", "System description", "Products", "Waste treatment", "Waste scenario",
		"Avoided products", "Resources", "Materials/fuels", "Electricity/heat", "Emissions to air",
		"Emissions to water", "Emissions to soil", "Final waste flows", "Non material emissions", "Social issues",
		"Economic issues", "Waste to treatment", "Separated waste", "Remaining waste", "Input parameters",
		"Calculated parameters"),
	stageBlock: folded("PlatformId", "Category type", "Process identifier", "Status", "Date", "Comment", "Products",
		"Assembly", "Reference assembly", "Materials/assemblies", "Processes", "Waste/Disposal scenario",
		"Additional life cycles", "Disposal scenarios", "Waste scenarios", "Disassemblies", "Reuses",
		"Input parameters", "Calculated parameters"),
	methodBlock: folded("PlatformId", "Name", "Version", "Comment", "Category", "Use Damage Assessment", "Use Normalization",
		"Use Weighting", "Use Addition", "Weighting unit", "Impact category", "Substances", "Damage category",
		"Impact categories", "Normalization-Weighting set", "Normalization", "Weighting"),
	literatureBlock: folded("Name", "Documentation link", "Category", "Description", "Comment"),
	systemBlock: folded("Name", "Category", "Description", "Sub-systems", "Cut-off rules", "Energy model",
		"Transport model", "Waste model", "Other assumptions", "Other information", "Allocation rules", "Comment"),
}
