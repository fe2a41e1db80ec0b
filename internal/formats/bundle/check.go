package bundle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// batch is how many ids are looked up in the catalogue at once.
const batch = 1_000

// A checker holds what is known of a bundle while its files are checked one
// after the other: ids and lines, never rows.
type checker struct {
	pass      *pass
	catalogue ingest.Existing
	findings  findings
	warnings  []ingest.Warning
	account   ingest.Outcome

	lines     map[ingest.Kind]map[lci.ID]uint32 // of the bundle's rows that others may refer to
	confirmed map[ingest.Kind]map[lci.ID]bool   // ids found in the catalogue
	claims    map[ingest.Kind][]claim           // to be checked in the catalogue

	live     map[lci.ID]uint32  // processes.csv's processes that are not deleted
	supplied map[lci.ID]supply  // exchanges.csv's processes
	products map[product]uint32 // exchanges.csv's reference products
	owners   map[lci.ID]lci.ID  // of exchanges.csv's exchanges, nil if there are no allocations
}

// A claim is what a row assumes about the catalogue: that a record exists or, if
// a parent is given, that it does not exist under another parent.
type claim struct {
	at     ingest.Error // without its message
	id     lci.ID
	parent lci.ID
}

// supply is what exchanges.csv has of a process.
type supply struct {
	line      uint32 // of its first exchange
	reference bool
}

type product struct{ process, flow lci.ID }

func newChecker(p *pass, known ingest.Existing) *checker {
	c := &checker{
		pass:      p,
		catalogue: known,
		findings:  findings{rank: rank},
		lines:     make(map[ingest.Kind]map[lci.ID]uint32),
		confirmed: make(map[ingest.Kind]map[lci.ID]bool),
		claims:    make(map[ingest.Kind][]claim),
		account:   ingest.Outcome{},
		live:      make(map[lci.ID]uint32),
		supplied:  make(map[lci.ID]supply),
		products:  make(map[product]uint32),
	}
	if _, allocated := p.bundle.files[allocations.file]; allocated {
		c.owners = make(map[lci.ID]lci.ID)
	}
	return c
}

// check reads the table's file and notes all errors in it.
func (t *table[R]) check(c *checker) error {
	rows := t.open(c.pass, c.findings.add)
	defer rows.close()
	c.warnings = append(c.warnings, rows.warnings...)

	lines := make(map[lci.ID]uint32)
	n := 0
	for rows.next() {
		n++
		if err := rows.checkID(c, lines); err != nil {
			return err
		}
		if err := rows.checkReferences(c); err != nil {
			return err
		}
		if t.inspect != nil {
			t.inspect(c, rows)
		}
	}
	if rows.err != nil {
		return rows.err
	}
	if n > 0 {
		c.account[t.kind] = ingest.Count{Read: n, Stored: n}
	}
	if t.named {
		c.lines[t.kind] = lines
	}
	return c.settleAll()
}

// checkID notes an id that another row in the file or the catalogue has.
func (c *cursor[R]) checkID(to *checker, lines map[lci.ID]uint32) error {
	if c.id.IsZero() {
		return nil
	}
	if first, taken := lines[c.id]; taken {
		c.noteTaken(first)
		return nil
	}
	lines[c.id] = uint32(c.line)
	// A derived id depends on the parent's.
	if c.derived || c.table.parent == nil || c.table.parent(&c.row).IsZero() {
		return nil
	}
	return to.claim(c.table.kind, claim{at: c.place("id"), id: c.id, parent: c.table.parent(&c.row)})
}

func (c *cursor[R]) noteTaken(first uint32) {
	switch {
	case !c.derived:
		c.wrong("id", "%s is already the id of line %d", c.id, first)
	case c.table.id != nil:
		c.wrong("id", "without an id the row is the same record as line %d", first)
	default:
		c.wrong("", "the row is the same record as line %d", first)
	}
}

// checkReferences checks that the records that the row refers to exist.
func (c *cursor[R]) checkReferences(to *checker) error {
	for _, col := range c.columns {
		if col == nil || col.kind == "" {
			continue
		}
		id := col.names(&c.row)
		if _, here := to.lines[col.kind][id]; here || id.IsZero() || to.confirmed[col.kind][id] {
			continue
		}
		if err := to.claim(col.kind, claim{at: c.place(col.name), id: id}); err != nil {
			return err
		}
	}
	return nil
}

func (c *cursor[R]) place(column string) ingest.Error {
	return ingest.Error{File: c.table.file, Line: c.lineOf(column), Column: column}
}

// claim queues a claim until a batch is full.
func (c *checker) claim(kind ingest.Kind, one claim) error {
	c.claims[kind] = append(c.claims[kind], one)
	if len(c.claims[kind]) < batch {
		return nil
	}
	return c.settle(kind)
}

func (c *checker) settleAll() error {
	for _, kind := range slices.Sorted(maps.Keys(c.claims)) {
		if err := c.settle(kind); err != nil {
			return err
		}
	}
	return nil
}

// settle checks the claims on one kind of records in the catalogue.
func (c *checker) settle(kind ingest.Kind) error {
	claims := c.claims[kind]
	if len(claims) == 0 {
		return nil
	}
	parents, err := c.catalogue.Parents(c.pass.ctx, kind, claimed(claims))
	if err != nil {
		return fmt.Errorf("look up %s: %w", kind, err)
	}
	for _, one := range claims {
		parent, found := parents[one.id]
		switch {
		case !one.parent.IsZero():
			if found && parent != one.parent {
				c.refuse(one.at, "%s is already the id of a record of %s in the catalogue", one.id, parent)
			}
		case found:
			c.confirm(kind, one.id)
		default:
			c.refuse(one.at, "%s is not among the %s of the bundle or the catalogue", one.id, kind)
		}
	}
	c.claims[kind] = claims[:0]
	return nil
}

// claimed returns the ids of the claims, each once.
func claimed(claims []claim) []lci.ID {
	ids := make([]lci.ID, len(claims))
	for i, one := range claims {
		ids[i] = one.id
	}
	slices.SortFunc(ids, lci.ID.Compare)
	return slices.Compact(ids)
}

func (c *checker) confirm(kind ingest.Kind, id lci.ID) {
	if c.confirmed[kind] == nil {
		c.confirmed[kind] = make(map[lci.ID]bool)
	}
	c.confirmed[kind][id] = true
}

func (c *checker) refuse(at ingest.Error, format string, args ...any) {
	at.Message = fmt.Sprintf(format, args...)
	c.findings.add(at)
}

// process records which processes need a reference product.
func (c *checker) process(rows *cursor[lci.Process]) {
	if _, twice := c.live[rows.id]; !rows.row.Deleted && !rows.id.IsZero() && !twice {
		c.live[rows.id] = uint32(rows.line)
	}
}

// exchange checks a reference product and records its process.
func (c *checker) exchange(rows *cursor[lci.Exchange]) {
	x := &rows.row
	checkSpread(rows)
	if x.ProcessID.IsZero() {
		return
	}
	if c.owners != nil {
		c.owners[rows.id] = x.ProcessID
	}
	s, named := c.supplied[x.ProcessID]
	if !named {
		s.line = uint32(rows.line)
	}
	// An invalid reference is an error already, and may be the reference.
	s.reference = s.reference || x.Reference || slices.Contains(rows.bad, "reference")
	c.supplied[x.ProcessID] = s
	if x.Reference && rows.whole() {
		c.referenceProduct(rows)
	}
}

// checkSpread checks that a distribution has its parameters.
func checkSpread(rows *cursor[lci.Exchange]) {
	x := &rows.row
	switch {
	case !rows.whole():
	case x.Minimum != nil && x.Maximum != nil && *x.Minimum > *x.Maximum:
		rows.wrong("minimum", "is greater than the maximum")
	case x.Distribution == lci.Triangular, x.Distribution == lci.Uniform:
		if x.Minimum == nil || x.Maximum == nil {
			rows.wrong("distribution", "a %s distribution needs a minimum and a maximum", x.Distribution)
		}
	case x.Distribution != lci.Certain && x.StandardDeviation == nil:
		rows.wrong("distribution", "a %s distribution needs a standard_deviation", x.Distribution)
	}
}

// allocation checks that the exchange and the product belong to the process, if
// the bundle has the process's exchanges.
func (c *checker) allocation(rows *cursor[lci.Allocation]) {
	a := &rows.row
	if _, named := c.supplied[a.ProcessID]; !named || !rows.whole() {
		return
	}
	if _, is := c.products[product{a.ProcessID, a.ProductID}]; !is {
		rows.wrong("product_id", "%s is not a reference product of process %s", a.ProductID, a.ProcessID)
	}
	if owner, here := c.owners[a.ExchangeID]; here && owner != a.ProcessID {
		rows.wrong("exchange_id", "%s is an exchange of process %s", a.ExchangeID, owner)
	}
}

func (c *checker) referenceProduct(rows *cursor[lci.Exchange]) {
	x := &rows.row
	if x.Direction != lci.Output {
		rows.wrong("reference", "a reference product must be an output")
		return
	}
	p := product{x.ProcessID, x.FlowID}
	if first, twice := c.products[p]; twice {
		rows.wrong("reference", "the process has the same reference product on line %d", first)
		return
	}
	c.products[p] = uint32(rows.line)
}

// checkReferenceProducts notes the processes without a reference product.
func (c *checker) checkReferenceProducts() error {
	for id, s := range c.supplied {
		if !s.reference {
			c.refuse(ingest.Error{File: exchanges.file, Line: int(s.line), Column: "reference"},
				"process %s needs a reference product: set reference to true in one of its outputs", id)
		}
	}
	var absent []lci.ID
	for id := range c.live {
		if _, named := c.supplied[id]; !named {
			absent = append(absent, id)
		}
	}
	for ids := range slices.Chunk(absent, batch) {
		if err := c.checkStoredReferences(ids); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) checkStoredReferences(ids []lci.ID) error {
	stored, err := c.catalogue.WithReference(c.pass.ctx, ids)
	if err != nil {
		return fmt.Errorf("look up reference products: %w", err)
	}
	for _, id := range ids {
		if !stored[id] {
			c.refuse(ingest.Error{File: processes.file, Line: int(c.live[id])},
				"the process has no reference product: no row of %s has this process and reference true", exchanges.file)
		}
	}
	return nil
}

// findings keep the first errors in the order of files and lines, whatever order
// they are found in, and count the others.
type findings struct {
	rank func(file string) int
	list []ingest.Error
	more int
}

func (f *findings) add(e ingest.Error) {
	f.list = append(f.list, e)
	if len(f.list) >= 20*ingest.MaxErrors {
		f.trim()
	}
}

func (f *findings) trim() {
	slices.SortStableFunc(f.list, func(a, b ingest.Error) int {
		return cmp.Or(f.rank(a.File)-f.rank(b.File), a.Line-b.Line)
	})
	if extra := len(f.list) - ingest.MaxErrors; extra > 0 {
		f.more += extra
		f.list = f.list[:ingest.MaxErrors]
	}
}

func (f *findings) err() error {
	f.trim()
	errors := ingest.Errors{List: f.list, More: f.more}
	return errors.Err()
}
