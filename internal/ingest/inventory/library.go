package inventory

import (
	"context"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A Reader reads a library in its format.
type Reader interface {
	// Read passes on every record. It is called once for each Check.
	Read(ctx context.Context, to *Builder) error
	Close() error
}

// New returns a library with a format's reader.
func New(r Reader) ingest.Package { return &library{reader: r} }

type library struct {
	reader  Reader
	builder *Builder
}

// Check implements ingest.Package.
func (l *library) Check(ctx context.Context, known ingest.Existing, progress ingest.Progress) ([]ingest.Warning, error) {
	b := newBuilder(progress)
	if err := l.reader.Read(ctx, b); err != nil {
		return nil, err
	}
	if err := b.finish(ctx, known); err != nil {
		return nil, err
	}
	if err := ingest.Unread(b.notes); err != nil && b.isEmpty() {
		return nil, err
	}
	l.builder = b
	return b.notes, nil
}

// isEmpty reports whether nothing of the library is stored.
func (b *Builder) isEmpty() bool {
	for _, c := range b.account {
		if c.Stored > 0 {
			return false
		}
	}
	return true
}

// Read implements ingest.Package.
func (l *library) Read(ctx context.Context, to ingest.Writer, progress ingest.Progress) error {
	return l.builder.emit(&patient{Writer: to, ctx: ctx})
}

// Outcome implements ingest.OutcomeReporter.
func (l *library) Outcome() ingest.Outcome { return l.builder.account }

// Close implements ingest.Package.
func (l *library) Close() error { return l.reader.Close() }

// patient lets a write of many rows be cancelled.
type patient struct {
	ingest.Writer
	ctx context.Context
}

func (p *patient) Exchange(x lci.Exchange) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	return p.Writer.Exchange(x)
}

// tally is a writer that counts.
type tally struct{ counts map[ingest.Kind]int }

func (t *tally) add(kind ingest.Kind) error {
	t.counts[kind]++
	return nil
}

func (t *tally) Flow(lci.Flow) error                     { return t.add(ingest.Flows) }
func (t *tally) Material(lci.Material) error             { return t.add(ingest.Materials) }
func (t *tally) Property(lci.Property) error             { return t.add(ingest.Properties) }
func (t *tally) MaterialImpact(lci.MaterialImpact) error { return t.add(ingest.MaterialImpacts) }
func (t *tally) Process(lci.Process) error               { return t.add(ingest.Processes) }
func (t *tally) Exchange(lci.Exchange) error             { return t.add(ingest.Exchanges) }
func (t *tally) Allocation(lci.Allocation) error         { return t.add(ingest.Allocations) }
func (t *tally) Method(lci.Method) error                 { return t.add(ingest.Methods) }
func (t *tally) Indicator(lci.Indicator) error           { return t.add(ingest.Indicators) }
func (t *tally) Factor(lci.Factor) error                 { return t.add(ingest.Factors) }
func (t *tally) Impact(lci.Impact) error                 { return t.add(ingest.Impacts) }
