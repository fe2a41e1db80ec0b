package inventory

import (
	"strings"
	"time"

	"cradle/internal/lci"
)

func (f *Flow) edition() lci.Edition      { return editionOf(f.Version, f.Changed) }
func (p *Process) edition() lci.Edition   { return editionOf(p.Version, p.Changed) }
func (m *Method) edition() lci.Edition    { return editionOf(m.Version, m.Changed) }
func (i *Indicator) edition() lci.Edition { return editionOf(i.Version, i.Changed) }

func editionOf(version, changed string) lci.Edition {
	if version == "" && changed == "" {
		return lci.Edition{}
	}
	return lci.Edition{Version: statedVersion(version), Changed: moment(changed)}
}

// statedVersion is a dataset's version, "" if it states none.
func statedVersion(version string) string {
	version = strings.TrimSpace(version)
	if version == lci.Unspecified {
		return ""
	}
	return version
}

// moment is a time in UTC or a day, in a form that sorts by time, "" if the text
// is neither.
func moment(text string) string {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 {
			return t.UTC().Format("2006-01-02T15:04:05.000Z")
		}
	}
	return date(text)
}
