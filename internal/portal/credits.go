package portal

import (
	"cmp"
	"encoding/csv"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"cradle/internal/lci"
	"cradle/internal/library"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
)

type creditsPage struct {
	Balance int64
	Entries []entryRow
	Later   int64 // the number that the next page starts before
	First   bool
	Chart   usageChart
	ByKey   []keyUsage
}

// keyUsage is what was spent with one key.
type keyUsage struct {
	Key      lci.ID
	Name     string
	Requests int64
	Pulls    int64
	Credits  int64
}

func (v *visit) credits() error {
	before, err := strconv.ParseInt(v.asked("before"), 10, 64)
	if err != nil || before < 0 {
		before = 0
	}
	page := creditsPage{First: before == 0}
	if page.Balance, err = v.Books.Balance(v.context(), v.viewer.Wallet()); err != nil {
		return err
	}
	entries, err := v.Books.LedgerPage(v.context(), v.viewer.Wallet(), before, pageRows+1)
	if err != nil {
		return err
	}
	if len(entries) > pageRows {
		entries = entries[:pageRows]
		page.Later = entries[pageRows-1].Seq
	}
	if page.Entries, err = v.entryRows(entries); err != nil {
		return err
	}
	today := requestlog.DayOf(v.Now())
	days, err := v.Requests.Usage(v.context(), v.viewer.Wallet(), today-chartDays+1)
	if err != nil {
		return err
	}
	page.Chart = newUsageChart(byDay(days, today))
	if page.ByKey, err = v.byKey(days); err != nil {
		return err
	}
	return v.show(http.StatusOK, "credits", "Credits", page)
}

// byKey sums up the days of each key, the highest spending first.
func (v *visit) byKey(days []requestlog.Day) ([]keyUsage, error) {
	names, err := v.keyChoices()
	if err != nil {
		return nil, err
	}
	var all []keyUsage
	for _, d := range days {
		at := slices.IndexFunc(all, func(u keyUsage) bool { return u.Key == d.Key })
		if at < 0 {
			at = len(all)
			name := "Portal"
			for _, c := range names {
				if c.Value == d.Key.String() {
					name = c.Text
				}
			}
			all = append(all, keyUsage{Key: d.Key, Name: name})
		}
		all[at].Requests += d.Requests
		all[at].Pulls += d.Pulls
		all[at].Credits += d.Credits
	}
	slices.SortStableFunc(all, func(a, b keyUsage) int {
		return cmp.Or(cmp.Compare(b.Credits, a.Credits), cmp.Compare(b.Requests, a.Requests))
	})
	return all, nil
}

// ledgerChunk is how many entries are read at a time for a download.
const ledgerChunk = 1000

// ledgerCSV is the whole ledger, newest first.
func (v *visit) ledgerCSV() error {
	entries, err := v.Books.LedgerPage(v.context(), v.viewer.Wallet(), 0, ledgerChunk)
	if err != nil {
		return err
	}
	v.attach("text/csv; charset=utf-8", "ledger-"+string(v.viewer.Mode)+".csv")
	out := csv.NewWriter(v.writer)
	_ = out.Write([]string{"number", "id", "time", "kind", "amount", "balance", "reason", "user_id", "request_id"})
	for len(entries) > 0 {
		for _, e := range entries {
			_ = out.Write([]string{strconv.FormatInt(e.Seq, 10), e.ID.String(), e.Time.Format(time.RFC3339Nano), string(e.Kind),
				strconv.FormatInt(e.Amount, 10), strconv.FormatInt(e.Balance, 10), plain(e.Reason), e.UserID.String(), e.RequestID})
		}
		if entries, err = v.Books.LedgerPage(v.context(), v.viewer.Wallet(), entries[len(entries)-1].Seq, ledgerChunk); err != nil {
			v.Log.Error("download broken off", "requestId", v.id, "route", v.route, "error", err)
			panic(http.ErrAbortHandler)
		}
	}
	out.Flush()
	return nil
}

// entryRow is a line of a ledger with the names of its user and record.
type entryRow struct {
	purchase.Entry
	Who    string
	Record string // the name of what was bought
	Link   string // to its page
}

var idInText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// entryRows finds the user and the record of each entry.
func (v *visit) entryRows(entries []purchase.Entry) ([]entryRow, error) {
	members, err := v.Accounts.Members(v.context(), v.seat.Team.ID)
	if err != nil {
		return nil, err
	}
	names := map[lci.ID]string{}
	for _, m := range members {
		names[m.User.ID] = m.User.Firstname + " " + m.User.Lastname
	}
	rows := make([]entryRow, len(entries))
	type record struct{ name, link string }
	records := map[string]record{}
	for i, e := range entries {
		rows[i] = entryRow{Entry: e, Who: names[e.UserID]}
		switch {
		case e.UserID.IsZero():
			rows[i].Who = "Operator"
		case rows[i].Who == "":
			rows[i].Who = "A former member"
		}
		id := idInText.FindString(e.Reason)
		known, ok := records[id]
		if !ok && id != "" {
			known.name, known.link = v.recordNamed(id)
			records[id] = known
		}
		rows[i].Record, rows[i].Link = known.name, known.link
	}
	return rows, nil
}

// recordNamed finds the name and page of a record; "" if the team can no longer
// see it.
func (v *visit) recordNamed(id string) (name, link string) {
	if page, err := v.Library.Find(v.context(), v.viewer, library.Materials, id); err == nil {
		if found, err := page.Materials(v.context(), page.Refs); err == nil {
			return found[0].Name, "/portal/materials/" + id
		}
	}
	if page, err := v.Library.Find(v.context(), v.viewer, library.Processes, id); err == nil {
		if found, err := page.Processes(v.context(), page.Refs); err == nil {
			return found[0].Name, "/portal/processes/" + id
		}
	}
	return "", ""
}
