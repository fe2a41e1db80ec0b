package lca

import (
	"context"
	"math"
)

// Table holds the score of every process under every indicator, per unit of the
// process's reference product made, or treated if that is a waste.
type Table struct {
	Processes, Indicators int
	Values                []float64 // by process, then by indicator
	Report                Report
}

// Row returns the scores of a process. They must not be changed.
func (t *Table) Row(process int) []float64 {
	return t.Values[process*t.Indicators : (process+1)*t.Indicators]
}

// At returns one score.
func (t *Table) At(process, indicator int) float64 {
	return t.Values[process*t.Indicators+indicator]
}

// Report is how accurately the scores solve the equations.
type Report struct {
	// BackwardErrors bounds, for each indicator, the relative change of each
	// entry of A and C·B that would make the scores exact.
	BackwardErrors []float64
	// Refined is how many indicators needed more than one solve.
	Refined int
}

const (
	// backwardWanted is the error above which a solution is refined.
	backwardWanted = 1e-11
	// refinements is the most refinements tried.
	refinements = 3
)

// Scores calculates all scores of elementary flows B (flows × processes) under
// factors C (indicators × flows). It returns an *OverflowError, a
// *NotSolvedError, or the context's error.
func (f *Factors) Scores(ctx context.Context, b, c *Matrix) (*Table, error) {
	f.mustFit(b, c)
	t := &Table{Processes: f.Processes(), Indicators: c.rows, Values: make([]float64, f.Processes()*c.rows)}
	t.Report.BackwardErrors = make([]float64, c.rows)
	byIndicator, out := c.transposed(), f.outlets()
	groups := (c.rows + width - 1) / width
	refined := make([]bool, groups)
	workspaces := make([]*workspace, f.options.threads())
	err := parallel(ctx, len(workspaces), groups, func(worker, group int) error {
		if workspaces[worker] == nil {
			workspaces[worker] = f.workspace(b)
		}
		d := workspaces[worker]
		first := group * width
		d.charge(byIndicator, first)
		worst, again, err := d.solve(ctx)
		if err != nil {
			return err
		}
		refined[group] = again
		copy(t.Report.BackwardErrors[first:], worst[:])
		return d.write(t, first, out)
	})
	if err != nil {
		return nil, err
	}
	for group, again := range refined {
		if again {
			t.Report.Refined += min(width, c.rows-group*width)
		}
	}
	return t, nil
}

// mustFit panics if the sizes of the matrices do not agree, which is a mistake
// of the caller.
func (f *Factors) mustFit(b, c *Matrix) {
	if b.cols != f.a.cols || c.cols != b.rows {
		panic("lca: the matrices do not fit together")
	}
}

// outlet is where the solution of a position goes, and its factor.
type outlet struct {
	process int32
	scale   float64
}

func (f *Factors) outlets() []outlet {
	out := make([]outlet, len(f.product))
	for at, product := range f.product {
		process := f.pairs.process[product]
		_, sign := f.reference(int(process))
		out[at] = outlet{process, f.r[at] * sign}
	}
	return out
}

// workspace is one goroutine's memory for a group of indicators.
type workspace struct {
	*Factors
	b          *Matrix
	factors    []lanes // of each elementary flow, with the opposite sign
	g, y, rest []lanes
}

func (f *Factors) workspace(b *Matrix) *workspace {
	n := f.Processes()
	return &workspace{Factors: f, b: b, factors: make([]lanes, b.rows), g: make([]lanes, n), y: make([]lanes, n), rest: make([]lanes, n)}
}

// charge sets g to the scores of each process's own flows under a group of
// indicators.
func (d *workspace) charge(byIndicator *Matrix, first int) {
	clear(d.factors)
	for lane := range min(width, byIndicator.cols-first) {
		flows, values := byIndicator.Col(first + lane)
		for k, flow := range flows {
			d.factors[flow][lane] = -values[k]
		}
	}
	for at, process := range d.process {
		var sum lanes
		flows, amounts := d.b.Col(int(process))
		gather(&sum, flows, amounts, d.factors)
		for lane := range sum {
			sum[lane] *= d.s[at]
		}
		d.g[at] = sum
	}
}

// solve sets y, and returns its backward error and whether it had to be refined.
func (d *workspace) solve(ctx context.Context) (worst lanes, refined bool, err error) {
	if err := d.adjoint(ctx, d.g, d.y); err != nil {
		return worst, false, err
	}
	worst = d.verify()
	for range refinements {
		if most(worst) <= backwardWanted {
			break
		}
		refined = true
		if err := d.refine(ctx); err != nil {
			return worst, true, err
		}
		worst = d.verify()
	}
	return worst, refined, nil
}

func most(x lanes) float64 {
	largest := x[0]
	for _, value := range x {
		largest = max(largest, value)
	}
	return largest
}

func (d *workspace) refine(ctx context.Context) error {
	change := make([]lanes, len(d.y))
	if err := d.adjoint(ctx, d.rest, change); err != nil {
		return err
	}
	for at := range change {
		for lane := range change[at] {
			d.y[at][lane] += change[at][lane]
		}
	}
	return nil
}

// verify sets rest to the residual g - Wᵀ·y, and returns the largest
// componentwise backward error of each lane.
func (d *workspace) verify() (worst lanes) {
	for at := range d.y {
		from, to := d.start[at], d.start[at+1]
		rest := d.g[at]
		gather(&rest, d.row[from:to], d.w[from:to], d.y)
		d.rest[at] = rest
		for lane, r := range rest {
			if size := math.Abs(d.g[at][lane]) + math.Abs(d.diagonal[at]*d.y[at][lane]); math.Abs(r) > worst[lane]*size {
				worst[lane] = max(worst[lane], math.Abs(r)/d.size(at, lane))
			} else if r != r {
				worst[lane] = math.Inf(1)
			}
		}
	}
	return worst
}

// size is the sum of the absolute values of all terms of an equation.
func (d *workspace) size(at, lane int) float64 {
	size := math.Abs(d.g[at][lane])
	for k := d.start[at]; k < d.start[at+1]; k++ {
		size += math.Abs(d.w[k] * d.y[d.row[k]][lane])
	}
	return size
}

// write puts the scores into the table.
func (d *workspace) write(t *Table, first int, out []outlet) error {
	var overflown []int
	for at, o := range out {
		row := t.Row(int(o.process))[first:]
		row = row[:min(width, len(row))]
		nothing := 0.0
		for lane := range row {
			score := d.y[at][lane] * o.scale
			row[lane] = score
			nothing += score * 0
		}
		if nothing != 0 { // one of them is infinite or NaN
			overflown = append(overflown, int(o.process))
		}
	}
	if overflown != nil {
		return &OverflowError{overflown}
	}
	return nil
}
