package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// errDryRun ends an import whose outcome only was asked for.
var errDryRun = errors.New("dry run")

// importLock is the advisory lock that lets one import at a time write a
// PostgreSQL catalogue.
const importLock = 0x637261646c69

// Import reads a library into the catalogue: all of it, in one transaction and
// one new generation, or nothing. It returns ingest.Errors when the library
// must be refused.
func (s *Store) Import(ctx context.Context, lib ingest.Package, options ingest.Options, progress ingest.Progress) (ingest.Report, error) {
	if err := s.teamsExist(ctx, options.VisibleTo); err != nil {
		return ingest.Report{}, err
	}
	digest, err := ingest.Digest(ctx, lib, options)
	if err != nil {
		return ingest.Report{}, err
	}
	if report, same, err := s.recall(ctx, digest); err != nil || same {
		return report, err
	}
	warnings, err := lib.Check(ctx, s, progress)
	if err == nil && options.Strict {
		err = ingest.Unread(warnings)
	}
	if err != nil {
		return ingest.Report{}, err
	}
	var report ingest.Report
	err = s.write(ctx, func(t *tx) error {
		if err := s.prepareImport(ctx, t); err != nil {
			return err
		}
		w := newImporter(ctx, s.dialect, t, options)
		if err := w.run(lib, progress); err != nil {
			return err
		}
		if err := w.follow(progress); err != nil {
			return err
		}
		report = w.report
		report.Warnings = append(append([]ingest.Warning{}, warnings...), w.older...)
		report.Outcome = accountOf(lib)
		if options.DryRun {
			return errDryRun
		}
		if err := w.publish(); err != nil {
			return err
		}
		return w.remember(digest, report)
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return ingest.Report{}, fmt.Errorf("import: %w", err)
	}
	return report, nil
}

func accountOf(lib ingest.Package) ingest.Outcome {
	if a, ok := lib.(ingest.OutcomeReporter); ok {
		return a.Outcome()
	}
	return ingest.Outcome{}
}

// prepareImport keeps other imports away from a PostgreSQL catalogue, and gives
// SQLite the memory to write rows whose ids come in no order.
func (s *Store) prepareImport(ctx context.Context, t *tx) error {
	if s.dialect.postgres {
		_, err := t.exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(importLock))
		return err
	}
	_, err := t.tx.ExecContext(ctx, "PRAGMA cache_size = -131072")
	return classify(err)
}

// importer implements ingest.Writer inside a transaction.
type importer struct {
	ctx     context.Context
	dialect dialect
	tx      *tx
	options ingest.Options
	report  ingest.Report
	loads   []*load // one per table, in the order of writing
	current *load

	methods, indicators, factors, materials, properties *load
	materialImpacts, processes, exchanges, impacts      *load
	flows, allocations, mappings, calculated            *load

	handedOver map[lci.ID]struct{} // rows that were calculated where the library comes from
	ungrouped  map[*load][]lci.ID  // processes and methods whose library is being read
	replaced   []lci.ID            // of these, what is not as it was
	regrouped  bool                // a process or method belongs to another library now
	older      []ingest.Warning    // what was left out for being older than what is there
}

func newImporter(ctx context.Context, d dialect, t *tx, options ingest.Options) *importer {
	w := &importer{ctx: ctx, dialect: d, tx: t, options: options, handedOver: map[lci.ID]struct{}{}, ungrouped: map[*load][]lci.ID{}}
	r := &w.report
	w.flows = w.load(flowTable.table, &r.Flows)
	w.mappings = w.load(mappingTable.table, &r.Mappings)
	w.methods = w.load(methodTable.table, &r.Methods)
	w.indicators = w.load(indicatorTable.table, &r.Indicators)
	w.factors = w.load(factorTable.table, &r.Factors)
	w.materials = w.load(materialTable.table, &r.Materials)
	w.properties = w.load(propertyTable.table, &r.Properties)
	w.materialImpacts = w.load(materialImpactTable.table, &r.MaterialImpacts)
	w.processes = w.load(processTable.table, &r.Processes)
	w.exchanges = w.load(exchangeTable.table, &r.Exchanges)
	w.allocations = w.load(allocationTable.table, &r.Allocations)
	w.impacts = w.load(impactTable.table, &r.Impacts)
	w.calculated = w.load(impactTable.table, &r.Calculated)
	w.indicators.of, w.factors.of = w.methods, w.indicators
	w.materials.of, w.properties.of, w.materialImpacts.of = w.flows, w.materials, w.properties
	w.materials.lasting, w.properties.lasting = true, true
	w.exchanges.of, w.allocations.of, w.impacts.of = w.processes, w.processes, w.processes
	return w
}

func (w *importer) load(t table, tally *ingest.Tally) *load {
	l := &load{table: t, tally: tally, seen: map[lci.ID]struct{}{}, parents: map[lci.ID]struct{}{}, outdated: map[lci.ID]struct{}{}}
	w.loads = append(w.loads, l)
	return l
}

func (w *importer) run(lib ingest.Package, progress ingest.Progress) error {
	if err := w.addMappings(); err != nil {
		return err
	}
	for _, part := range ingest.Parts(lib) {
		if err := part.Read(w.ctx, w, progress); err != nil {
			return err
		}
		if err := w.flush(); err != nil {
			return err
		}
		if err := w.group(); err != nil {
			return fmt.Errorf("libraries: %w", err)
		}
	}
	for _, l := range w.loads {
		if err := w.removeLeftOut(l); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if !w.options.Prune {
		return nil
	}
	// What belongs to something goes before it, so that a method whose last
	// impacts go now goes with them.
	for _, l := range slices.Backward(w.loads) {
		if err := w.prune(l); err != nil {
			return fmt.Errorf("prune %s: %w", l.name, err)
		}
	}
	return nil
}

// publish makes what was written a new generation, if anything was.
func (w *importer) publish() error {
	for _, l := range w.loads {
		if l.tally.Touched() {
			_, err := w.tx.exec(w.ctx, "UPDATE state SET catalogue = catalogue + 1 WHERE id = 1")
			return err
		}
	}
	return nil
}

// add takes a row. Rows come table by table, parents first, so a table is
// written out before the next begins. Where two libraries that are imported
// together both hold a row, the later one replaces the earlier.
func (w *importer) add(l *load, key, parent lci.ID, row []any) error {
	return w.addRow(l, parent, incoming{key: key, row: row, gathered: l.gathered})
}

func (w *importer) addRow(l *load, parent lci.ID, in incoming) error {
	if w.current != l {
		if err := w.flush(); err != nil {
			return err
		}
		w.current = l
	}
	if l.of != nil && l.editionOf(in.row) == (lci.Edition{}) { // what states an edition speaks for itself
		if _, outdated := l.of.outdated[parent]; outdated {
			l.seen[in.key], l.outdated[in.key] = struct{}{}, struct{}{}
			if !l.lasting {
				return nil
			}
			in.older = true
		}
	}
	if _, again := l.seen[in.key]; again {
		if err := w.flush(); err != nil {
			return err
		}
	}
	l.seen[in.key] = struct{}{}
	if l.owned {
		l.parents[parent] = struct{}{}
	}
	l.rows = append(l.rows, in)
	if len(l.rows) < batchSize {
		return nil
	}
	return w.flush()
}

func (w *importer) Flow(f lci.Flow) error {
	return w.add(w.flows, f.ID, lci.ID{}, flowTable.values(&f))
}

func (w *importer) Method(m lci.Method) error {
	w.ungrouped[w.methods] = append(w.ungrouped[w.methods], m.ID)
	return w.add(w.methods, m.ID, lci.ID{}, methodTable.values(&m))
}

func (w *importer) Indicator(i lci.Indicator) error {
	return w.add(w.indicators, i.ID, i.MethodID, indicatorTable.values(&i))
}

func (w *importer) Factor(f lci.Factor) error {
	return w.add(w.factors, factorKey(f.IndicatorID.String(), f.FlowID.String()), f.IndicatorID, factorTable.values(&f))
}

func (w *importer) Material(m lci.Material) error {
	return w.addRow(w.materials, m.ID, incoming{key: m.ID, row: materialTable.values(&m), gathered: m.Traded})
}

func (w *importer) Property(p lci.Property) error {
	return w.add(w.properties, p.ID, p.MaterialID, propertyTable.values(&p))
}

func (w *importer) MaterialImpact(i lci.MaterialImpact) error {
	return w.add(w.materialImpacts, i.ID, i.PropertyID, materialImpactTable.values(&i))
}

func (w *importer) Process(p lci.Process) error {
	w.ungrouped[w.processes] = append(w.ungrouped[w.processes], p.ID)
	return w.add(w.processes, p.ID, lci.ID{}, processTable.values(&p))
}

func (w *importer) Exchange(x lci.Exchange) error {
	if _, outdated := w.processes.outdated[x.ProcessID]; !outdated {
		w.allocations.parents[x.ProcessID] = struct{}{} // what was allocated goes with the exchanges it belonged to
	}
	return w.add(w.exchanges, x.ID, x.ProcessID, exchangeTable.values(&x))
}

func (w *importer) Allocation(a lci.Allocation) error {
	return w.add(w.allocations, allocationID(&a), a.ProcessID, allocationTable.values(&a))
}

func allocationID(a *lci.Allocation) lci.ID {
	return lci.DerivedID("allocation", a.ProductID.String(), a.ExchangeID.String())
}

// Impact takes what the provider states. What was calculated from the same
// library elsewhere is calculated again.
func (w *importer) Impact(i lci.Impact) error {
	if i.Completeness != nil {
		w.handedOver[i.ID] = struct{}{}
		return nil
	}
	return w.addImpact(w.impacts, i)
}

func (w *importer) addImpact(l *load, i lci.Impact) error {
	return w.add(l, i.ID, i.ProcessID, impactTable.values(&i))
}
