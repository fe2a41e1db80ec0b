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

func (a *API) methods(c *gateway.Call, _ parameters) error {
	found, err := a.library.Methods(c.Request.Context(), c.Viewer)
	if err != nil {
		return err
	}
	methods := mapped(found, func(m *library.Method) method { return method{ID: m.ID.String(), Name: m.Name, Version: m.Version} })
	return read(c, items[method]{Items: methods, Total: len(methods)})
}

// read answers a read whose body is at hand.
func read(c *gateway.Call, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.Read(gateway.ContentOf(text))
}

func (a *API) materials(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	return a.listMaterials(c, q)
}

func (a *API) pulledMaterials(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Pulled = true
	return a.listMaterials(c, q)
}

func (a *API) listMaterials(c *gateway.Call, q library.Query) error {
	ctx, v := c.Request.Context(), versions[c.Version]
	return answerList(a, c, q, list[library.Material]{
		shape: listedMaterial,
		find:  func(q library.Query) (library.Page, error) { return a.library.Materials(ctx, c.Viewer, q) },
		load: func(p library.Page, refs []library.Ref) ([]library.Material, error) {
			return a.library.MaterialsOf(ctx, p, refs)
		},
		item: v.material,
		tail: v.materialsTail,
	})
}

func (a *API) processes(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	return a.listProcesses(c, q)
}

func (a *API) pulledProcesses(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Pulled = true
	return a.listProcesses(c, q)
}

func (a *API) listProcesses(c *gateway.Call, q library.Query) error {
	ctx, v := c.Request.Context(), versions[c.Version]
	return answerList(a, c, q, list[library.Process]{
		shape: listedProcess,
		find:  func(q library.Query) (library.Page, error) { return a.library.Processes(ctx, c.Viewer, q) },
		load: func(p library.Page, refs []library.Ref) ([]library.Process, error) {
			return a.library.ProcessesOf(ctx, p, refs)
		},
		item: v.process,
		tail: v.processesTail,
	})
}

func (a *API) material(c *gateway.Call, at parameters) error {
	return answerRecord(a, c, readMaterial, "", a.findMaterial(c, at), func(p library.Page) (any, error) {
		m, err := a.library.MaterialOf(c.Request.Context(), p)
		return singleMaterialOf(&m), err
	})
}

func (a *API) property(c *gateway.Call, at parameters) error {
	return answerRecord(a, c, readProperty, at["propertyId"], a.findMaterial(c, at), func(p library.Page) (any, error) {
		row, err := a.library.PropertyOf(c.Request.Context(), p, at["propertyId"])
		return singlePropertyOf(&row), err
	})
}

func (a *API) process(c *gateway.Call, at parameters) error {
	return answerRecord(a, c, readProcess, "", a.findProcess(c, at), func(p library.Page) (any, error) {
		found, err := a.library.ProcessOf(c.Request.Context(), p)
		return singleProcessOf(&found), err
	})
}

func (a *API) impact(c *gateway.Call, at parameters) error {
	return answerRecord(a, c, readImpact, at["impactId"], a.findProcess(c, at), func(p library.Page) (any, error) {
		row, err := a.library.ImpactOf(c.Request.Context(), p, at["impactId"])
		return singleImpactOf(&row), err
	})
}

func (a *API) findMaterial(c *gateway.Call, at parameters) func() (library.Page, error) {
	return func() (library.Page, error) {
		return a.library.FindMaterial(c.Request.Context(), c.Viewer, at["id"])
	}
}

func (a *API) findProcess(c *gateway.Call, at parameters) func() (library.Page, error) {
	return func() (library.Page, error) {
		return a.library.FindProcess(c.Request.Context(), c.Viewer, at["id"])
	}
}
