package lca

import "context"

// Table holds the score of every process under every indicator, each per unit of
// the process's reference product made, or treated where that is a waste.
type Table struct {
	Processes, Indicators int
	Values                []float64 // by process, then by indicator
	Report                Report
}

// Row gives the scores of a process. It belongs to the table.
func (t *Table) Row(process int) []float64 {
	return t.Values[process*t.Indicators : (process+1)*t.Indicators]
}

// At is one score.
func (t *Table) At(process, indicator int) float64 {
	return t.Values[process*t.Indicators+indicator]
}

// Report tells how far the scores can be trusted as solutions of the equations.
type Report struct {
	// BackwardErrors has for each indicator the largest relative change of the
	// entries of A and of C·B that would make the scores exact.
	BackwardErrors []float64
	// Refined is how many indicators needed more than one solve.
	Refined int
}

// Scores calculates all scores of elementary flows B (flows × processes) under
// factors C (indicators × flows). It returns an *OverflowError, a
// *NotSolvedError, or the context's error.
func (f *Factors) Scores(ctx context.Context, b, c *Matrix) (*Table, error) {
	f.mustFit(b, c)
	t := &Table{Processes: f.Processes(), Indicators: c.Rows(), Values: make([]float64, f.Processes()*c.Rows())}
	t.Report.BackwardErrors = make([]float64, c.Rows())
	ct := c.transposed()
	for k := range c.Rows() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		factors := make([]float64, c.Cols())
		rows, values := ct.Col(k)
		for i, row := range rows {
			factors[row] = values[i]
		}
		g := make([]float64, b.Cols())
		for j := range g {
			rows, values := b.Col(j)
			for i, row := range rows {
				g[j] += values[i] * factors[row]
			}
		}
		y := f.dense.adjoint(g)
		for j := range g {
			_, sign := f.reference(j)
			t.Values[j*t.Indicators+k] = y[f.Product(j)] * sign
		}
	}
	return t, nil
}

// mustFit panics where the matrices have no common size, which is the caller's
// mistake.
func (f *Factors) mustFit(b, c *Matrix) {
	if b.cols != f.a.cols || c.cols != b.rows {
		panic("lca: the matrices do not fit together")
	}
}
