package calculation

import (
	"context"
	"errors"
	"fmt"
	"math"

	"cradle/internal/ingest"
	"cradle/internal/lca"
)

// giveUp says that columns have no solution, and neither have those that take
// from them.
func (s *solution) giveUp(columns []int32, why string) {
	s.notes.add(ingest.Uncalculated, s.makers(columns), why+"; its impacts cannot be calculated", "check the amounts and providers of its inputs", "")
	s.spoil(columns, unsolved)
}

func (s *solution) spoil(columns []int32, with fate) {
	for c, spoilt := range s.gives.reachable(columns) {
		if spoilt && s.fate[c] == solved {
			s.fate[c] = with
		}
	}
}

// leaveOut gives up the columns that an error names. It is false where that
// cannot help.
func (s *solution) leaveOut(ctx context.Context, err error) bool {
	var singular *lca.SingularError
	var stuck *lca.NotSolvedError
	var overflow *lca.OverflowError
	var infinite *lca.NotFiniteError
	switch {
	case errors.As(err, &singular) && len(singular.Processes) == 0:
		return s.leaveOutHuge(s.entangled()) // factors that were no numbers any more
	case errors.As(err, &singular):
		return s.leaveOutComponents(ctx, singular.Processes, "the processes supply one another in a way that has no solution")
	case errors.As(err, &stuck) && len(stuck.Processes) > 0:
		return s.leaveOutComponents(ctx, stuck.Processes, "the network of these processes is too large to factorise and does not converge")
	case errors.As(err, &overflow) && len(overflow.Processes) > 0:
		return s.leaveOutHuge(overflow.Processes)
	case errors.As(err, &infinite) && infinite.Col < len(s.kept):
		return s.leaveOutHuge([]int{infinite.Col})
	}
	return false
}

// leaveOutComponents gives up the networks of the columns that are named, and all
// others that have no solution by themselves: an error names only the first.
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
			s.giveUp(columns, why)
		}
	}
	return true
}

// isSingular says whether columns that supply one another have no solution.
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

// entangled returns which columns supply one another, among those that are kept.
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
	var columns []int32
	for _, i := range named {
		columns = append(columns, s.kept[i])
	}
	s.notes.add(ingest.Uncalculated, s.makers(columns), fmt.Sprintf("the results are too large to be numbers; %g stands for them", math.MaxFloat64), "check the amounts", "")
	s.spoil(columns, huge)
	return true
}

// warn passes on what is odd about the network.
func (s *solution) warn() {
	for _, w := range s.factors.Warnings() {
		var columns []int32
		for _, i := range w.Processes {
			columns = append(columns, s.kept[i])
		}
		switch w.Kind {
		case lca.Unproductive:
			s.notes.add(ingest.Doubtful, s.makers(columns), fmt.Sprintf("through one another they take more of their products than they make (spectral radius about %.3g); the results mean little", w.Radius), "check the amounts", "")
		case lca.Iterated:
			s.notes.add(ingest.Doubtful, s.makers(columns), "the network is too large to factorise and was iterated", "", "")
		}
	}
}
