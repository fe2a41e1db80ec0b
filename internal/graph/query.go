package graph

import (
	"context"
	"strings"

	"cradle/internal/account"
	"cradle/internal/gateway"
	"cradle/internal/gql"
	"cradle/internal/lci"
	"cradle/internal/library"
)

// root binds a field of Query or Mutation.
func root[V any](find func(ctx context.Context, c *call, ask gql.Ask) (V, error), as gql.Type[V]) gql.Field[gql.Root] {
	return gql.Resolve(func(ctx context.Context, c *call, _ *gql.Root, ask gql.Ask) (V, error) { return find(ctx, c, ask) }, as)
}

func (a *API) query() gql.Object[gql.Root] {
	return gql.Bind("Query", gql.Fields[gql.Root]{
		"apiVersion":       root(apiVersion, version),
		"me":               root(me, user),
		"teams":            root(teams, teamsPage),
		"materials":        root(a.materials, materialsPage).Weighing(pageSize),
		"material":         root(a.material, gql.Rendered(material)),
		"materialProperty": root(a.property, gql.Rendered(property)),
		"processes":        root(a.processes, processesPage).Weighing(pageSize),
		"process":          root(a.process, gql.Rendered(process)),
		"processImpact":    root(a.impact, gql.Rendered(impact)),
		"impactMethods":    root(a.methods, methodsPage),
		"quoteProperties":  root(a.quote(properties), quote),
		"quoteProcess":     root(a.quote(products), quote),
		"quoteImpacts":     root(a.quote(impacts), quote),
		"quoteDatapoints":  root(a.quote(datapoints), quote),
	})
}

var version = gql.Bind("PublicApiVersion", gql.Fields[gateway.Version]{
	"version":   text(func(v *gateway.Version) string { return string(*v) }),
	"date":      text(func(v *gateway.Version) string { date, _, _ := strings.Cut(string(*v), "."); return date }),
	"name":      text(func(v *gateway.Version) string { _, name, _ := strings.Cut(string(*v), "."); return name }),
	"latest":    text(func(*gateway.Version) string { return string(gateway.Versions[len(gateway.Versions)-1]) }),
	"supported": gql.Get(func(*gateway.Version) []string { return supported() }, gql.List(gql.String)),
})

func supported() []string {
	all := make([]string, len(gateway.Versions))
	for i, v := range gateway.Versions {
		all[i] = string(v)
	}
	return all
}

func apiVersion(_ context.Context, c *call, _ gql.Ask) (*gateway.Version, error) {
	return &c.Version, nil
}

var user = gql.Bind("PublicUser", gql.Fields[account.Holder]{
	"id":         id(func(h *account.Holder) lci.ID { return h.User.ID }),
	"email":      text(func(h *account.Holder) string { return h.User.Email }),
	"firstname":  text(func(h *account.Holder) string { return h.User.Firstname }),
	"lastname":   text(func(h *account.Holder) string { return h.User.Lastname }),
	"recentTeam": id(func(h *account.Holder) lci.ID { return h.RecentTeam() }),
})

func me(_ context.Context, c *call, _ gql.Ask) (*account.Holder, error) { return c.Holder, nil }

var team = gql.Bind("PublicTeam", gql.Fields[account.Seat]{
	"id":          id(func(s *account.Seat) lci.ID { return s.Team.ID }),
	"label":       text(func(s *account.Seat) string { return s.Team.Label }),
	"description": gql.Get(func(s *account.Seat) *string { return s.Team.Description }, gql.Optional(gql.String)),
	"role":        text(func(s *account.Seat) string { return string(s.Role) }),
	"isRecent":    flag(func(s *account.Seat) bool { return s.Recent }),
})

// whole is a list without pages.
type whole[T any] struct{ items []T }

func wholeList[T any](name string, of gql.Object[T]) gql.Object[whole[T]] {
	return gql.Bind(name, gql.Fields[whole[T]]{
		"items": gql.Get(func(w *whole[T]) []T { return w.items }, gql.Objects(of)),
		"total": gql.Get(func(w *whole[T]) int { return len(w.items) }, gql.Int),
	})
}

var teamsPage = wholeList("PublicTeamsPage", team)

func teams(_ context.Context, c *call, _ gql.Ask) (*whole[account.Seat], error) {
	return &whole[account.Seat]{c.Holder.Seats}, nil
}

var methodsPage = wholeList("PublicImpactMethodsPage", method)

func (a *API) methods(ctx context.Context, c *call, _ gql.Ask) (*whole[library.Method], error) {
	found, err := a.library.Methods(ctx, c.Viewer)
	return &whole[library.Method]{found}, err
}

// page is one page of a list, its records rendered for each of its selections.
type page[V any] struct {
	library.Page
	rows map[*gql.Selection][]gql.Row
}

func pageOf[V any](name string, of gql.Object[V]) gql.Object[page[V]] {
	return gql.Bind(name, gql.Fields[page[V]]{
		"items":   gql.Asked(func(p *page[V], ask gql.Ask) []gql.Row { return p.rows[ask.Selection] }, gql.List(gql.Rendered(of))),
		"total":   gql.Get(func(p *page[V]) int { return p.Total }, gql.Int),
		"hasMore": flag(func(p *page[V]) bool { return p.HasMore }),
	})
}

var (
	materialsPage = pageOf("PublicMaterialsPage", material)
	processesPage = pageOf("PublicProcessesPage", process)
)

// listInput reads a PublicListInput; null counts as left out.
func listInput(args gql.Args) (library.Query, error) {
	q := library.Query{Limit: library.DefaultLimit}
	input := args.Object("input")
	if limit, given := input.Int("limit"); given {
		q.Limit = limit
	}
	if offset, given := input.Int("offset"); given {
		q.Offset = offset
	}
	q.Search, q.Pulled = strings.TrimSpace(input.Text("search")), input.Flag("pulled")
	return q, q.Check()
}

// pageSize is the most records that a list may return.
func pageSize(args gql.Args) int {
	q, err := listInput(args)
	if err != nil {
		return 1
	}
	return q.Limit
}

// readPage finds a page and renders its records.
func readPage[V any](ctx context.Context, a *API, c *call, ask gql.Ask, kind library.Kind, of gql.Object[V], records load[V]) (*page[V], error) {
	q, err := listInput(ask.Args)
	if err != nil {
		return nil, err
	}
	p := &page[V]{}
	return p, library.UntilStill(func() (err error) {
		if p.Page, err = a.library.List(ctx, c.Viewer, kind, q); err != nil {
			return err
		}
		p.rows, err = listed(ctx, a, p.Page, ask.Selection.Of("items"), of, records)
		return err
	})
}

func (a *API) materials(ctx context.Context, c *call, ask gql.Ask) (*page[library.Material], error) {
	return readPage(ctx, a, c, ask, library.Materials, material, materialsFor(ask.Selection.Of("items")...))
}

// materialsFor loads only as much of materials as the selections need.
func materialsFor(selections ...*gql.Selection) load[library.Material] {
	for _, s := range selections {
		if s.Has("impacts") {
			return library.Page.WholeMaterials
		}
	}
	return library.Page.Materials
}

func (a *API) processes(ctx context.Context, c *call, ask gql.Ask) (*page[library.Process], error) {
	return readPage(ctx, a, c, ask, library.Processes, process, library.Page.Processes)
}

// readRecord finds a record and renders it, or its row named by child.
func readRecord[V any](ctx context.Context, a *API, c *call, ask gql.Ask, kind library.Kind, id, child string, of gql.Object[V], view func(library.Page) (V, error)) (row gql.Row, err error) {
	err = library.UntilStill(func() error {
		p, err := a.library.Find(ctx, c.Viewer, kind, id)
		if err != nil {
			return err
		}
		row, err = single(a, p, child, ask.Selection, of, view)
		return err
	})
	return row, err
}

func (a *API) material(ctx context.Context, c *call, ask gql.Ask) (gql.Row, error) {
	return readRecord(ctx, a, c, ask, library.Materials, ask.Args.Text("id"), "", material, func(p library.Page) (library.Material, error) {
		found, err := materialsFor(ask.Selection)(p, ctx, p.Refs)
		if err != nil {
			return library.Material{}, err
		}
		return found[0], nil
	})
}

func (a *API) property(ctx context.Context, c *call, ask gql.Ask) (gql.Row, error) {
	id := ask.Args.Text("propertyId")
	return readRecord(ctx, a, c, ask, library.Materials, ask.Args.Text("materialId"), id, property, func(p library.Page) (library.Property, error) {
		return p.Property(ctx, id)
	})
}

func (a *API) process(ctx context.Context, c *call, ask gql.Ask) (gql.Row, error) {
	return readRecord(ctx, a, c, ask, library.Processes, ask.Args.Text("id"), "", process, func(p library.Page) (library.Process, error) {
		return p.Process(ctx)
	})
}

func (a *API) impact(ctx context.Context, c *call, ask gql.Ask) (gql.Row, error) {
	id := ask.Args.Text("impactId")
	return readRecord(ctx, a, c, ask, library.Processes, ask.Args.Text("processId"), id, impact, func(p library.Page) (library.Impact, error) {
		return p.Impact(ctx, id)
	})
}
