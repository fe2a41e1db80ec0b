package bundle

import (
	"context"
	"io"

	"cradle/internal/ingest"
)

// A meter stands between a file and its CSV reader: it tells the progress,
// ends when the context does, and cuts the file off in a record so long that it
// would fill the memory.
type meter struct {
	ctx      context.Context
	in       io.Reader
	gauge    *gauge
	unbroken int // bytes read since the last record ended
	cut      bool
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if m.cut = m.cut || m.unbroken > maxRecordBytes; m.cut {
		return 0, io.EOF
	}
	n, err := m.in.Read(p)
	m.unbroken += n
	m.gauge.add(n)
	return n, err
}

// gauge tells the progress of a pass, about two hundred times in all.
type gauge struct {
	done, total, told int64
	tell              ingest.Progress
}

func (b *Bundle) newGauge(tell ingest.Progress) *gauge {
	g := &gauge{tell: tell}
	if tell == nil {
		g.tell = func(int64, int64) {}
	}
	for _, f := range b.files {
		g.total += f.size
	}
	return g
}

func (g *gauge) add(n int) {
	g.done += int64(n)
	if g.done-g.told > g.total/200 && g.done < g.total {
		g.told = g.done
		g.tell(g.done, g.total)
	}
}

func (g *gauge) finish() { g.tell(g.total, g.total) }
