package main

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
	"cradle/internal/store"
)

// demoDays is how many days of history the demonstration's teams have.
const demoDays = 30

// addDemoHistory adds requests of the last weeks and a few pulls, so that the
// portal has something to show.
func (a *app) addDemoHistory(o *backend, d *demonstration, now time.Time) error {
	for i, team := range d.Teams {
		_, entries, err := o.Ledger(a.ctx, account.Wallet{Team: team.ID, Mode: account.Live})
		if err != nil {
			return err
		}
		if len(entries) > 0 {
			continue // has a history already
		}
		for _, secret := range []string{d.LiveKey, d.TestKey} {
			holder, err := o.Holder(a.ctx, account.HashSecret(secret))
			if err != nil {
				return err
			}
			seat := demoSeat{holder, account.Wallet{Team: team.ID, Mode: holder.Key.Mode}}
			rows := seat.requests(uint64(i), now)
			if seat.Mode == account.Live {
				pulls, err := a.demoPulls(o, seat, demoBought[i], now)
				if err != nil {
					return fmt.Errorf("pull for team %s: %w", team.Label, err)
				}
				rows = append(rows, pulls...)
			}
			slices.SortStableFunc(rows, func(a, b requestlog.Row) int { return a.Time.Compare(b.Time) })
			if err := o.LogRequests(a.ctx, rows); err != nil {
				return fmt.Errorf("log requests: %w", err)
			}
		}
	}
	return nil
}

// demoSeat is a key's holder acting for a team.
type demoSeat struct {
	*account.Holder
	account.Wallet
}

// row is a successful request of the seat.
func (s demoSeat) row(at time.Time, method, path string) requestlog.Row {
	return requestlog.Row{Time: at, RequestID: lci.NewID().String(), Method: method, Path: path, Status: 200, Duration: 2 * time.Millisecond,
		Client: "192.0.2.10", KeyID: s.Key.ID, KeyPrefix: s.Key.Prefix, UserID: s.User.ID, TeamID: s.Team, Mode: s.Mode}
}

// requests are the same in every demonstration except for the time.
func (s demoSeat) requests(seed uint64, now time.Time) []requestlog.Row {
	paths := []string{"/public/materials", "/public/materials", "/public/processes", "/public/impact-methods", "/public/teams", "/public/materials/pulled"}
	random := rand.New(rand.NewPCG(uint64(len(s.Mode)), seed))
	var rows []requestlog.Row
	for day := demoDays - 1; day >= 0; day-- {
		at := now.Add(-time.Duration(day) * 24 * time.Hour)
		busy := 12 + random.IntN(50)
		if weekday := at.Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			busy /= 6
		}
		if s.Mode == account.Sandbox {
			busy /= 2
		}
		for n := range busy {
			row := s.row(at.Add(-time.Duration(busy-n)*7*time.Minute), "GET", paths[random.IntN(len(paths))])
			row.Duration = time.Duration(200+random.IntN(1800)) * time.Microsecond
			switch roll := random.IntN(100); {
			case roll < 3:
				row.Path, row.Status = "/public/materials/"+lci.NewID().String(), 404
			case roll < 4:
				row.Status = 400
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// demoBought names what each team has bought: a material and a process. The
// items in the first curl lines are not among them.
var demoBought = []struct{ material, process string }{
	{"Polyethylene terephthalate, bottle grade", "Polyethylene terephthalate production, bottle grade"},
	{"Concrete, ready-mixed, C30/37", "Concrete production, ready-mixed, C30/37"},
}

// demoPulls buys one thing at a time over the last weeks and returns the
// requests for it. It grants the credits for this in addition, so that
// demoCredits are left.
func (a *app) demoPulls(o *backend, seat demoSeat, bought struct{ material, process string }, now time.Time) ([]requestlog.Row, error) {
	orders, err := a.demoOrders(o, bought.material, bought.process)
	if err != nil {
		return nil, err
	}
	viewer := account.Viewer{User: seat.User.ID, Team: seat.Team, Mode: seat.Mode, Key: seat.Key.ID}
	cost, began := int64(0), now.Add(-demoDays*24*time.Hour)
	for _, order := range orders {
		quote, err := purchase.NewService(o.Store, time.Now).Quote(a.ctx, viewer, order)
		if err != nil {
			return nil, err
		}
		cost += quote.Credits
	}
	if _, err := o.GrantAt(a.ctx, seat.Wallet, demoCredits+cost, "demonstration", began); err != nil {
		return nil, err
	}
	rows := make([]requestlog.Row, len(orders))
	for i, order := range orders {
		at := began.Add(time.Duration(i+1) * demoDays * 24 * time.Hour / time.Duration(len(orders)+1))
		rows[i] = seat.row(at, "POST", demoPath(order))
		desk := purchase.NewService(o.Store, func() time.Time { return at })
		answer, _, err := desk.Pull(a.ctx, purchase.Request{Viewer: viewer, ID: rows[i].RequestID}, order)
		if err != nil {
			return nil, err
		}
		rows[i].Credits = answer.Credits
	}
	return rows, nil
}

func demoPath(o purchase.Order) string {
	switch o.Kind {
	case purchase.Products:
		return "/public/processes/" + o.Record.String() + "/pull"
	case purchase.Impacts:
		return "/public/processes/" + o.Record.String() + "/impacts/pull"
	}
	return "/public/materials/" + o.Record.String() + "/properties/pull"
}

// demoOrders returns an order for each property of a material, for the product
// of a process, and for each method.
func (a *app) demoOrders(o *backend, material, process string) ([]purchase.Order, error) {
	var orders []purchase.Order
	add := func(kind purchase.Kind, record, item lci.ID) {
		orders = append(orders, purchase.Order{Kind: kind, Record: record, Items: []lci.ID{item}, UserCount: 1})
	}
	err := o.Export(a.ctx, func(shelf *store.Snapshot) error {
		of, err := first(shelf.Materials(a.ctx), func(m lci.Material) bool { return m.Name == material })
		if err != nil {
			return err
		}
		for p, err := range shelf.Properties(a.ctx) {
			if err != nil {
				return err
			}
			if p.MaterialID == of.ID {
				add(purchase.Properties, of.ID, p.ID)
			}
		}
		by, err := first(shelf.Processes(a.ctx), func(p lci.Process) bool { return p.Name == process })
		if err != nil {
			return err
		}
		product, err := first(shelf.Exchanges(a.ctx), func(x lci.Exchange) bool { return x.ProcessID == by.ID && x.Reference })
		if err != nil {
			return err
		}
		add(purchase.Products, by.ID, product.FlowID)
		for m, err := range shelf.Methods(a.ctx) {
			if err != nil {
				return err
			}
			add(purchase.Impacts, by.ID, m.ID)
		}
		return nil
	})
	return orders, err
}

// first returns the first row that matches.
func first[T any](rows iter.Seq2[T, error], fits func(T) bool) (T, error) {
	for row, err := range rows {
		if err != nil || fits(row) {
			return row, err
		}
	}
	var none T
	return none, errors.New("the library has no such row")
}
