package importing

import (
	"context"
	"encoding/json"
	"fmt"

	"cradle/internal/ingest"
)

// maxRemembered bounds what is kept of a report, in bytes.
const maxRemembered = 8 << 20

// A memory is the last import: while the catalogue is as it left it, importing
// the same again can only find that everything is there.
type memory struct {
	Digest    string        `json:"digest"`
	Catalogue int64         `json:"catalogue"` // the generation it left
	Report    ingest.Report `json:"report"`
}

// remember keeps the import that is about to be committed. One that deleted
// rows is not kept: what it would find a second time does not follow from what
// it did.
func (w *importer) remember(digest string, report ingest.Report) (err error) {
	for _, t := range report.Tallies() {
		if t.Deleted > 0 {
			return nil
		}
	}
	if digest == "" {
		return nil
	}
	m := memory{Digest: digest, Report: report}
	if m.Catalogue, err = w.to.State.Generation(w.ctx); err != nil {
		return err
	}
	for _, t := range m.Report.Tallies() {
		*t = ingest.Tally{Unchanged: t.Added + t.Changed + t.Unchanged}
	}
	text, err := json.Marshal(m)
	if err != nil || len(text) > maxRemembered {
		return err
	}
	return w.to.State.Remember(w.ctx, string(text))
}

// recall returns what an import will find, if the last one was the same and
// nothing has changed since.
func recall(ctx context.Context, store Store, digest string) (ingest.Report, bool, error) {
	if digest == "" {
		return ingest.Report{}, false, nil
	}
	text, generation, err := store.LastImport(ctx)
	if err != nil {
		return ingest.Report{}, false, fmt.Errorf("recall the last import: %w", err)
	}
	var m memory
	if json.Unmarshal([]byte(text), &m) != nil || m.Digest != digest || m.Catalogue != generation {
		return ingest.Report{}, false, nil
	}
	return m.Report, true, nil
}
