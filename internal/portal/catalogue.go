package portal

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"cradle/internal/fault"
	"cradle/internal/library"
	"cradle/internal/purchase"
)

// pageRows is how many rows a list shows at a time.
const pageRows = 25

type cataloguePage struct {
	Processes           bool
	Query               library.Query
	Choices             library.Choices
	Rows                []catalogueRow
	Total, Other        int // of this kind, and of the other
	First, Last         int
	Earlier, Later      string // addresses of the neighbouring pages
	ThisKind, OtherKind string
	Narrowed            bool
}

// catalogueRow is a material or a process in the list.
type catalogueRow struct {
	ID, Name, Path             string
	Organization, Regions      string
	Unit, Date                 string
	Revealed, Starred          bool
	Rows, RevealedRows         int
	Aggregated, OfProcess, New bool
}

func (v *visit) catalogue() error {
	page, err := v.cataloguePage()
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "catalogue", "Catalogue", page)
}

// catalogueResults is the list alone, for search as you type.
func (v *visit) catalogueResults() error {
	page, err := v.cataloguePage()
	if err != nil {
		return err
	}
	return v.fragment("catalogue", "results", page)
}

func (v *visit) cataloguePage() (cataloguePage, error) {
	asked := v.request.URL.Query()
	page := cataloguePage{Processes: asked.Get("kind") == "processes", Query: catalogueQuery(asked)}
	var err error
	listed, _ := page.kinds()
	if page.Choices, err = v.Library.Choices(v.context(), v.viewer, listed); err != nil {
		return page, err
	}
	if err := v.readCatalogue(&page); err != nil {
		return page, err
	}
	q := page.Query
	page.Narrowed = q.Search != "" || q.Pulled || q.Starred || q.Region != "" || q.Organization != ""
	page.First, page.Last = min(q.Offset+1, page.Total), min(q.Offset+len(page.Rows), page.Total)
	if q.Offset > 0 {
		page.Earlier = page.address(page.Processes, max(0, q.Offset-pageRows))
	}
	if page.Last < page.Total {
		page.Later = page.address(page.Processes, q.Offset+pageRows)
	}
	page.ThisKind, page.OtherKind = page.address(page.Processes, 0), page.address(!page.Processes, 0)
	return page, nil
}

func catalogueQuery(asked url.Values) library.Query {
	offset, err := strconv.Atoi(asked.Get("offset"))
	if err != nil || offset < 0 || offset > 1<<30 {
		offset = 0
	}
	return library.Query{Search: strings.TrimSpace(asked.Get("q")), Limit: pageRows, Offset: offset, Pulled: asked.Get("pulled") != "",
		Starred: asked.Get("starred") != "", Region: asked.Get("region"), Organization: asked.Get("organization")}
}

// address is the URL of a page of the list.
func (p *cataloguePage) address(processes bool, offset int) string {
	values, q := url.Values{}, p.Query
	set := func(name, value string) {
		if value != "" {
			values.Set(name, value)
		}
	}
	set("q", q.Search)
	if processes == p.Processes {
		set("region", q.Region)
		set("organization", q.Organization)
	}
	if processes {
		set("kind", "processes")
	}
	if q.Pulled {
		set("pulled", "on")
	}
	if q.Starred {
		set("starred", "on")
	}
	if offset > 0 {
		set("offset", strconv.Itoa(offset))
	}
	if len(values) == 0 {
		return "/portal/catalogue"
	}
	return "/portal/catalogue?" + values.Encode()
}

// kinds are the kind of record that the page lists, and the other one.
func (p *cataloguePage) kinds() (these, others library.Kind) {
	if p.Processes {
		return library.Processes, library.Materials
	}
	return library.Materials, library.Processes
}

func (v *visit) readCatalogue(page *cataloguePage) error {
	ctx := v.context()
	these, others := page.kinds()
	found, err := v.Library.List(ctx, v.viewer, these, page.Query)
	if err != nil {
		return err
	}
	page.Total = found.Total
	other := page.Query
	other.Region, other.Organization, other.Offset, other.Limit = "", "", 0, 0
	rest, err := v.Library.List(ctx, v.viewer, others, other)
	if err != nil {
		return err
	}
	page.Other = rest.Total
	if page.Processes {
		return v.listProcesses(page, found)
	}
	return v.listMaterials(page, found)
}

func (v *visit) listMaterials(page *cataloguePage, found library.Page) error {
	materials, err := found.Materials(v.context(), found.Refs)
	for _, m := range materials {
		row := catalogueRow{ID: m.ID.String(), Name: m.Name, Path: "/portal/materials/" + m.ID.String(), Organization: m.SourceOrganization,
			Regions: strings.Join(m.RegionalScopes, ", "), Unit: m.FunctionalUnit, Date: m.DatePublished, Revealed: m.Revealed, Starred: m.Favourite, Rows: len(m.Properties)}
		for _, p := range m.Properties {
			if p.Revealed {
				row.RevealedRows++
			}
		}
		page.Rows = append(page.Rows, row)
	}
	return err
}

func (v *visit) listProcesses(page *cataloguePage, found library.Page) error {
	processes, err := found.Processes(v.context(), found.Refs)
	for _, p := range processes {
		row := catalogueRow{ID: p.ID.String(), Name: p.Name, Path: "/portal/processes/" + p.ID.String(), Organization: p.SourceOrganization,
			Regions: p.Region, Unit: p.FunctionalUnit, Date: p.DatePublished, Revealed: p.Revealed, Starred: p.Favourite, Rows: len(p.Impacts), OfProcess: true}
		for _, i := range p.Impacts {
			if i.Revealed {
				row.RevealedRows++
			}
		}
		page.Rows = append(page.Rows, row)
	}
	return err
}

// star marks or unmarks a record and returns to the page it was on.
func (v *visit) star() error {
	if err := v.Library.Star(v.context(), v.viewer, v.path("id"), v.field("on") != ""); err != nil {
		return err
	}
	return v.send(local(v.field("back")), "")
}

// quotePage asks whether to buy.
type quotePage struct {
	Name, Path string
	What       string
	Items      []string
	Users      string
	Quote      purchase.Quote
	Said       string
	Short      bool // of credits
}

// quote shows what the chosen rows cost: as a page, or in a line for a script.
func (v *visit) quote() error {
	order, err := v.order()
	if err != nil {
		return err
	}
	q, err := v.Purchases.Quote(v.context(), v.viewer, order)
	if err != nil {
		return err
	}
	page := quotePage{Path: strings.TrimSuffix(v.request.URL.Path, "/quote"), What: v.field("what"), Items: v.request.PostForm["item"],
		Users: strconv.FormatInt(order.UserCount, 10), Quote: q, Said: afterwards(q), Short: q.BalanceAfter < 0}
	if v.request.Header.Get("X-Fragment") != "" {
		return v.fragment("pull", "line", page)
	}
	if page.Name, err = v.recordName(); err != nil {
		return err
	}
	return v.show(http.StatusOK, "pull", "Pull values", page)
}

func (v *visit) recordName() (string, error) {
	name, _ := v.recordNamed(v.path("id"))
	if name == "" {
		return "", fault.NotFoundf("There is no such record, or it is not visible to this team")
	}
	return name, nil
}
