package store

import (
	"context"
	"encoding/json"
	"errors"
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
func (w *importer) remember(digest string, report ingest.Report) error {
	for _, t := range report.Tallies() {
		if t.Deleted > 0 {
			return nil
		}
	}
	if digest == "" {
		return nil
	}
	m := memory{Digest: digest, Report: report}
	if err := w.tx.row(w.ctx, "SELECT catalogue FROM state WHERE id = 1").Scan(&m.Catalogue); err != nil {
		return err
	}
	for _, t := range m.Report.Tallies() {
		*t = ingest.Tally{Unchanged: t.Added + t.Changed + t.Unchanged}
	}
	text, err := json.Marshal(m)
	if err != nil || len(text) > maxRemembered {
		return err
	}
	_, err = w.tx.exec(w.ctx, `INSERT INTO settings (name, value) VALUES ('last import', $1)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, string(text))
	return err
}

// recall returns what an import will find, if the last one was the same and
// nothing has changed since.
func (s *Store) recall(ctx context.Context, digest string) (ingest.Report, bool, error) {
	if digest == "" {
		return ingest.Report{}, false, nil
	}
	var text string
	var catalogue int64
	err := s.reader.row(ctx, "SELECT value, (SELECT catalogue FROM state WHERE id = 1) FROM settings WHERE name = 'last import'").Scan(&text, &catalogue)
	if errors.Is(err, errNoRow) {
		return ingest.Report{}, false, nil
	}
	if err != nil {
		return ingest.Report{}, false, fmt.Errorf("recall the last import: %w", err)
	}
	var m memory
	if json.Unmarshal([]byte(text), &m) != nil || m.Digest != digest || m.Catalogue != catalogue {
		return ingest.Report{}, false, nil
	}
	return m.Report, true, nil
}
