package brightway

import (
	"fmt"
	"io"
	"strings"

	"cradle/internal/export"
	"cradle/internal/ingest/sheet"
)

// book writes the parts of a workbook sequentially.
type book struct {
	to     *export.Archive
	sheets []string
	out    io.Writer
	line   int
	err    error
}

func newBook(w io.Writer) *book { return &book{to: export.NewArchive(w)} }

const sheetHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" +
	`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`

func (b *book) sheet(name string) {
	b.sheets, b.line = append(b.sheets, name), 0
	b.out, b.err = b.to.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(b.sheets)))
	b.print(sheetHead)
}

func (b *book) print(format string, args ...any) {
	if b.err == nil {
		_, b.err = fmt.Fprintf(b.out, format, args...)
	}
}

// row writes texts and numbers; without cells it is blank.
func (b *book) row(row ...any) error {
	b.line++
	if len(row) == 0 {
		return b.err
	}
	b.print(`<row r="%d">`, b.line)
	for i, cell := range row {
		at := fmt.Sprintf("%s%d", sheet.Letters(i), b.line)
		switch v := cell.(type) {
		case float64:
			b.print(`<c r="%s"><v>%s</v></c>`, at, export.Number(v))
		case string:
			if v != "" {
				b.print(`<c r="%s" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, at, export.EscapeXML(v))
			}
		}
	}
	b.print("</row>\n")
	return b.err
}

// fields writes a row for each label that has a value.
func (b *book) fields(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			b.row(pairs[i], pairs[i+1])
		}
	}
}

func (b *book) endSheet() error {
	b.print("</sheetData></worksheet>\n")
	return b.err
}

func (b *book) close() error {
	const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	var types, sheets, rels strings.Builder
	for i, name := range b.sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`, i+1)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, export.EscapeXML(name), i+1, i+1)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
	}
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + rels.String() + `</Relationships>`},
	} {
		if err := b.to.Put(part[0], []byte(head+part[1]+"\n")); err != nil {
			return err
		}
	}
	return b.to.Close()
}
