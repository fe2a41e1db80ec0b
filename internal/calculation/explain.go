package calculation

import (
	"context"
	"math"
	"slices"

	"cradle/internal/fault"
	"cradle/internal/ingest"
	"cradle/internal/lca"
	"cradle/internal/lci"
)

// Question is which scores of a process to explain, and how far.
type Question struct {
	Process lci.ID
	Methods []lci.ID // none: all
	Depth   int      // how many levels of suppliers
	Share   float64  // suppliers and flows below this share of the score are not listed
	Samples int      // of uncertain amounts; 0: none
	Seed    uint64
}

// Explanation is the composition of a process's scores.
type Explanation struct {
	Process lci.ID  `json:"processId"`
	Name    string  `json:"name"`
	Region  string  `json:"region"`
	Product string  `json:"product"`
	Amount  float64 `json:"amount"` // of the product that the scores are for
	Unit    string  `json:"unit"`
	Scores  []Score `json:"scores"`
}

// Score is one score and its parts.
type Score struct {
	MethodID  lci.ID   `json:"methodId"`
	Method    string   `json:"method"`
	Version   string   `json:"version"`
	Category  string   `json:"impactCategory"`
	Indicator string   `json:"indicator"`
	Unit      string   `json:"unit"`
	Value     float64  `json:"value"`
	Stated    *float64 `json:"stated"` // what the provider states instead
	Coverage  float64  `json:"coverage"`
	CutOffs   int      `json:"cutOffs"`
	Residual  float64  `json:"residual"`
	Tree      Supplier `json:"tree"`
	Flows     []Flow   `json:"flows"` // of the whole supply chain
	Spread    *Spread  `json:"spread,omitempty"`
}

// Supplier is what a process contributes to a score, including everything
// upstream of it; the root is the process itself.
type Supplier struct {
	Process   lci.ID     `json:"processId"`
	Name      string     `json:"name"`
	Region    string     `json:"region"`
	Product   string     `json:"product"`
	Amount    float64    `json:"amount"`
	Unit      string     `json:"unit"`
	Score     float64    `json:"score"`
	Share     float64    `json:"share"`  // of the whole score
	Direct    float64    `json:"direct"` // from its own exchanges with nature
	Others    float64    `json:"others"` // from suppliers that are not listed
	Suppliers []Supplier `json:"suppliers"`
}

// Flow is what an elementary flow contributes to a score.
type Flow struct {
	Flow        lci.ID  `json:"flowId"`
	Name        string  `json:"name"`
	Compartment string  `json:"compartment"`
	Amount      float64 `json:"amount"`
	Unit        string  `json:"unit"`
	Score       float64 `json:"score"`
	Share       float64 `json:"share"`
}

// Explain splits the scores of a process. It returns a fault for a process that
// does not exist or has no scores.
func (c *Calculator) Explain(ctx context.Context, from ingest.Inventory, q Question) (*Explanation, error) {
	m, err := c.model(ctx, from, q.Methods, q.Samples > 0)
	if err != nil {
		return nil, err
	}
	for _, id := range q.Methods {
		if !slices.ContainsFunc(m.methods, func(known lci.Method) bool { return known.ID == id }) {
			return nil, fault.NotFoundf("No method with factors has the id %s", id)
		}
	}
	if len(m.indicators) == 0 {
		return nil, fault.Invalidf("The catalogue has no factors, so nothing can be calculated")
	}
	column, err := m.explained(q.Process)
	if err != nil {
		return nil, err
	}
	s, err := solve(ctx, m, column)
	if err != nil {
		return nil, err
	}
	switch s.fate[column] {
	case unsolved:
		return nil, fault.Invalidf("%q has no impacts: %s", m.processes[m.columns[column].process].name, s.why(m.processes[m.columns[column].process].label))
	case huge:
		return nil, fault.Invalidf("The scores of %q are too large", m.processes[m.columns[column].process].name)
	case idle:
		return nil, fault.Invalidf("The amount of the reference product of %q is 0", m.processes[m.columns[column].process].name)
	}
	return s.explain(ctx, column, q)
}

// explained is the column that a process's scores are from.
func (m *model) explained(id lci.ID) (int32, error) {
	for i := range m.processes {
		p := &m.processes[i]
		switch {
		case p.id != id:
		case p.columns.len() == 0:
			return none, fault.Invalidf("%q has no reference product", p.name)
		case !p.inventory:
			return none, fault.Invalidf("%q has no inventory; its impacts are stated by the provider", p.name)
		default:
			return p.columns.from, nil
		}
	}
	return none, fault.NotFoundf("No process has the id %s", id)
}

// why returns the note that explains why a process has no scores.
func (s *solution) why(process string) string {
	for _, n := range s.notes.list {
		switch n.class {
		case ingest.Unproductive, ingest.Productless, ingest.Unshared:
			if n.record == process || slices.Contains(n.in, process) {
				return n.record + ": " + n.message
			}
		}
	}
	return ""
}

func (s *solution) explain(ctx context.Context, column int32, q Question) (*Explanation, error) {
	reference := s.product(column)
	e := &Explanation{Process: q.Process, Name: reference.Name, Region: reference.Region, Product: reference.Product,
		Amount: s.exchanges[s.columns[column].exchange].value, Unit: reference.Unit}
	trust := s.accounts()
	for k, of := range s.indicators {
		score, err := s.split(ctx, column, k, q)
		if err != nil {
			return nil, err
		}
		account := trust.of(s.columns[column].process, k)
		method := s.methods[of.method]
		score.MethodID, score.Method, score.Version = method.ID, method.Name, method.Version
		score.Category, score.Indicator, score.Unit = of.Category, of.Name, of.Unit
		score.Coverage, score.CutOffs, score.Residual = account.Coverage, account.CutOffs, account.Residual
		if given, ok := s.stated[cell{s.columns[column].process, int32(k)}]; ok && !given.deleted {
			score.Stated = &given.value
		}
		e.Scores = append(e.Scores, score)
	}
	return e, s.sample(ctx, column, q, e)
}

// split splits one score among suppliers and flows.
func (s *solution) split(ctx context.Context, column int32, indicator int, q Question) (Score, error) {
	score := Score{Value: s.score(column, indicator)}
	at, batch := int(s.at[column]), s.batch(column)
	tree := s.factors.Tree(s.table, at, indicator, lca.Cutoff{Share: q.Share, Depth: q.Depth})
	score.Tree = s.branch(tree, batch, batch*tree.Score)
	flows, err := s.factors.TotalFlows(ctx, s.b, s.c, at, indicator)
	if err != nil {
		return score, err
	}
	score.Flows = []Flow{}
	for _, f := range flows {
		if part := shareOf(f.Score, tree.Score); math.Abs(part) >= q.Share {
			flow := s.flow(f.Flow)
			flow.Amount, flow.Score, flow.Share = rounded(batch*f.Amount), rounded(batch*f.Score), part
			score.Flows = append(score.Flows, flow)
		}
	}
	return score, nil
}

// batch is the amount of the product, made or treated, that a column's scores
// are for.
func (m *model) batch(column int32) float64 {
	return math.Abs(m.exchanges[m.columns[column].exchange].value)
}

func shareOf(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return rounded(part / whole)
}

// partOf treats a mere rounding difference as zero.
func partOf(part, whole float64) float64 {
	if math.Abs(part) < 1e-12*math.Abs(whole) {
		return 0
	}
	return rounded(part)
}

func (s *solution) branch(n *lca.Node, batch, whole float64) Supplier {
	out := s.product(s.kept[n.Process])
	out.Amount, out.Score, out.Share = rounded(batch*n.Amount), rounded(batch*n.Score), shareOf(batch*n.Score, whole)
	out.Direct, out.Others = partOf(batch*n.Direct, whole), partOf(batch*n.Rest, whole)
	out.Suppliers = []Supplier{}
	for _, child := range n.Children {
		out.Suppliers = append(out.Suppliers, s.branch(child, batch, whole))
	}
	return out
}

// product returns a column's process and product.
func (s *solution) product(column int32) Supplier {
	x := &s.exchanges[s.columns[column].exchange]
	p := &s.processes[x.process]
	return Supplier{Process: p.id, Name: p.name, Region: p.region, Product: s.texts.all[x.name], Unit: s.unitOf(x)}
}

// flow returns the elementary flow in a row.
func (s *solution) flow(row int) Flow {
	if row >= len(s.flowRows) {
		return Flow{Name: "stated impacts of suppliers without an inventory", Unit: s.indicators[row-len(s.flowRows)].Unit}
	}
	at := s.flowRows[row]
	f := &s.flows[at]
	named := Flow{Flow: f.id, Unit: s.texts.all[f.unit]}
	if known, ok := s.described[f.id]; ok {
		named.Name, named.Compartment = known.Name, known.Compartment
		return named
	}
	for i := range s.exchanges {
		if x := &s.exchanges[i]; x.flow == at {
			named.Name = s.texts.all[x.name]
			return named
		}
	}
	return named
}
