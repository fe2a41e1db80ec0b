package lcia

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"cradle/internal/ingest/sheet"
)

// A role is the meaning of a column in a factor table.
type role int

const (
	nothing role = iota
	methodName
	methodVersion
	methodID
	category
	indicator
	indicatorID
	indicatorUnit
	flowName
	flowID
	cas
	compartment
	subcompartment
	flowUnit
	flowProperty
	factor
	location
	synonym
	remark
	report // the IPCC's assessment report
	aside  // numbers that are not factors
	maker  // the emitter: the table is an inventory
)

// headings are the names of columns, letters and digits only.
var headings = map[role]string{
	methodName:     "method methodname lciamethod impactmethod impactassessmentmethod assessmentmethod characterizationmethod characterisationmethod lciamethodologyname",
	methodVersion:  "version methodversion lciamethodversion",
	methodID:       "methoduuid methodid lciamethodid",
	category:       "lciamethodname impactcategory lciacategory impactcategoryname category categoryname damagecategory",
	indicator:      "indicator indicatorname impactindicator lciaindicator parameter categoryindicator midpoint metric",
	indicatorID:    "indicatoruuid indicatorid impactcategoryuuid impactcategoryid lciacategoryid lciamethoduuid",
	indicatorUnit:  "indicatorunit refunit referenceunit impactunit resultunit categoryunit methodunit impactcategoryunit lciaunit cfunit unitcf",
	flowName:       "flowable flowname elementaryflow elementaryflowname substance substancename chemical chemicalname compound compoundname species gas pollutant flow name emission",
	flowID:         "flowuuid flowid elementaryflowuuid elementaryflowid uuid flowrefid",
	cas:            "cas casno casnumber casrn flowcas flowcasnumber casregistrynumber formattedcas flowcasno",
	compartment:    "compartment context categories flowcontext flowcategory flowcategories emissioncompartment medium media environmentalmedium environmentalmedia compartmentname flowclass0",
	subcompartment: "subcompartment subcategory subcompartmentname flowsubcategory flowclass1 flowclass2 flowclass3",
	flowUnit:       "unit units flowunit unitname uom flowreferenceunit flowpropertyunit substanceunit",
	flowProperty:   "flowproperty referenceflowproperty",
	factor:         "factor characterizationfactor characterisationfactor characterizationfactors characterisationfactors cf cfs cfvalue value amount updatedcf impactfactor meanvalue lciafactor factorvalue",
	location:       "location locationcode locationname region country geography lciamethodlocation flowlocation",
	synonym:        "acronym formula chemicalformula synonym synonyms commonname altname alternativename alternativenames altnames othername othernames",
	remark:         "note notes comment comments remark remarks source reference",
	report:         "ar assessmentreport",
	maker:          "sector sectorname sectorcode sectorid industry process processname processid activity activityname exchange",
	aside:          "no nr number id code index row line rank year lifetime lifetimeyr lifetimeyears atmosphericlifetime molecularweight molarmass radiativeefficiency uncertainty",
}

var roles = func() map[string]role {
	byName := map[string]role{}
	for r, names := range headings {
		for name := range strings.FieldsSeq(names) {
			byName[name] = r
		}
	}
	return byName
}()

// ofFlows are headings that only tables of flows have.
var ofFlows = map[string]bool{"flowable": true, "elementaryflow": true, "elementaryflowname": true, "flowname": true, "flowuuid": true, "flowid": true, "elementaryflowuuid": true, "elementaryflowid": true}

// named matches the heading of a factor column: the name of an indicator, with
// or without its unit.
var named = regexp.MustCompile(`(?i)\b(GWP|GTP|AGWP|AGTP|iGTP|ODP|POCP|AP|EP|MIR)[ _-]?\d*\b|\beq\b|\beq\.|equiv|-eq\b|\bCTU|\bDALY|PDF|\bCFs?\b|characteri[sz]ation`)

// plainHeading keeps the letters and digits of a heading.
func plainHeading(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// columns are the columns of a factor table by role.
type columns struct {
	at      map[role][]int
	factors []factorColumn // in a table with a column for each indicator
	others  []string       // headings of columns that are not imported
	own     bool           // a heading is one that only tables of flows have
	placed  bool           // a column is named compartment
	only    bool           // the flow has only a column "name"
}

// newColumns parses the headings of a table with the given profile.
func newColumns(h *header, p *profile) *columns {
	c := &columns{at: map[role][]int{}, only: true}
	var numeric []int
	for i := range h.width() {
		heading := h.rows[h.key].Cell(i)
		r := h.role(i)
		if r == nothing && strings.HasPrefix(plainHeading(heading), "cf") && len(plainHeading(heading)) < 12 && len(c.at[factor]) == 0 {
			r = factor
		}
		c.own = c.own || ofFlows[plainHeading(heading)]
		switch {
		case r == factor, r == nothing && p.isNumeric(i):
			numeric = append(numeric, i)
		case r == aside, r == maker, r == nothing && (heading != "" || p.texts[i] > 0):
			c.others = append(c.others, cmp.Or(heading, sheet.Letters(i)))
		}
		if r != nothing {
			c.at[r] = append(c.at[r], i)
		}
		if r == flowID || r == cas || r == flowName && plainHeading(heading) != "name" {
			c.only = false
		}
	}
	c.settle(h, numeric)
	return c
}

// settle decides the meaning of ambiguous headings.
func (c *columns) settle(h *header, numeric []int) {
	c.placed = len(c.at[compartment]) > 0
	// "Category" beside "Sub-category", without a compartment, is the
	// compartment.
	if len(c.at[compartment]) == 0 && len(c.at[subcompartment]) > 0 && len(c.at[category]) > 0 {
		c.at[compartment], c.at[category] = c.at[category], nil
	}
	isFactor := func(i int) bool { return !tellsFlow(h.role(i)) }
	if !c.isLong(h, isFactor) {
		c.factors = factorColumns(h, numeric, isFactor)
		return
	}
	for _, i := range numeric {
		if i != c.at[factor][0] {
			c.others = append(c.others, cmp.Or(h.rows[h.key].Cell(i), sheet.Letters(i)))
		}
	}
	// "Name" beside "Flow" or "Substance" is the indicator's.
	if names := c.at[flowName]; len(names) > 1 && len(c.at[indicator]) == 0 {
		isName := func(i int) bool { return plainHeading(h.rows[h.key].Cell(i)) == "name" }
		if i := slices.IndexFunc(names, isName); i >= 0 {
			c.at[indicator] = []int{names[i]}
			c.at[flowName] = slices.Delete(slices.Clone(names), i, i+1)
		}
	}
}

// isLong reports whether each row has one factor.
func (c *columns) isLong(h *header, isFactor func(int) bool) bool {
	return len(c.at[factor]) == 1 && (c.namesIndicator() || len(h.parts(c.at[factor][0], isFactor)) == 1)
}

func (c *columns) namesIndicator() bool {
	return len(c.at[indicator])+len(c.at[category])+len(c.at[indicatorID]) > 0
}

// isReadable requires a flow and factors, which is enough if the user names the
// format.
func (c *columns) isReadable() bool {
	return len(c.at[flowName])+len(c.at[flowID]) > 0 && len(c.at[factor])+len(c.factors) > 0
}

// isFactorTable also requires something that no other table has: a compartment,
// an indicator, a method, or columns named after indicators.
func (c *columns) isFactorTable() bool {
	if !c.isReadable() || len(c.at[maker]) > 0 {
		return false
	}
	if c.placed {
		return true
	}
	if len(c.factors) == 0 {
		return c.namesIndicator() || len(c.at[methodName])+len(c.at[compartment]) > 0
	}
	isNamed := func(f factorColumn) bool { return named.MatchString(f.heading) }
	if c.only { // a material has a name too, and may have a footprint
		return !slices.ContainsFunc(c.factors, func(f factorColumn) bool { return !isNamed(f) })
	}
	return c.own || slices.ContainsFunc(c.factors, isNamed)
}

// cell returns the first cell of a role that is not empty.
func (c *columns) cell(row sheet.Row, r role) string {
	for _, i := range c.at[r] {
		if text := said(row.Cell(i)); text != "" {
			return text
		}
	}
	return ""
}

// cells returns all cells of a role that are not empty.
func (c *columns) cells(row sheet.Row, r role) []string {
	var list []string
	for _, i := range c.at[r] {
		if text := said(row.Cell(i)); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// said removes placeholders for missing values.
func said(text string) string {
	switch strings.ToLower(text) {
	case "(no data)", "n/a", "na", "nan", "none", "null", "-", "(unknown)", "#n/a":
		return ""
	}
	return text
}
