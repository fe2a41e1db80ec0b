package importing

import (
	"context"
	"fmt"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// importer implements ingest.Writer for a catalogue.
type importer struct {
	ctx     context.Context
	to      Catalogue
	options ingest.Options
	report  ingest.Report
	loads   []batch // one per kind of rows, in the order of writing
	current batch

	flows           *load[lci.Flow]
	mappings        *load[flowmatch.Mapping]
	methods         *load[lci.Method]
	indicators      *load[lci.Indicator]
	factors         *load[lci.Factor]
	materials       *load[lci.Material]
	properties      *load[lci.Property]
	materialImpacts *load[lci.MaterialImpact]
	processes       *load[lci.Process]
	exchanges       *load[lci.Exchange]
	allocations     *load[lci.Allocation]
	impacts         *load[lci.Impact]
	calculated      *load[lci.Impact]

	handedOver idSet            // rows calculated where the library comes from
	ungrouped  []lci.ID         // processes and methods of the library being read
	replaced   []lci.ID         // those of them that changed
	regrouped  bool             // a process or method has moved to another library
	older      []ingest.Warning // rows left out because the catalogue has newer ones
}

// batch is a load of any kind of rows.
type batch interface {
	flush() error
	removeLeftOut() error
	touched() bool
}

func newImporter(ctx context.Context, to Catalogue, options ingest.Options) *importer {
	w := &importer{ctx: ctx, to: to, options: options, handedOver: idSet{}}
	r := &w.report
	w.flows = newLoad(w, flowKind, to.Flows, &r.Flows, nil)
	w.mappings = newLoad(w, mappingKind, to.Mappings, &r.Mappings, nil)
	w.methods = newLoad(w, methodKind, to.Methods, &r.Methods, nil)
	w.indicators = newLoad(w, indicatorKind, to.Indicators, &r.Indicators, w.methods.outdated)
	w.factors = newLoad(w, factorKind, to.Factors, &r.Factors, w.indicators.outdated)
	w.materials = newLoad(w, materialKind, to.Materials, &r.Materials, w.flows.outdated)
	w.properties = newLoad(w, propertyKind, to.Properties, &r.Properties, w.materials.outdated)
	w.materialImpacts = newLoad(w, materialImpactKind, to.MaterialImpacts, &r.MaterialImpacts, w.properties.outdated)
	w.processes = newLoad(w, processKind, to.Processes, &r.Processes, nil)
	w.exchanges = newLoad(w, exchangeKind, to.Exchanges, &r.Exchanges, w.processes.outdated)
	w.allocations = newLoad(w, allocationKind, to.Allocations, &r.Allocations, w.processes.outdated)
	w.impacts = newLoad(w, impactKind, to.Impacts, &r.Impacts, w.processes.outdated)
	w.calculated = newLoad(w, impactKind, to.Impacts, &r.Calculated, nil)
	w.mappings.owned, w.factors.owned, w.materialImpacts.owned = to.Mappings, to.Factors, to.MaterialImpacts
	w.exchanges.owned, w.allocations.owned = to.Exchanges, to.Allocations
	return w
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
		if err := l.removeLeftOut(); err != nil {
			return err
		}
	}
	if !w.options.Prune {
		return nil
	}
	return w.prune()
}

// flush writes the pending rows.
func (w *importer) flush() error {
	if w.current == nil {
		return nil
	}
	return w.current.flush()
}

// publish makes the changes, if any, a new generation.
func (w *importer) publish() error {
	for _, l := range w.loads {
		if l.touched() {
			return w.to.State.Publish(w.ctx)
		}
	}
	return nil
}

// addMappings stores the mappings that came with an import.
func (w *importer) addMappings() error {
	for _, m := range w.options.Mappings {
		if err := w.mappings.add(m); err != nil {
			return err
		}
	}
	return nil
}

func (w *importer) Flow(f lci.Flow) error                     { return w.flows.add(f) }
func (w *importer) Method(m lci.Method) error                 { return w.methods.add(m) }
func (w *importer) Indicator(i lci.Indicator) error           { return w.indicators.add(i) }
func (w *importer) Factor(f lci.Factor) error                 { return w.factors.add(f) }
func (w *importer) Material(m lci.Material) error             { return w.materials.add(m) }
func (w *importer) Property(p lci.Property) error             { return w.properties.add(p) }
func (w *importer) MaterialImpact(i lci.MaterialImpact) error { return w.materialImpacts.add(i) }
func (w *importer) Process(p lci.Process) error               { return w.processes.add(p) }
func (w *importer) Allocation(a lci.Allocation) error         { return w.allocations.add(a) }

func (w *importer) Exchange(x lci.Exchange) error {
	if !w.processes.outdated.has(x.ProcessID) {
		w.allocations.owners.add(x.ProcessID) // allocations are replaced with their exchanges
	}
	return w.exchanges.add(x)
}

// Impact adds an impact stated by the provider. An impact that was calculated
// elsewhere from the same library is recalculated instead.
func (w *importer) Impact(i lci.Impact) error {
	if i.Completeness != nil {
		w.handedOver.add(i.ID)
		return nil
	}
	return w.impacts.add(i)
}
