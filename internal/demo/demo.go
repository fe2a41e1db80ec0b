// Package demo holds the demonstration library: public facts about materials and
// processes, with a source for each row.
package demo

import (
	"embed"
	"io/fs"
)

//go:embed library/*.csv
var library embed.FS

// Example is a material of the library to show first.
const Example = "Steel, unalloyed, hot-rolled coil, S235JR"

// Files is the demonstration library, a bundle.
func Files() fs.FS {
	bundle, err := fs.Sub(library, "library")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	return bundle
}
