package brightway

import (
	"strings"

	"cradle/internal/ingest/sheet"
)

// A flatTable is the flat layout: one row per exchange, with columns named
// "Activity …" for the activity and "Exchange …" for the exchange.
type flatTable struct {
	activity, exchange map[int]string // the columns' labels
	byKey              map[string]*Activity
}

// newFlatTable parses the header of such a table; nil if it is not one.
func newFlatTable(row sheet.Row) *flatTable {
	t := &flatTable{activity: map[int]string{}, exchange: map[int]string{}, byKey: map[string]*Activity{}}
	for i := range row.Cells {
		name := label(row.Cell(i))
		if l, ok := strings.CutPrefix(name, "activity "); ok {
			t.activity[i] = l
		} else if l, ok := strings.CutPrefix(name, "exchange "); ok {
			t.exchange[i] = l
		} else if name == "notes" || name == "comment" {
			t.exchange[i] = "comment"
		}
	}
	if len(t.activity) < 2 || len(t.exchange) < 2 {
		return nil
	}
	return t
}

func (t *flatTable) row(r *reader, row sheet.Row) {
	about := pick(t.activity, row)
	name := about.first("name", "code")
	if name == "" {
		r.odd("a row without an activity's name or code")
		return
	}
	key := about["database"] + "\x00" + about.first("code", "name") + "\x00" + about["location"]
	a := t.byKey[key]
	if a == nil {
		a = &Activity{Place: r.place, Name: name, Fields: about}
		t.byKey[key] = a
		r.lib.Activities = append(r.lib.Activities, a)
	}
	if r.lib.Database == "" {
		r.lib.Database = about["database"]
	}
	if exchange := pick(t.exchange, row); exchange.first("amount", "input", "name") != "" {
		a.Exchanges = append(a.Exchanges, Exchange{r.place, exchange})
	}
}

func pick(labels map[int]string, row sheet.Row) Fields {
	f := make(Fields, len(labels))
	for i := range row.Cells {
		f.set(labels[i], row.Cell(i))
	}
	return f
}
