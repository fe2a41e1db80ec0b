package lca

import "fmt"

// NotFiniteError reports an entry that is not a finite number.
type NotFiniteError struct {
	Row, Col int
	Value    float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("the entry of row %d in column %d is %v", e.Row, e.Col, e.Value)
}

// NotSquareError reports a technosphere with more products than processes, or
// fewer.
type NotSquareError struct {
	Products, Processes int
	WithoutProducer     []int // products left without a process
	SeveralProducers    []int // products of processes that are left without one of their own
	WithoutProduct      []int // those processes
}

func (e *NotSquareError) Error() string {
	return fmt.Sprintf("there are %d products for %d processes; without a producer: %s; with several: %s",
		e.Products, e.Processes, some("product", e.WithoutProducer), some("product", e.SeveralProducers))
}

// SingularError reports processes with linearly dependent columns, so that a
// demand for their products has no solution, or many.
type SingularError struct {
	Processes []int
	Products  []int // products left without a process, if known
}

func (e *SingularError) Error() string {
	return fmt.Sprintf("the technosphere is singular because of %s", some("process", e.Processes))
}

// NotSolvedError reports processes whose system was too large to factorise and
// did not converge when iterated.
type NotSolvedError struct {
	Processes     []int
	BackwardError float64
}

func (e *NotSolvedError) Error() string {
	return fmt.Sprintf("the network of %s was too large to factorise and does not converge (backward error %.1g)",
		some("process", e.Processes), e.BackwardError)
}

// OverflowError reports results that overflow.
type OverflowError struct{ Processes []int }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("the results are too large to be numbers for %s", some("process", e.Processes))
}

// some formats the first of a list of indices.
func some(what string, indices []int) string {
	const shown = 5
	switch {
	case len(indices) == 0:
		return "none"
	case len(indices) > shown:
		return fmt.Sprintf("%s %v and %d more", what, indices[:shown], len(indices)-shown)
	}
	return fmt.Sprintf("%s %v", what, indices)
}
