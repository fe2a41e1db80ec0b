// Package tables calculates score tables of synthetic libraries in separate
// processes: with Cradle, and with SuiteSparse through a small C program. The
// library is passed in a file.
package tables

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"

	"cradle/internal/lca"
	"cradle/internal/lca/synth"
)

// Write makes a library and writes it: A, B and C transposed, each as rows,
// columns and entries, then column starts, rows and values.
func Write(path string, processes, indicators int) (entries int, err error) {
	s := synth.Make(processes, indicators, 1)
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(file)
	for _, m := range []*lca.Matrix{s.A, s.B, transposed(s.C)} {
		writeMatrix(w, m)
	}
	return s.A.Entries(), errors.Join(w.Flush(), file.Close())
}

func transposed(m *lca.Matrix) *lca.Matrix {
	b := lca.NewBuilder(m.Cols(), m.Rows())
	for col := range m.Cols() {
		rows, values := m.Col(col)
		for k, row := range rows {
			b.Add(col, int(row), values[k])
		}
	}
	t, err := b.Matrix()
	if err != nil {
		panic(err) // its values are those of a matrix
	}
	return t
}

// writeMatrix leaves errors to the writer, which keeps the first for its Flush.
func writeMatrix(w *bufio.Writer, m *lca.Matrix) {
	put := func(data any) { _ = binary.Write(w, binary.LittleEndian, data) }
	starts := make([]int32, 1, m.Cols()+1)
	var rows []int32
	var values []float64
	for col := range m.Cols() {
		r, v := m.Col(col)
		rows, values = append(rows, r...), append(values, v...)
		starts = append(starts, int32(len(rows)))
	}
	put([]int32{int32(m.Rows()), int32(m.Cols()), int32(len(rows))})
	put(starts)
	put(rows)
	put(values)
}

// read reads the library, with only the first indicators.
func read(path string, indicators int) (a, b, c *lca.Matrix, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer file.Close()
	r := bufio.NewReader(file)
	a, errA := readMatrix(r, math.MaxInt)
	b, errB := readMatrix(r, math.MaxInt)
	c, errC := readMatrix(r, indicators)
	if err := errors.Join(errA, errB, errC); err != nil {
		return nil, nil, nil, err
	}
	return a, b, transposed(c), nil
}

func readMatrix(r io.Reader, cols int) (*lca.Matrix, error) {
	var size [3]int32
	if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	starts, rows, values := make([]int32, size[1]+1), make([]int32, size[2]), make([]float64, size[2])
	for _, part := range []any{starts, rows, values} {
		if err := binary.Read(r, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	b := lca.NewBuilder(int(size[0]), min(int(size[1]), cols))
	for col := range min(int(size[1]), cols) {
		for k := starts[col]; k < starts[col+1]; k++ {
			b.Add(int(rows[k]), col, values[k])
		}
	}
	return b.Matrix()
}
