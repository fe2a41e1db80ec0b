//go:build excelize

package main

import (
	"os"

	"github.com/xuri/excelize/v2"
)

func init() {
	use = append(use, func() any {
		book, err := excelize.OpenFile(os.Args[1])
		if err != nil {
			return err
		}
		rows, _ := book.Rows("Sheet1")
		columns, _ := rows.Columns()
		return columns
	})
}
