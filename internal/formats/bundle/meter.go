package bundle

import (
	"io"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

// A meter is between a file and its CSV reader and cuts off a record so long
// that it would fill the memory.
type meter struct {
	in       io.Reader
	unbroken int // bytes read since the last record ended
	cut      bool
}

func (m *meter) Read(p []byte) (int, error) {
	if m.cut = m.cut || m.unbroken > maxRecordBytes; m.cut {
		return 0, io.EOF
	}
	n, err := m.in.Read(p)
	m.unbroken += n
	return n, err
}

func (b *Bundle) newGauge(tell ingest.Progress) *source.Gauge {
	total := int64(0)
	for _, f := range b.files {
		total += f.size
	}
	return source.NewGauge(total, tell)
}
