package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/ingest"
)

type explainCommand struct {
	Process idValue    `arg:"" help:"The process's id."`
	Method  []idValue  `placeholder:"METHOD" help:"Show only the scores of these methods."`
	Depth   countValue `default:"3" help:"How many levels of suppliers to show."`
	Share   shareValue `default:"0.01" help:"Hide suppliers and flows that contribute less than this fraction of a score, from 0 to 1."`
	Samples countValue `default:"0" help:"Run a Monte Carlo simulation with this many samples."`
	Seed    uint64     `default:"1" help:"The seed of the random numbers. The same seed gives the same results."`
}

func (explainCommand) Help() string {
	return `Shows the contributions to the impacts of a process: its own emissions, its suppliers and their suppliers, and the
elementary flows of the whole supply chain. Hidden amounts are shown too.

Examples:

    cradle explain 0f8d4d0a-6f1f-4d7a-9b67-1d2b6a1f7c55
    cradle explain 0f8d4d0a-6f1f-4d7a-9b67-1d2b6a1f7c55 --method 5b0c0a3e-3f0e-4f4e-9a44-0d8e4a0f3f10 --depth 5
    cradle explain 0f8d4d0a-6f1f-4d7a-9b67-1d2b6a1f7c55 --samples 1000 --seed 7`
}

// maxSamples bounds how many samples are kept.
const maxSamples = 1_000_000

func (c *explainCommand) Run(a *app) error {
	if c.Samples > maxSamples {
		return wrongValue("%s must be at most %d", a.named("samples"), maxSamples)
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	var found *calculation.Explanation
	err = o.ReadInventory(a.ctx, func(from ingest.Inventory) error {
		var err error
		found, err = calculator().Explain(a.ctx, from, calculation.Question{
			Process: c.Process.id(), Methods: idsOf(c.Method), Depth: int(c.Depth), Share: float64(c.Share), Samples: int(c.Samples), Seed: c.Seed,
		})
		return err
	})
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(found)
	}
	return showExplanation(a.out, found)
}

func showExplanation(out io.Writer, e *calculation.Explanation) error {
	fmt.Fprintf(out, "%s\nper %s %s of %s\n", titled(e.Name, e.Region), number(e.Amount), e.Unit, e.Product)
	for _, s := range e.Scores {
		showScore(out, s)
	}
	return nil
}

func showScore(out io.Writer, s calculation.Score) {
	fmt.Fprintf(out, "\n%s %s, %s, %s: %s %s\n", s.Method, s.Version, s.Category, s.Indicator, number(s.Value), s.Unit)
	fmt.Fprintf(out, "  factors for %s of the elementary exchanges upstream, %d inputs cut off, backward error %.0e\n", percent(s.Coverage), s.CutOffs, s.Residual)
	if s.Stated != nil {
		fmt.Fprintf(out, "  the provider states %s %s instead\n", number(*s.Stated), s.Unit)
	}
	if d := s.Spread; d != nil {
		fmt.Fprintf(out, "  of %d samples: mean %s, standard deviation %s, 5 %% below %s, half below %s, 95 %% below %s\n",
			d.Samples, number(d.Mean), number(d.StandardDeviation), number(d.P5), number(d.P50), number(d.P95))
	}
	showSupplier(out, s.Tree, s.Value, 1)
	if len(s.Flows) > 0 {
		fmt.Fprintln(out, "  elementary flows of the whole supply chain:")
	}
	for _, f := range s.Flows {
		fmt.Fprintf(out, "    %7s  %s %s  %s\n", percent(f.Share), number(f.Amount), f.Unit, titled(f.Name, f.Compartment))
	}
}

func showSupplier(out io.Writer, s calculation.Supplier, whole float64, level int) {
	indent := strings.Repeat("  ", level)
	fmt.Fprintf(out, "%s%7s  %s %s  %s\n", indent, percent(s.Share), number(s.Amount), s.Unit, titled(s.Name, s.Region))
	if visible(s.Direct/whole) && (len(s.Suppliers) > 0 || visible(s.Others/whole)) {
		fmt.Fprintf(out, "%s  %7s  itself\n", indent, percent(s.Direct/whole))
	}
	for _, one := range s.Suppliers {
		showSupplier(out, one, whole, level+1)
	}
	if visible(s.Others / whole) {
		fmt.Fprintf(out, "%s  %7s  suppliers not shown\n", indent, percent(s.Others/whole))
	}
}

func titled(name, place string) string {
	if place == "" {
		return name
	}
	return name + " (" + place + ")"
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', 6, 64) }

// visible reports whether a part is not 0 once percent has rounded it.
func visible(part float64) bool { return math.Abs(part) >= 0.0005 }

func percent(part float64) string { return fmt.Sprintf("%.1f %%", 100*part) }
