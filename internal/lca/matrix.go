package lca

import (
	"math"
	"slices"
)

// Matrix is an immutable sparse matrix of finite numbers, stored by columns.
type Matrix struct {
	rows, cols int
	start      []int   // of each column, and the end of the last
	row        []int32 // ascending within a column
	value      []float64
}

// Rows is the number of rows.
func (m *Matrix) Rows() int { return m.rows }

// Cols is the number of columns.
func (m *Matrix) Cols() int { return m.cols }

// Entries is the number of stored entries.
func (m *Matrix) Entries() int { return len(m.row) }

// Col returns the rows and values of a column's entries, in order of the rows.
// They must not be changed.
func (m *Matrix) Col(col int) ([]int32, []float64) {
	from, to := m.start[col], m.start[col+1]
	return m.row[from:to], m.value[from:to]
}

// At returns one value, 0 if it is not stored.
func (m *Matrix) At(row, col int) float64 {
	if at, ok := m.find(row, col); ok {
		return m.value[at]
	}
	return 0
}

func (m *Matrix) find(row, col int) (int, bool) {
	rows, _ := m.Col(col)
	at, ok := slices.BinarySearch(rows, int32(row))
	return m.start[col] + at, ok
}

// times returns the product with a vector.
func (m *Matrix) times(x []float64) []float64 {
	y := make([]float64, m.rows)
	for col, factor := range x {
		if factor == 0 {
			continue
		}
		rows, values := m.Col(col)
		for k, row := range rows {
			y[row] += values[k] * factor
		}
	}
	return y
}

// transposed returns the transposed matrix.
func (m *Matrix) transposed() *Matrix {
	t := &Matrix{rows: m.cols, cols: m.rows, start: make([]int, m.rows+1), row: make([]int32, len(m.row)), value: make([]float64, len(m.row))}
	for _, row := range m.row {
		t.start[row+1]++
	}
	for row := range m.rows {
		t.start[row+1] += t.start[row]
	}
	next := slices.Clone(t.start)
	for col := range m.cols {
		rows, values := m.Col(col)
		for k, row := range rows {
			t.row[next[row]], t.value[next[row]] = int32(col), values[k]
			next[row]++
		}
	}
	return t
}

// Builder collects the entries of a matrix.
type Builder struct {
	rows, cols int
	entries    []entry
}

type entry struct {
	row, col int32
	value    float64
}

// NewBuilder returns a builder for a matrix of the given size.
func NewBuilder(rows, cols int) *Builder { return &Builder{rows: rows, cols: cols} }

// Add adds to an entry, which starts at 0. Row and column must be within the size.
func (b *Builder) Add(row, col int, value float64) {
	if row < 0 || row >= b.rows || col < 0 || col >= b.cols {
		panic("lca: entry outside of its matrix")
	}
	b.entries = append(b.entries, entry{int32(row), int32(col), value})
}

// Matrix sums what was added at the same place and drops zeros. It returns a
// *NotFiniteError for an entry that is not a finite number.
func (b *Builder) Matrix() (*Matrix, error) { return b.matrix(false) }

func (b *Builder) matrix(keepZeros bool) (*Matrix, error) {
	sorted := byColumn(byRow(b.entries, b.rows), b.cols)
	m := &Matrix{rows: b.rows, cols: b.cols, start: make([]int, b.cols+1), row: make([]int32, 0, len(sorted)), value: make([]float64, 0, len(sorted))}
	for i := 0; i < len(sorted); {
		e := sorted[i]
		for i++; i < len(sorted) && sorted[i].col == e.col && sorted[i].row == e.row; i++ {
			e.value += sorted[i].value
		}
		if math.IsNaN(e.value) || math.IsInf(e.value, 0) {
			return nil, &NotFiniteError{Row: int(e.row), Col: int(e.col), Value: e.value}
		}
		if e.value != 0 || keepZeros {
			m.row, m.value = append(m.row, e.row), append(m.value, e.value)
			m.start[e.col+1]++
		}
	}
	for col := range b.cols {
		m.start[col+1] += m.start[col]
	}
	return m, nil
}

func byRow(entries []entry, rows int) []entry {
	return distribute(entries, rows, func(e entry) int32 { return e.row })
}

func byColumn(entries []entry, cols int) []entry {
	return distribute(entries, cols, func(e entry) int32 { return e.col })
}

// distribute sorts entries by a key below n. The sort is stable.
func distribute(entries []entry, n int, key func(entry) int32) []entry {
	next := make([]int, n+1)
	for _, e := range entries {
		next[key(e)+1]++
	}
	for k := range n {
		next[k+1] += next[k]
	}
	sorted := make([]entry, len(entries))
	for _, e := range entries {
		k := key(e)
		sorted[next[k]] = e
		next[k]++
	}
	return sorted
}
