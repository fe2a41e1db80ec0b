package portal

import (
	"net/http"
	"slices"

	"cradle/internal/account"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
	"cradle/internal/webhook"
)

type overviewPage struct {
	Live, Sandbox int64
	Chart         usageChart
	Events        []webhook.Delivery
	Entries       []entryRow
	Requests      []requestlog.Row
	First         firstSteps
}

// firstSteps is what a new user has not done yet.
type firstSteps struct {
	Show                    bool
	HasKey, HasCall, HasOwn bool
	TestKey                 string
	BaseURL, Team           string
}

// lastFew is how many of the latest entries an overview shows.
const lastFew = 6

func (v *visit) overview() error {
	ctx, team := v.context(), v.seat.Team.ID
	var page overviewPage
	var err error
	if page.Live, err = v.Books.Balance(ctx, account.Wallet{Team: team, Mode: account.Live}); err != nil {
		return err
	}
	if page.Sandbox, err = v.Books.Balance(ctx, account.Wallet{Team: team, Mode: account.Sandbox}); err != nil {
		return err
	}
	if page.Chart, err = v.usageChart(); err != nil {
		return err
	}
	endpoints, err := v.Webhooks.List(ctx, team)
	if err != nil {
		return err
	}
	if page.Events, err = v.lastDeliveries(endpoints, lastFew); err != nil {
		return err
	}
	entries, err := v.Books.LedgerPage(ctx, v.viewer.Wallet(), 0, lastFew)
	if err != nil {
		return err
	}
	if page.Entries, err = v.entryRows(entries); err != nil {
		return err
	}
	found, err := v.Requests.SearchRequests(ctx, requestlog.Search{Team: team, Mode: v.viewer.Mode, Limit: lastFew})
	if err != nil {
		return err
	}
	page.Requests = found.Rows
	if page.First, err = v.firstSteps(page, entries); err != nil {
		return err
	}
	return v.show(http.StatusOK, "overview", "Overview", page)
}

func (v *visit) usageChart() (usageChart, error) {
	today := requestlog.DayOf(v.Now())
	days, err := v.Requests.Usage(v.context(), v.viewer.Wallet(), today-chartDays+1)
	return newUsageChart(byDay(days, today)), err
}

// firstSteps finds the steps that are left. The test key is the visitor's own
// and may be shown again, so that the lines work when pasted.
func (v *visit) firstSteps(page overviewPage, entries []purchase.Entry) (firstSteps, error) {
	first := firstSteps{BaseURL: v.BaseURL, Team: v.seat.Team.ID.String(), HasCall: page.Chart.Requests > 0}
	for _, e := range entries {
		first.HasOwn = first.HasOwn || e.Kind == purchase.Debit
	}
	keys, err := v.Accounts.OwnKeys(v.context(), v.visitor.User.ID)
	if err != nil {
		return first, err
	}
	for _, key := range slices.Backward(keys) {
		if key.RevokedAt != nil {
			continue
		}
		first.HasKey = true
		if key.Mode == account.Sandbox && first.TestKey == "" {
			// A key sealed with another secret cannot be shown; an older one may
			// work.
			if text, err := v.Accounts.RevealKey(v.context(), key.ID); err == nil {
				first.TestKey = text
			}
		}
	}
	first.Show = !first.HasKey || !first.HasCall || !first.HasOwn
	return first, nil
}
