package portal

import (
	"net/http"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

type keysPage struct {
	form
	Keys    []keyRow
	Revoked []keyRow
	Secret  string // shown now: of a new key, or of a test key on request
	IsNew   bool
	Shown   lci.ID // whose secret it is
	BaseURL string
	Team    string
}

// keyRow is a key with its requests on this team.
type keyRow struct {
	account.Key
	Bars     []keyBar
	Requests int64 // in 30 days
	Today    int64
}

// keyBar is one day of a key's little chart, 100 by 20.
type keyBar struct{ X, Y, Width, Height float64 }

func (v *visit) keys() error { return v.showKeys(http.StatusOK, keysPage{form: newForm("label")}) }

func (v *visit) showKeys(status int, page keysPage) error {
	keys, err := v.Accounts.OwnKeys(v.context(), v.visitor.User.ID)
	if err != nil {
		return err
	}
	today := requestlog.DayOf(v.Now())
	days, err := v.Requests.Usage(v.context(), v.viewer.Wallet(), today-chartDays+1)
	if err != nil {
		return err
	}
	for i := len(keys) - 1; i >= 0; i-- {
		key := keys[i]
		switch {
		case key.Mode != v.viewer.Mode:
		case key.RevokedAt != nil:
			page.Revoked = append(page.Revoked, newKeyRow(key, days, today))
		default:
			page.Keys = append(page.Keys, newKeyRow(key, days, today))
		}
	}
	page.BaseURL, page.Team = v.BaseURL, v.seat.Team.ID.String()
	return v.show(status, "keys", "API keys", page)
}

func newKeyRow(key account.Key, days []requestlog.Day, today int) keyRow {
	row := keyRow{Key: key}
	var counts [chartDays]int64
	var most int64 = 1
	for _, d := range days {
		if at := d.Day - today + chartDays - 1; d.Key == key.ID && at >= 0 && at < chartDays {
			counts[at] += d.Requests
			row.Requests += d.Requests
			most = max(most, counts[at])
		}
	}
	row.Today = counts[chartDays-1]
	for i, n := range counts {
		if n > 0 {
			height := max(1.5, float64(n)/float64(most)*20)
			row.Bars = append(row.Bars, keyBar{X: float64(i) * 100 / chartDays, Y: 20 - height, Width: 100.0/chartDays - 0.8, Height: height})
		}
	}
	return row
}

func (v *visit) createKey() error {
	page := keysPage{form: newForm("label")}
	page.read(v)
	key, secret, err := v.Accounts.CreateKey(v.context(), account.NewKey{Email: v.visitor.User.Email, Mode: v.viewer.Mode, Label: page.Value["label"]})
	if status := page.fail(err); status != 0 {
		return v.showKeys(status, page)
	}
	if err != nil {
		return err
	}
	return v.showKeys(http.StatusOK, keysPage{form: newForm("label"), Secret: secret, IsNew: true, Shown: key.ID})
}

// revealKey shows a test key again.
func (v *visit) revealKey() error {
	key, err := v.ownKey()
	if err != nil {
		return err
	}
	secret, err := v.Accounts.RevealKey(v.context(), key.ID)
	if err != nil {
		return err
	}
	return v.showKeys(http.StatusOK, keysPage{form: newForm("label"), Secret: secret, Shown: key.ID})
}

func (v *visit) ownKey() (account.Key, error) {
	return v.Accounts.OwnKey(v.context(), v.visitor.User.ID, v.pathID("id"))
}

func (v *visit) revokeKeyPage() error {
	key, err := v.ownKey()
	if err != nil {
		return err
	}
	name := key.Prefix + "…"
	if key.Label != "" {
		name = key.Label + " (" + name + ")"
	}
	return v.confirm(confirmation{Title: "Revoke this key?", Action: "/portal/keys/" + key.ID.String() + "/revoke", Back: "/portal/keys", Button: "Revoke key",
		Text: "Requests with " + name + " fail from now on. You cannot undo this. The key's logs are kept."})
}

func (v *visit) revokeKey() error {
	key, err := v.ownKey()
	if err != nil {
		return err
	}
	if _, err := v.Accounts.RevokeKey(v.context(), key.ID); err != nil {
		return err
	}
	return v.send("/portal/keys", "key-revoked")
}

// confirmation asks before something that cannot be undone.
type confirmation struct {
	Title, Text, Action, Back, Button string
}

func (v *visit) confirm(c confirmation) error {
	return v.show(http.StatusOK, "confirm", c.Title, c)
}
