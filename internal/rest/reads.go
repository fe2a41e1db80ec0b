package rest

import (
	"encoding/json"

	"cradle/internal/account"
	"cradle/internal/gateway"
	"cradle/internal/library"
)

func (f *Face) me(c *gateway.Call, _ parameters) error {
	u := c.Holder.User
	return read(c, user{ID: u.ID.String(), Email: u.Email, Firstname: u.Firstname, Lastname: u.Lastname, RecentTeam: c.Holder.RecentTeam().String()})
}

func (f *Face) teams(c *gateway.Call, _ parameters) error {
	teams := mapped(c.Holder.Seats, func(s *account.Seat) team {
		return team{ID: s.Team.ID.String(), Label: s.Team.Label, Description: s.Team.Description, Role: string(s.Role), IsRecent: s.Recent}
	})
	return read(c, items[team]{Items: teams, Total: len(teams)})
}

func (f *Face) methods(c *gateway.Call, _ parameters) error {
	found, err := f.library.Methods(c.Request.Context(), c.Viewer)
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

func (f *Face) materials(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	return f.listMaterials(c, q)
}

func (f *Face) pulledMaterials(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Pulled = true
	return f.listMaterials(c, q)
}

func (f *Face) listMaterials(c *gateway.Call, q library.Query) error {
	ctx, v := c.Request.Context(), versions[c.Version]
	return answerList(f, c, q, list[library.Material]{
		shape: listedMaterial,
		find:  func(q library.Query) (library.Page, error) { return f.library.Materials(ctx, c.Viewer, q) },
		load: func(p library.Page, refs []library.Ref) ([]library.Material, error) {
			return f.library.MaterialsOf(ctx, p, refs)
		},
		item: v.material,
		tail: v.materialsTail,
	})
}

func (f *Face) processes(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	return f.listProcesses(c, q)
}

func (f *Face) pulledProcesses(c *gateway.Call, _ parameters) error {
	q, err := parseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Pulled = true
	return f.listProcesses(c, q)
}

func (f *Face) listProcesses(c *gateway.Call, q library.Query) error {
	ctx, v := c.Request.Context(), versions[c.Version]
	return answerList(f, c, q, list[library.Process]{
		shape: listedProcess,
		find:  func(q library.Query) (library.Page, error) { return f.library.Processes(ctx, c.Viewer, q) },
		load: func(p library.Page, refs []library.Ref) ([]library.Process, error) {
			return f.library.ProcessesOf(ctx, p, refs)
		},
		item: v.process,
		tail: v.processesTail,
	})
}

func (f *Face) material(c *gateway.Call, at parameters) error {
	return answerRecord(f, c, readMaterial, "", f.findMaterial(c, at), func(p library.Page) (any, error) {
		m, err := f.library.MaterialOf(c.Request.Context(), p)
		return singleMaterialOf(&m), err
	})
}

func (f *Face) property(c *gateway.Call, at parameters) error {
	return answerRecord(f, c, readProperty, at["propertyId"], f.findMaterial(c, at), func(p library.Page) (any, error) {
		row, err := f.library.PropertyOf(c.Request.Context(), p, at["propertyId"])
		return singlePropertyOf(&row), err
	})
}

func (f *Face) process(c *gateway.Call, at parameters) error {
	return answerRecord(f, c, readProcess, "", f.findProcess(c, at), func(p library.Page) (any, error) {
		found, err := f.library.ProcessOf(c.Request.Context(), p)
		return singleProcessOf(&found), err
	})
}

func (f *Face) impact(c *gateway.Call, at parameters) error {
	return answerRecord(f, c, readImpact, at["impactId"], f.findProcess(c, at), func(p library.Page) (any, error) {
		row, err := f.library.ImpactOf(c.Request.Context(), p, at["impactId"])
		return singleImpactOf(&row), err
	})
}

func (f *Face) findMaterial(c *gateway.Call, at parameters) func() (library.Page, error) {
	return func() (library.Page, error) {
		return f.library.FindMaterial(c.Request.Context(), c.Viewer, at["id"])
	}
}

func (f *Face) findProcess(c *gateway.Call, at parameters) func() (library.Page, error) {
	return func() (library.Page, error) {
		return f.library.FindProcess(c.Request.Context(), c.Viewer, at["id"])
	}
}
