package lca

// unmatched marks a product without a process, or a process without a product.
const unmatched = -1

// matching pairs processes with their reference products.
type matching struct {
	product []int32 // of each process
	process []int32 // of each product
}

// match keeps the diagonal where there is one. A process without a diagonal
// entry gets its largest output that is still free; any process left takes a
// product from one that can take another. The diagonal of a matrix that is not
// square means nothing.
func match(a *Matrix) matching {
	m := matching{filled(a.cols, unmatched), filled(a.rows, unmatched)}
	for col := range a.cols {
		if a.rows == a.cols && a.At(col, col) != 0 {
			m.pair(int32(col), int32(col))
		}
	}
	for col, product := range m.product {
		if product == unmatched {
			m.takeFree(a, int32(col))
		}
	}
	search := augmentation{a: a, m: m, seen: filled(a.cols, unmatched), next: make([]int, a.cols)}
	for col, product := range m.product {
		if product == unmatched {
			search.from(int32(col))
		}
	}
	return m
}

func filled(n int, value int32) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = value
	}
	return s
}

func (m matching) pair(process, product int32) {
	m.product[process], m.process[product] = product, process
}

func (m matching) takeFree(a *Matrix, col int32) {
	best, largest := int32(unmatched), 0.0
	rows, values := a.Col(int(col))
	for k, row := range rows {
		if m.process[row] == unmatched && values[k] > largest {
			best, largest = row, values[k]
		}
	}
	if best != unmatched {
		m.pair(col, best)
	}
}

// augmentation searches, depth first, for a chain of processes in which each
// takes the product of the next, and the last takes a free one.
type augmentation struct {
	a    *Matrix
	m    matching
	seen []int32 // the process that a search last came from
	next []int   // entry to try next
	path []int32
}

func (s *augmentation) from(col int32) {
	s.path = append(s.path[:0], col)
	s.enter(col, col)
	for len(s.path) > 0 {
		top := s.path[len(s.path)-1]
		if s.finish(top) {
			return
		}
		if to := s.advance(top, col); to != unmatched {
			s.enter(to, col)
			s.path = append(s.path, to)
		} else {
			s.path = s.path[:len(s.path)-1]
		}
	}
}

func (s *augmentation) enter(col, from int32) {
	s.seen[col], s.next[col] = from, s.a.start[col]
}

// finish ends the chain at a free product, if there is one.
func (s *augmentation) finish(col int32) bool {
	rows, values := s.a.Col(int(col))
	for k, row := range rows {
		if s.m.process[row] != unmatched || values[k] == 0 {
			continue
		}
		for i := len(s.path) - 1; i >= 0; i-- {
			left := s.m.product[s.path[i]]
			s.m.pair(s.path[i], row)
			row = left
		}
		return true
	}
	return false
}

func (s *augmentation) advance(col, from int32) int32 {
	for ; s.next[col] < s.a.start[col+1]; s.next[col]++ {
		if s.a.value[s.next[col]] == 0 {
			continue
		}
		if owner := s.m.process[s.a.row[s.next[col]]]; s.seen[owner] != from {
			return owner
		}
	}
	return unmatched
}

// check returns an error that names what has no partner.
func (m matching) check(a *Matrix) error {
	var without, surplus []int
	for product, process := range m.process {
		if process == unmatched {
			without = append(without, product)
		}
	}
	for process, product := range m.product {
		if product == unmatched {
			surplus = append(surplus, process)
		}
	}
	switch {
	case a.rows != a.cols:
		return &NotSquareError{Products: a.rows, Processes: a.cols, WithoutProducer: without, SeveralProducers: made(a, surplus), WithoutProduct: surplus}
	case len(surplus) > 0:
		return &SingularError{Processes: surplus, Products: without}
	}
	return nil
}

// made lists the outputs of processes.
func made(a *Matrix, processes []int) []int {
	seen := make([]bool, a.rows)
	for _, process := range processes {
		rows, values := a.Col(process)
		for k, row := range rows {
			if values[k] > 0 {
				seen[row] = true
			}
		}
	}
	var products []int
	for product, is := range seen {
		if is {
			products = append(products, product)
		}
	}
	return products
}
