package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"cradle/internal/account"
	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/formats"
	"cradle/internal/freshness"
	"cradle/internal/lci"
	"cradle/internal/library"
	"cradle/internal/store"
)

type exportCommand struct {
	Path   string            `arg:"" help:"The file to write. A bundle can also be a folder."`
	Format exportFormatValue `default:"bundle" placeholder:"bundle" help:"bundle, jsonld (openLCA), ecospold2, csv (flat tables) or xlsx (Brightway)."`
	Team   idValue           `placeholder:"TEAM" help:"Write only what this team has pulled with live credits."`
}

func (exportCommand) Help() string {
	return `Examples:

    cradle export library.zip
    cradle export openlca.zip --format jsonld
    cradle export brightway.xlsx --format xlsx
    cradle export pulled/ --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

func (c *exportCommand) Run(a *app) error {
	if err := checkFolder(filepath.Clean(c.Path)); err != nil { // it may end in a slash
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
		err = o.Export(a.ctx, func(from *store.Snapshot) (err error) {
			done, err = writeWhole(a.ctx, format, c.Path, from)
			return err
		})
	} else {
		done.Counts, err = o.writePulled(a.ctx, format, c.Path, team)
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
// does not count it.
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

// reasons tell why something is left out, with the count.
var reasons = []struct {
	role calculation.Role
	name string
	text string
}{
	{calculation.Reference, "no_rows", "%d processes have no impacts, so they supply no other process"},
	{calculation.Unlinked, "cut_off", "%d inputs and wastes are cut off, because no process supplies or treats them"},
	{calculation.Unsupplied, "supplier_without_rows", "%d inputs and wastes have a supplier without impacts"},
	{calculation.Inconvertible, "unit", "%d elementary exchanges have a unit that cannot be converted"},
}

// writeWhole writes the whole catalogue.
func writeWhole(ctx context.Context, format formats.Export, path string, from *store.Snapshot) (done exportDocument, err error) {
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

// writePulled writes what a team has pulled with live credits.
func (o *backend) writePulled(ctx context.Context, format formats.Export, path string, team lci.ID) (counts export.Counts, err error) {
	if _, err := o.accounts.Team(ctx, team); err != nil {
		return counts, err
	}
	v := account.Viewer{Team: team, Mode: account.Live}
	if v.At, err = freshness.New(o.Store).Now(ctx, v.Wallet()); err != nil {
		return counts, err
	}
	err = library.New(o.Store, library.Options{}).Export(ctx, v, func(from *library.Pulled) (err error) {
		counts, err = format.WriteFile(ctx, path, from, nil)
		return err
	})
	return counts, err
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
