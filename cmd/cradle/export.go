package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cradle/internal/account"
	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/fault"
	"cradle/internal/formats"
	"cradle/internal/gateway"
	"cradle/internal/lci"
	"cradle/internal/rest"
	"cradle/internal/store"
)

type exportCommand struct {
	Path   string            `arg:"" help:"Where to: a file, or for a bundle a folder, too."`
	Format exportFormatValue `default:"bundle" placeholder:"bundle" help:"bundle, jsonld (openLCA), ecospold2, csv (flat tables) or xlsx (Brightway)."`
	Team   idValue           `placeholder:"TEAM" help:"Only what was revealed to this team with live credits."`
}

func (exportCommand) Help() string {
	return `Examples:

    cradle export library.zip
    cradle export openlca.zip --format jsonld
    cradle export brightway.xlsx --format xlsx
    cradle export pulled/ --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

func (c *exportCommand) Run(a *app) error {
	if err := checkFolder(filepath.Clean(c.Path)); err != nil { // a folder's slash may end it
		return fmt.Errorf("PATH: %w", err)
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	var done exportDocument
	format, _ := formats.FindExport(string(c.Format))
	if team := c.Team.id(); team.IsZero() {
		err = o.Export(a.ctx, func(from *store.Shelf) (err error) {
			done, err = writeWhole(a.ctx, format, c.Path, from)
			return err
		})
	} else {
		err = o.ExportOwned(a.ctx, account.Wallet{Team: team, Mode: account.Live}, func(from *store.Shelf) (err error) {
			done.Counts, err = format.WriteFile(a.ctx, c.Path, from, nil)
			return err
		})
	}
	if err != nil {
		return err
	}
	if !a.global.JSON {
		done.showLeftOut(a.err)
	}
	counts := done.Counts
	return a.print(done, "Wrote %s: materials %d, properties %d, processes %d, exchanges %d, impacts %d, methods %d.",
		c.Path, counts.Materials, counts.Properties, counts.Processes, counts.Exchanges, counts.Impacts, counts.Methods)
}

// exportDocument is what an export wrote, and what it left out because Cradle
// does not count it either.
type exportDocument struct {
	export.Counts
	LeftOut []omission `json:"leftOut,omitempty"`
}

type omission struct {
	ProcessID  lci.ID  `json:"processId"`
	Process    string  `json:"process"`
	ExchangeID *lci.ID `json:"exchangeId,omitempty"`
	Exchange   string  `json:"exchange,omitempty"`
	Reason     string  `json:"reason"`
}

// reasons say why something is left out, and of how many.
var reasons = []struct {
	role calculation.Role
	name string
	text string
}{
	{calculation.Reference, "no_rows", "%d processes have no impacts; they supply nobody"},
	{calculation.Unlinked, "cut_off", "%d inputs and wastes are cut off: nobody supplies or treats them"},
	{calculation.Unsupplied, "supplier_without_rows", "%d inputs and wastes are of suppliers that have no impacts"},
	{calculation.Inconvertible, "unit", "%d elementary exchanges are in units that cannot be converted"},
}

// writeWhole writes the whole catalogue.
func writeWhole(ctx context.Context, format formats.Export, path string, from *store.Shelf) (done exportDocument, err error) {
	var network *calculation.Network
	if format.Calculates {
		if network, err = calculator().Network(ctx, from.Inventory()); err != nil {
			return done, err
		}
	}
	if format.Reduced {
		done.addOmissions(network.Omissions())
	}
	done.Counts, err = format.WriteFile(ctx, path, from, network)
	return done, err
}

func (d *exportDocument) addOmissions(all []calculation.Omission) {
	for _, o := range all {
		left := omission{ProcessID: o.ProcessID, Process: o.Process, Exchange: o.Name}
		if !o.ExchangeID.IsZero() {
			left.ExchangeID = &o.ExchangeID
		}
		for _, r := range reasons {
			if r.role == o.Role {
				left.Reason = r.name
			}
		}
		d.LeftOut = append(d.LeftOut, left)
	}
}

func (d *exportDocument) showLeftOut(to io.Writer) {
	counts := map[string]int{}
	for _, o := range d.LeftOut {
		counts[o.Reason]++
	}
	for _, r := range reasons {
		if n := counts[r.name]; n > 0 {
			fmt.Fprintf(to, "Left out: "+r.text+".\n", n)
		}
	}
	if len(d.LeftOut) > 0 {
		fmt.Fprintln(to, "Use --json to list them.")
	}
}

// maxExports is how many exports are made at a time; others wait.
const maxExports = 2

var exporting = make(chan struct{}, maxExports)

// exportOwned makes a file of what was revealed to a wallet: what cannot be
// finished is not begun, and a slow client keeps no reader of the database.
func (o *backend) exportOwned(ctx context.Context, wallet account.Wallet, name string) (*rest.Export, error) {
	format, ok := formats.FindExport(name)
	if !ok {
		return nil, fault.Invalidf("format must be one of %s", strings.Join(formats.ExportNames(), ", "))
	}
	select {
	case exporting <- struct{}{}:
		defer func() { <-exporting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := os.CreateTemp("", "cradle-export-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // it lives as long as it is open
	sum := sha256.New()
	err = o.ExportOwned(ctx, wallet, func(from *store.Shelf) error {
		_, err := format.Write(ctx, io.MultiWriter(f, sum), from, nil)
		return err
	})
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &rest.Export{ReadCloser: f, MediaType: format.MediaType, Name: "cradle-" + format.Name + format.Extension, Sum: gateway.Sum(sum.Sum(nil)[:16])}, nil
}

// exporter gives a team its own data, through the API and in the portal. Where test keys see
// stand-ins for numbers, the numbers do not leave by this path either.
func (o *backend) exporter(syntheticSandbox bool) rest.Exporter {
	return func(ctx context.Context, v account.Viewer, format string) (*rest.Export, error) {
		if syntheticSandbox && v.Mode == account.Sandbox {
			return nil, fault.New(fault.Conflict, "synthetic_values", "Test keys see stand-ins for the numbers here, and an export has none; use a live key")
		}
		return o.exportOwned(ctx, v.Wallet(), format)
	}
}
