package sheet

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

const (
	bookXML = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` +
		`<sheet name="Second" sheetId="2" r:id="rId2"/><sheet name="First" sheetId="1" r:id="rId1"/><sheet name="Chart" sheetId="3" r:id="rId9"/></sheets></workbook>`
	relsXML = `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/>` +
		`<Relationship Id="rId3" Target="sharedStrings.xml"/></Relationships>`
)

// book makes a workbook of the rows of its first sheet and its shared texts.
func book(rows, texts string) Parts {
	parts := Parts{}
	for name, content := range map[string]string{
		"xl/workbook.xml":            bookXML,
		"xl/_rels/workbook.xml.rels": relsXML,
		"xl/worksheets/sheet1.xml":   "<worksheet><sheetData>" + rows + "</sheetData></worksheet>",
		"xl/worksheets/sheet2.xml":   "<worksheet><sheetData/></worksheet>",
		"xl/sharedStrings.xml":       "<sst>" + texts + "</sst>",
	} {
		parts[name] = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
	}
	return parts
}

const testSlots = 1 << 20

func rowsOf(t *testing.T, parts Parts) ([]Row, error) {
	t.Helper()
	b, err := OpenWorkbook(parts)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Sheets) != 2 || b.Sheets[0].Name != "Second" || b.Sheets[1].Name != "First" {
		t.Fatalf("sheets %v", b.Sheets)
	}
	var rows []Row
	for row, err := range b.Sheets[1].rows(testSlots) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Cells without references follow each other, even if empty.
func TestCellsWithoutReferences(t *testing.T) {
	rows, err := rowsOf(t, book(`<row><c><v>1</v></c><c/><c><v>3</v></c></row><row><c/><c><v>2</v></c></row>`, ""))
	if err != nil || len(rows) != 2 || !reflect.DeepEqual(rows[0].Cells, []string{"1", "", "3"}) || !reflect.DeepEqual(rows[1].Cells, []string{"", "2"}) {
		t.Errorf("%v %v", rows, err)
	}
}

func TestWorksheetGivesStoredValues(t *testing.T) {
	rows, err := rowsOf(t, book(
		`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>`+
			`<row r="4"><c r="A4"><f>1*1.19</f><v>1.19</v></c><c r="B4"><v>5.6999999999999998E-4</v></c><c r="C4" t="b"><v>1</v></c><c r="D4" t="inlineStr"><is><t>in</t><t>line</t></is></c></row>`+
			`<row><c t="str"><f>B3</f><v>text</v></c><c><f>A1+1</f></c><c t="e"><v>#DIV/0!</v></c><c><v>2000000</v></c></row>`+
			`<row r="7"><c r="A7" s="3"/></row>`,
		`<si><t>name</t></si><si><r><t xml:space="preserve">a </t></r><r><t>b</t></r><rPh><t>phonetic</t></rPh></si>`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Line: 1, Cells: []string{"name", "", "a b"}},
		{Line: 4, Cells: []string{"1.19", "0.00057", "True", "inline"}},
		{Line: 5, Cells: []string{"text", "=A1+1", "#DIV/0!", "2000000"}},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("got %v\nwant %v", rows, want)
	}
}

func TestHostileWorksheets(t *testing.T) {
	wide := strings.Repeat(`<row><c r="DXA1"><v>1</v></c></row>`, testSlots/3300)
	for _, c := range []struct{ name, rows, texts, want string }{
		{"no such text", `<row><c t="s"><v>5</v></c></row>`, "", `there is no shared text "5"`},
		{"a text's number is none", `<row><c t="s"><v>-1</v></c></row>`, "<si><t>x</t></si>", `there is no shared text "-1"`},
		{"far column", `<row><c r="XFD1"><v>1</v></c></row>`, "", "outside the first 4096 columns"},
		{"far row", `<row r="99999999"><c><v>1</v></c></row>`, "", "row 99999999 is outside a worksheet"},
		{"many empty cells", wide, "", "too many cells"},
		{"cut off", `<row><c><v>1`, "", "sheetData ends where v should"},
		{"entity", `<row><c><v>&lol;</v></c></row>`, "", "&lol; is not defined in XML"},
		{"long text", `<row><c t="s"><v>0</v></c></row>`, "<si><t>" + strings.Repeat("x", maxCell+1) + "</t></si>", "a cell is longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := rowsOf(t, book(c.rows, c.texts)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestColumnNames(t *testing.T) {
	for ref, want := range map[string]int{"A1": 0, "Z9": 25, "AA10": 26, "xfd1": 16383, "": -1, "1": -1} {
		if got := columnOf(ref); got != want {
			t.Errorf("%s: %d, want %d", ref, got, want)
		}
	}
}

func FuzzWorksheet(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`, `<si><t>x</t></si>`)
	f.Add(`<row><c><f>1</f></c><c r="ZZZ1"><v>1e999</v></c></row>`, ``)
	f.Fuzz(func(t *testing.T, rows, texts string) {
		b, err := OpenWorkbook(book(rows, texts))
		if err != nil {
			return
		}
		for _, s := range b.Sheets {
			for row, err := range s.Rows() {
				if err == nil && (row.Blank() || row.Line < 1 || len(row.Cells) > maxColumns) {
					t.Fatal(fmt.Sprint(row))
				}
			}
		}
	})
}
