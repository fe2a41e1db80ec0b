// Interop lets independent programs read Cradle's exports, and compares what
// they calculate with Cradle's rows. It prints one line for each comparison:
// what, how many, how many equal. `make interop` runs it.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	cradle     = "bin/cradle"
	workspace  = "bin/interop"
	sharedData = "../shared/data"
)

// A library is what is imported together, and exported.
type library struct {
	name  string
	files []string
	// original are those of the files that openLCA can read.
	original []string
	bare     bool // they have no units
}

var libraries = []library{
	{name: "the demonstration library", files: []string{"internal/demo/library"}},
	{name: "US LCI with TRACI, CML and IPCC", files: []string{
		shared("jsonld-v1/uslci_fy17_q4_olca1_5_0_json_ld.zip"), shared("lcia/olca-refdata")},
		original: []string{shared("jsonld-v1/uslci_fy17_q4_olca1_5_0_json_ld.zip")}},
	{name: "TianGong with EF 3.1", files: []string{shared("ilcd/tiangong_subset_ef31.zip")},
		original: []string{shared("ilcd/tiangong_subset_ef31.zip")}},
	{name: "US LCI vehicles with IPCC", files: []string{
		shared("jsonld-v2/uslci-marine_v1.0.zip"), shared("jsonld-v2/uslci-moves_nonroad_v1.0.zip"), shared("lcia/LCIAformatter_IPCC_GWP_values.csv")},
		original: []string{shared("jsonld-v2/uslci-marine_v1.0.zip"), shared("jsonld-v2/uslci-moves_nonroad_v1.0.zip")}, bare: true},
	{name: "US LCI in EcoSpold 1 with IPCC", files: []string{
		shared("ecospold1/uslci_fy20_q3_01_olca1_10_3_ecospold.zip"), shared("lcia/LCIAformatter_IPCC_GWP_values.csv")}},
}

func shared(path string) string { return filepath.Join(sharedData, path) }

// parts are the programs that calculate.
var parts = []struct {
	name string
	run  func([]export) error
}{
	{"openLCA", openLCA},
	{"Brightway", brightway},
}

// An export is a library in the formats that other programs read. Its folder
// holds bundle/ with Cradle's rows, openlca.zip, brightway.xlsx and ecospold2.zip.
type export struct {
	library
	folder string
}

func main() {
	start := time.Now()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
		os.Exit(1)
	}
	fmt.Printf("All equal, after %s.\n", time.Since(start).Round(time.Second))
}

func run() error {
	if _, err := os.Stat(sharedData); err != nil {
		return fmt.Errorf("the libraries to export are not there: put the shared data at %s", sharedData)
	}
	if err := command("go", "build", "-o", cradle, "./cmd/cradle"); err != nil {
		return err
	}
	exports, err := exportAll()
	if err != nil {
		return err
	}
	var failed error
	for _, p := range parts {
		if err := p.run(exports); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	return failed
}

func exportAll() ([]export, error) {
	if err := os.MkdirAll(workspace, 0o755); err != nil {
		return nil, err
	}
	var all []export
	for i, l := range libraries {
		e := export{l, filepath.Join(workspace, fmt.Sprint("library", i+1))}
		if err := e.write(); err != nil {
			return nil, fmt.Errorf("export %s: %w", l.name, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// write imports a library and exports it.
func (e export) write() error {
	if err := os.RemoveAll(e.folder); err != nil {
		return err
	}
	if err := os.MkdirAll(e.folder, 0o755); err != nil {
		return err
	}
	db := "--db=" + e.path("cradle.db")
	for _, arguments := range [][]string{
		append([]string{"import", "--json", db}, e.files...),
		{"export", "--json", db, e.path("bundle")},
		{"export", "--json", db, e.path("openlca.zip"), "--format=jsonld"},
		{"export", "--json", db, e.path("brightway.xlsx"), "--format=xlsx"},
		{"export", "--json", db, e.path("ecospold2.zip"), "--format=ecospold2"},
	} {
		if err := command(cradle, arguments...); err != nil {
			return err
		}
	}
	return nil
}

func (e export) path(name string) string { return filepath.Join(e.folder, name) }

// command runs a program, and shows its output only if it fails.
func command(name string, arguments ...string) error {
	said, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, said)
	}
	return nil
}
