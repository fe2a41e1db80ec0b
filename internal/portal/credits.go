package portal

import (
	"regexp"

	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// entryRow is a line of a ledger with the names of what it speaks of.
type entryRow struct {
	purchase.Entry
	Who    string
	Record string // the name of what was bought
	Link   string // to its page
}

var idInText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// entryRows finds who made each entry and what for.
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
	for i, e := range entries {
		rows[i] = entryRow{Entry: e, Who: names[e.UserID]}
		switch {
		case e.UserID.IsZero():
			rows[i].Who = "Operator"
		case rows[i].Who == "":
			rows[i].Who = "A former member"
		}
		rows[i].Record, rows[i].Link = v.recordIn(e.Reason)
	}
	return rows, nil
}

// recordIn finds the record that an entry's reason names by its id; "" where the
// team can see none any more.
func (v *visit) recordIn(reason string) (name, link string) {
	id := idInText.FindString(reason)
	if id == "" {
		return "", ""
	}
	if page, err := v.Library.FindMaterial(v.context(), v.viewer, id); err == nil {
		if found, err := v.Library.MaterialsOf(v.context(), page, page.Refs); err == nil {
			return found[0].Name, "/portal/materials/" + id
		}
	}
	if page, err := v.Library.FindProcess(v.context(), v.viewer, id); err == nil {
		if found, err := v.Library.ProcessesOf(v.context(), page, page.Refs); err == nil {
			return found[0].Name, "/portal/processes/" + id
		}
	}
	return "", ""
}
