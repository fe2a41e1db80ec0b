package importing

import (
	"context"
	"encoding/json"
	"fmt"

	"cradle/internal/ingest"
)

// maxRemembered bounds the size of a stored report, in bytes.
const maxRemembered = 8 << 20

// A memory describes the last import: as long as the catalogue is unchanged,
// importing the same again can only find that nothing changes.
type memory struct {
	Digest    string        `json:"digest"`
	Catalogue int64         `json:"catalogue"` // the generation it left
	Report    ingest.Report `json:"report"`
}

// remember stores the memory of the import about to be committed. It skips one
// that deleted rows: what a second import would report does not follow from its
// report.
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

// recall returns what an import would report, if the last one was the same and
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
