package portal

import (
	"net/http"
	"strings"

	"cradle/internal/lci"
	"cradle/internal/library"
)

type materialPage struct {
	library.Material
	Path    string
	Regions string
	Hidden  int
	Impacts []impactGroup
	Balance int64
}

func (v *visit) material() error {
	m, err := v.readMaterial()
	if err != nil {
		return err
	}
	page := materialPage{Material: m, Path: "/portal/materials/" + m.ID.String(), Regions: strings.Join(m.RegionalScopes, ", "), Impacts: propertyGroups(m)}
	for _, p := range m.Properties {
		if !p.Revealed {
			page.Hidden++
		}
	}
	if page.Balance, err = v.Books.Balance(v.context(), v.viewer.Wallet()); err != nil {
		return err
	}
	return v.show(http.StatusOK, "material", m.Name, page)
}

func (v *visit) readMaterial() (library.Material, error) {
	page, err := v.Library.Find(v.context(), v.viewer, library.Materials, v.path("id"))
	if err != nil {
		return library.Material{}, err
	}
	return page.Material(v.context())
}

type processPage struct {
	library.Process
	Path       string
	Products   []library.Exchange
	Others     []library.Exchange
	HasInputs  bool
	HiddenRows bool // there are products left to pull
	Groups     []impactGroup
	HiddenSets bool // there are methods left to pull
	Flow       *flowChart
	Balance    int64
}

func (v *visit) process() error {
	p, err := v.readProcess()
	if err != nil {
		return err
	}
	page := processPage{Process: p, Path: "/portal/processes/" + p.ID.String(), Groups: impactGroups(p)}
	for _, x := range p.Outputs {
		if x.Product {
			page.Products = append(page.Products, x)
			page.HiddenRows = page.HiddenRows || x.Number.Value == nil
			page.HasInputs = page.HasInputs || x.Number.Value != nil
		} else {
			page.Others = append(page.Others, x)
		}
	}
	for _, g := range page.Groups {
		page.HiddenSets = page.HiddenSets || !g.Revealed
	}
	if page.HasInputs {
		page.Flow = newFlowChart(p)
	}
	if page.Balance, err = v.Books.Balance(v.context(), v.viewer.Wallet()); err != nil {
		return err
	}
	return v.show(http.StatusOK, "process", p.Name, page)
}

// readProcess reads a process as in lists, which also show what was pulled of a
// flow-based one.
func (v *visit) readProcess() (library.Process, error) {
	page, err := v.Library.Find(v.context(), v.viewer, library.Processes, v.path("id"))
	if err != nil {
		return library.Process{}, err
	}
	found, err := page.Processes(v.context(), page.Refs)
	if err != nil {
		return library.Process{}, err
	}
	return found[0], nil
}

// impactGroup is the impacts under one method.
type impactGroup struct {
	Method   lci.ID
	Name     string
	Of       string // the property that it belongs to, for a material
	Revealed bool
	Rows     []impactRow
}

// impactRow is one impact with its bar, in per cent of the longest with its
// unit.
type impactRow struct {
	Category, Indicator, Unit string
	Value                     *float64
	Bar, From                 float64
	Negative                  bool
}

func impactGroups(p library.Process) []impactGroup {
	var groups []impactGroup
	at := map[lci.ID]int{}
	for _, i := range p.Impacts {
		n, ok := at[i.Method.ID]
		if !ok {
			n = len(groups)
			at[i.Method.ID] = n
			groups = append(groups, impactGroup{Method: i.Method.ID, Name: methodName(i.Method), Revealed: true})
		}
		g := &groups[n]
		g.Revealed = g.Revealed && i.Revealed
		g.Rows = append(g.Rows, impactRow{Category: i.Category, Indicator: i.Indicator, Unit: i.Unit, Value: i.Number.Value})
	}
	return measured(groups)
}

func methodName(m library.Method) string { return strings.TrimSpace(m.Name + " " + m.Version) }

// propertyGroups are the impacts of a material, by property and method.
func propertyGroups(m library.Material) []impactGroup {
	names := map[lci.ID]string{}
	for _, p := range m.Properties {
		names[p.ID] = p.Name
	}
	var groups []impactGroup
	at := map[string]int{}
	for _, i := range m.Impacts {
		key := i.PropertyID.String() + i.Method.ID.String()
		n, ok := at[key]
		if !ok {
			n = len(groups)
			at[key] = n
			groups = append(groups, impactGroup{Name: methodName(i.Method), Of: names[i.PropertyID], Revealed: true})
		}
		g := &groups[n]
		g.Revealed = g.Revealed && i.Revealed
		g.Rows = append(g.Rows, impactRow{Category: i.Category, Indicator: i.Indicator, Unit: i.Unit, Value: i.Value})
	}
	return measured(groups)
}

// measured sets the bar of every row. Only rows with the same unit can be
// compared.
func measured(groups []impactGroup) []impactGroup {
	for _, g := range groups {
		low, high := map[string]float64{}, map[string]float64{}
		for _, r := range g.Rows {
			if r.Value != nil {
				low[r.Unit], high[r.Unit] = min(low[r.Unit], *r.Value), max(high[r.Unit], *r.Value)
			}
		}
		for i := range g.Rows {
			r := &g.Rows[i]
			if spread := high[r.Unit] - low[r.Unit]; r.Value != nil && spread > 0 {
				zero := -low[r.Unit] / spread * 100
				length := *r.Value / spread * 100
				r.From, r.Bar, r.Negative = zero+min(0, length), max(length, -length), length < 0
			}
		}
	}
	return groups
}
