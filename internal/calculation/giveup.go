package calculation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lca"
)

// giveUp marks columns, and all that depend on them, as having no impacts.
func (s *solution) giveUp(columns []int32, class ingest.Class, why, suggestion string) {
	own, lost := s.namesOf(columns), s.namesOf(s.dependent(columns))
	message := why + "; no impacts"
	if more := len(lost) - len(own); more > 0 {
		message += fmt.Sprintf(", also not for processes that depend on it (%d more)", more)
	}
	s.notes.addAll(class, s.makers(columns), message, suggestion, lost)
	s.spoil(columns, unsolved)
}

// dependent lists columns and everything that takes from them, except what is
// already given up.
func (s *solution) dependent(columns []int32) []int32 {
	var all []int32
	for c, reached := range s.gives.reachable(columns) {
		if reached && s.fate[c] == solved {
			all = append(all, int32(c))
		}
	}
	return all
}

// namesOf lists the processes of columns, each once.
func (s *solution) namesOf(columns []int32) []string {
	var names []string
	last := none
	for _, c := range columns { // a process's columns are adjacent
		if p := s.columns[c].process; p != last {
			names, last = append(names, s.processes[p].label), p
		}
	}
	return names
}

func (s *solution) spoil(columns []int32, with fate) {
	for _, c := range s.dependent(columns) {
		s.fate[c] = with
	}
}

// leaveOutUnproductive gives up the networks that take more of their own
// products than they make, not counting credits for avoided products.
func (s *solution) leaveOutUnproductive(ctx context.Context) error {
	s.keepSolved()
	a := lca.NewBuilder(len(s.kept), len(s.kept))
	for i, c := range s.kept {
		a.Add(i, i, math.Abs(s.columns[c].amount))
		s.taken(c, func(x *exchange, share float64) {
			if row, drawn := s.at[x.supplier], s.drawn(x); row != none && drawn > 0 {
				a.Add(int(row), i, -share*drawn)
			}
		})
	}
	matrix, err := a.Matrix()
	if err != nil {
		return nil // overflow: left out later with the rest
	}
	networks, err := lca.Unproductive(ctx, matrix)
	for _, members := range networks {
		columns := s.columnsOf(members)
		s.giveUp(columns, ingest.Unproductive, "these processes consume more of their own products, through each other, than they make", "check the amounts and providers of their inputs")
	}
	return err
}

// columnsOf maps indices in the solved system to columns.
func (s *solution) columnsOf(kept []int) []int32 {
	columns := make([]int32, len(kept))
	for i, at := range kept {
		columns[i] = s.kept[at]
	}
	slices.Sort(columns)
	return columns
}

// leaveOut gives up the columns that an error names. It returns false if that
// cannot help.
func (s *solution) leaveOut(ctx context.Context, err error) bool {
	var singular *lca.SingularError
	var stuck *lca.NotSolvedError
	var overflow *lca.OverflowError
	var infinite *lca.NotFiniteError
	switch {
	case errors.As(err, &singular) && len(singular.Processes) == 0:
		return s.leaveOutHuge(s.entangled()) // the factors overflowed
	case errors.As(err, &singular):
		return s.leaveOutComponents(ctx, singular.Processes, "the equations of these processes have no solution")
	case errors.As(err, &stuck) && len(stuck.Processes) > 0:
		return s.leaveOutComponents(ctx, stuck.Processes, "the solver does not converge on this network")
	case errors.As(err, &overflow) && len(overflow.Processes) > 0:
		return s.leaveOutHuge(overflow.Processes)
	case errors.As(err, &infinite) && infinite.Col < len(s.kept):
		return s.leaveOutHuge([]int{infinite.Col})
	}
	return false
}

// leaveOutComponents gives up the networks of the named columns, and all others
// without a solution of their own: an error names only the first.
func (s *solution) leaveOutComponents(ctx context.Context, named []int, why string) bool {
	of, n := s.takes.components()
	members := make([][]int32, n)
	for _, c := range s.kept {
		members[of[c]] = append(members[of[c]], c)
	}
	bad := make([]bool, n)
	for _, i := range named {
		bad[of[s.kept[i]]] = true
	}
	for component, columns := range members {
		if len(columns) > 1 && !bad[component] {
			bad[component] = s.isSingular(ctx, columns)
		}
		if bad[component] && s.fate[columns[0]] == solved {
			s.giveUp(columns, ingest.Unproductive, why, "check the amounts and providers of their inputs")
		}
	}
	return true
}

// isSingular reports whether columns that supply one another have no solution.
func (s *solution) isSingular(ctx context.Context, columns []int32) bool {
	at := make(map[int32]int, len(columns))
	for i, c := range columns {
		at[c] = i
	}
	a := lca.NewBuilder(len(columns), len(columns))
	for i, c := range columns {
		a.Add(i, i, s.columns[c].amount)
		s.taken(c, func(x *exchange, share float64) {
			if row, among := at[x.supplier]; among {
				a.Add(row, i, share*s.coefficient(x))
			}
		})
	}
	matrix, err := a.Matrix()
	if err == nil {
		_, err = lca.Factorise(ctx, matrix, lca.Options{})
	}
	var singular *lca.SingularError
	return errors.As(err, &singular) && len(singular.Processes) > 0
}

// entangled returns which of the kept columns supply one another.
func (s *solution) entangled() []int {
	of, n := s.takes.components()
	size := make([]int, n)
	for _, c := range s.kept {
		size[of[c]]++
	}
	var among []int
	for i, c := range s.kept {
		if size[of[c]] > 1 {
			among = append(among, i)
		}
	}
	return among
}

func (s *solution) leaveOutHuge(named []int) bool {
	if len(named) == 0 {
		return false
	}
	columns := s.columnsOf(named)
	s.notes.addAll(ingest.Uncalculated, s.makers(columns), fmt.Sprintf("the results are too large; stored as %g", math.MaxFloat64), "check the amounts",
		s.namesOf(s.dependent(columns)))
	s.spoil(columns, huge)
	return true
}

func (s *solution) noteIterated() {
	for _, network := range s.factors.Iterated() {
		columns := s.columnsOf(network)
		s.notes.addAll(ingest.Doubtful, s.makers(columns), "the network is too large to factorise; it was solved by iteration", "", s.namesOf(columns))
	}
}
