package byhand

import (
	"archive/zip"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/xuri/excelize/v2"

	"cradle/internal/ingest/sheet"
)

var workbookPart = Part{
	Name: "Workbook", Library: "excelize 2.11.0", Once: "a sheet of 20,000 rows and 10 columns",
	write:  writeWorkbook,
	ours:   func(file string) (func() any, error) { return func() any { return readWorkbook(file) }, nil },
	theirs: func(file string) (func() any, error) { return func() any { return readWorkbookByExcelize(file) }, nil },
}

func writeWorkbook(file string) error {
	book := excelize.NewFile()
	defer book.Close()
	dice := rand.New(rand.NewPCG(2, 2))
	for row := range 20_000 {
		cells := []any{
			fmt.Sprintf("rolled steel, grade %d", dice.IntN(5000)), dice.ExpFloat64(), "kg", "GLO", "technosphere",
			fmt.Sprintf("process %d", row), "air::low population density", dice.NormFloat64(), dice.IntN(1000), "2",
		}
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", row+1), &cells); err != nil {
			return err
		}
	}
	return book.SaveAs(file)
}

// cells is what both ways find in the workbook.
type cells struct {
	texts, numbers, letters int
	sum                     float64
}

func (c *cells) add(row []string) {
	for _, text := range row {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			c.numbers++
			c.sum += f
		} else if text != "" {
			c.texts++
			c.letters += len(text)
		}
	}
}

func readWorkbook(file string) any {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer archive.Close()
	parts := sheet.Parts{}
	for _, f := range archive.File {
		parts[f.Name] = f.Open
	}
	book, err := sheet.OpenWorkbook(parts)
	if err != nil {
		return err
	}
	var c cells
	for row, err := range book.Sheets[0].Rows() {
		if err != nil {
			return err
		}
		c.add(row.Cells)
	}
	return c
}

func readWorkbookByExcelize(file string) any {
	book, err := excelize.OpenFile(file, excelize.Options{RawCellValue: true})
	if err != nil {
		return err
	}
	defer book.Close()
	rows, err := book.Rows("Sheet1")
	if err != nil {
		return err
	}
	var c cells
	for rows.Next() {
		row, err := rows.Columns()
		if err != nil {
			return err
		}
		c.add(row)
	}
	if err := errors.Join(rows.Error(), rows.Close()); err != nil {
		return err
	}
	return c
}
