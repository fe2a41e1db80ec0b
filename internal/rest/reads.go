package rest

import (
	"encoding/json"

	"cradle/internal/account"
	"cradle/internal/gateway"
	"cradle/internal/library"
)

func (a *API) me(c *gateway.Call, _ parameters) error {
	u := c.Holder.User
	return read(c, user{ID: u.ID.String(), Email: u.Email, Firstname: u.Firstname, Lastname: u.Lastname, RecentTeam: c.Holder.RecentTeam().String()})
}

func (a *API) teams(c *gateway.Call, _ parameters) error {
	teams := mapped(c.Holder.Seats, func(s *account.Seat) team {
		return team{ID: s.Team.ID.String(), Label: s.Team.Label, Description: s.Team.Description, Role: string(s.Role), IsRecent: s.Recent}
	})
	return read(c, items[team]{Items: teams, Total: len(teams)})
}

func (a *API) credits(c *gateway.Call, _ parameters) error {
	balance, err := a.purchases.Balance(c.Request.Context(), c.Viewer)
	if err != nil {
		return err
	}
	return read(c, credits{Balance: balance, Mode: string(c.Viewer.Mode)})
}

func (a *API) methods(c *gateway.Call, _ parameters) error {
	found, err := a.library.Methods(c.Request.Context(), c.Viewer)
	if err != nil {
		return err
	}
	methods := mapped(found, func(m *library.Method) method { return method{ID: m.ID.String(), Name: m.Name, Version: m.Version} })
	return read(c, items[method]{Items: methods, Total: len(methods)})
}

// read answers a read with a body that is at hand.
func read(c *gateway.Call, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.Read(gateway.ContentOf(text))
}

func (a *API) materials(c *gateway.Call, _ parameters) error { return a.listMaterials(c, false) }

func (a *API) pulledMaterials(c *gateway.Call, _ parameters) error { return a.listMaterials(c, true) }

func (a *API) listMaterials(c *gateway.Call, pulled bool) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Pulled = q.Pulled || pulled
	return answerList(a, c, library.Materials, q, library.Page.Materials, versions[c.Version].materials)
}

func (a *API) processes(c *gateway.Call, _ parameters) error { return a.listProcesses(c, false) }

func (a *API) pulledProcesses(c *gateway.Call, _ parameters) error { return a.listProcesses(c, true) }

func (a *API) listProcesses(c *gateway.Call, pulled bool) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Pulled = q.Pulled || pulled
	return answerList(a, c, library.Processes, q, library.Page.Processes, versions[c.Version].processes)
}

func (a *API) material(c *gateway.Call, at parameters) error {
	return answerRecord(a, c, library.Materials, at["id"], "", func(p library.Page) (library.Material, error) {
		return p.Material(c.Request.Context())
	}, versions[c.Version].material)
}

func (a *API) property(c *gateway.Call, at parameters) error {
	id := at["propertyId"]
	return answerRecord(a, c, library.Materials, at["id"], id, func(p library.Page) (library.Property, error) {
		return p.Property(c.Request.Context(), id)
	}, versions[c.Version].property)
}

func (a *API) process(c *gateway.Call, at parameters) error {
	return answerRecord(a, c, library.Processes, at["id"], "", func(p library.Page) (library.Process, error) {
		return p.Process(c.Request.Context())
	}, versions[c.Version].process)
}

func (a *API) impact(c *gateway.Call, at parameters) error {
	id := at["impactId"]
	return answerRecord(a, c, library.Processes, at["id"], id, func(p library.Page) (library.Impact, error) {
		return p.Impact(c.Request.Context(), id)
	}, versions[c.Version].impact)
}
