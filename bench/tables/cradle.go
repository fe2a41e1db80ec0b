package tables

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"cradle/internal/lca"
)

// Cradle is the process that calculates a table with Cradle's engine, on one
// thread, and prints the same as the C program. Results, if wanted, go to a
// file.
func Cradle(args []string) error {
	runtime.GOMAXPROCS(1)
	indicators, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	a, b, c, err := read(args[0], indicators)
	if err != nil {
		return err
	}
	runtime.GC() // so that the collector need not clean up after reading
	began := processor()
	f, err := lca.Factorise(context.Background(), a, lca.Options{Threads: 1})
	if err != nil {
		return err
	}
	factorised := processor()
	table, err := f.Scores(context.Background(), b, c)
	if err != nil {
		return err
	}
	fmt.Printf("%.6f %.6f %d %g\n", (factorised - began).Seconds(), (processor() - factorised).Seconds(), indicators, slices.Max(table.Report.BackwardErrors))
	if len(args) < 3 {
		return nil
	}
	return results(args[2], a, table)
}

// processor is the processor time that this process took so far.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// results writes the table like SuiteSparse's solution: by product, so that a
// waste is negative.
func results(path string, a *lca.Matrix, table *lca.Table) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for process := range table.Processes {
		row := table.Row(process)
		if a.At(process, process) < 0 {
			for k := range row {
				row[k] = -row[k]
			}
		}
		_ = binary.Write(w, binary.LittleEndian, row) // Flush tells
	}
	return errors.Join(w.Flush(), file.Close())
}

// Farthest is the largest relative difference between the numbers of two files.
func Farthest(path, other string) (float64, error) {
	x, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	y, err := os.Open(other)
	if err != nil {
		return 0, err
	}
	defer y.Close()
	return farthest(bufio.NewReader(x), bufio.NewReader(y))
}

func farthest(x, y *bufio.Reader) (float64, error) {
	most := 0.0
	var p, q [8]byte
	for {
		_, endX := io.ReadFull(x, p[:])
		_, endY := io.ReadFull(y, q[:])
		if endX != nil || endY != nil {
			if (endX == nil) != (endY == nil) {
				return 0, errors.New("the results differ in number")
			}
			return most, nil
		}
		a, b := math.Float64frombits(binary.LittleEndian.Uint64(p[:])), math.Float64frombits(binary.LittleEndian.Uint64(q[:]))
		if a != b {
			most = max(most, math.Abs(a-b)/math.Abs(b))
		}
	}
}
