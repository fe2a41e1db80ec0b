package ingesttest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
	"testing"
)

// A Sheet is a worksheet of a test: its rows are lines, their cells separated by
// "|". Cells that are numbers are numbers.
type Sheet struct {
	Name  string
	Lines []string
}

// Workbook makes an Excel workbook.
func Workbook(t testing.TB, sheets ...Sheet) string {
	t.Helper()
	var list, links strings.Builder
	parts := map[string]string{}
	for i, s := range sheets {
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, html.EscapeString(s.Name), i+1, i+1)
		fmt.Fprintf(&links, `<Relationship Id="rId%d" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = "<worksheet><sheetData>" + sheetRows(s.Lines) + "</sheetData></worksheet>"
	}
	parts["xl/workbook.xml"] = `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + list.String() + "</sheets></workbook>"
	parts["xl/_rels/workbook.xml.rels"] = "<Relationships>" + links.String() + "</Relationships>"
	parts["[Content_Types].xml"] = "<Types/>"
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

func sheetRows(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("<row>")
		for cell := range strings.SplitSeq(line, "|") {
			if _, err := strconv.ParseFloat(cell, 64); err == nil {
				fmt.Fprintf(&b, "<c><v>%s</v></c>", cell)
			} else {
				fmt.Fprintf(&b, `<c t="inlineStr"><is><t>%s</t></is></c>`, html.EscapeString(cell))
			}
		}
		b.WriteString("</row>")
	}
	return b.String()
}
