package lcia

import (
	"regexp"
	"strings"

	"cradle/internal/ingest/sheet"
)

// A role is what a column of a factor table tells.
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
)

// headings are the names that columns have, letters and digits only.
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
	flowUnit:       "unit flowunit unitname uom flowreferenceunit flowpropertyunit substanceunit",
	flowProperty:   "flowproperty referenceflowproperty",
	factor:         "factor characterizationfactor characterisationfactor characterizationfactors characterisationfactors cf cfs cfvalue value amount updatedcf impactfactor meanvalue lciafactor factorvalue",
	location:       "location locationcode locationname region country geography lciamethodlocation flowlocation",
	synonym:        "acronym formula chemicalformula synonym synonyms commonname altname alternativename",
	remark:         "note notes comment comments remark remarks source reference",
	report:         "ar assessmentreport",
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

// wide recognises the heading of a column that holds factors by itself: the
// name of an indicator, with its unit or without.
var wide = regexp.MustCompile(`(?i)\b(GWP|GTP|AGWP|AGTP|iGTP|ODP|POCP|AP|EP|MIR)[ _-]?\d*\b|\beq\b|\beq\.|equiv|-eq\b|\bCTU|\bDALY|PDF|\bCFs?\b|characteri[sz]ation`)

// columns say what stands where in a factor table.
type columns struct {
	at     map[role][]int
	wide   map[int]string // columns of factors by their headings, where there are several
	others map[int]string // columns of which nothing is known
}

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

// readHeader recognises the header of a factor table.
func readHeader(row sheet.Row) (columns, bool) {
	c := columns{at: map[role][]int{}, wide: map[int]string{}, others: map[int]string{}}
	for i := range row.Cells {
		heading := row.Cell(i)
		name := plainHeading(heading)
		r, known := roles[name]
		switch {
		case name == "":
		case known:
			c.at[r] = append(c.at[r], i)
		case strings.HasPrefix(name, "cf") && len(c.at[factor]) == 0 && len(name) < 12:
			c.at[factor] = append(c.at[factor], i)
		case wide.MatchString(heading):
			c.wide[i] = heading
		default:
			c.others[i] = heading
		}
	}
	c.settle(row)
	return c, c.isFactorTable()
}

// settle decides what headings mean that can mean several things.
func (c *columns) settle(row sheet.Row) {
	// "Name" beside "Flow" or "Substance" is the indicator's.
	if names := c.at[flowName]; len(names) > 1 {
		kept := names[:0]
		for _, i := range names {
			if h := plainHeading(row.Cell(i)); h == "name" && len(c.at[indicator]) == 0 {
				c.at[indicator] = []int{i}
			} else {
				kept = append(kept, i)
			}
		}
		c.at[flowName] = kept
	}
	// "Category" beside "Sub-category", with no compartment, is where something is emitted.
	if len(c.at[compartment]) == 0 && len(c.at[subcompartment]) > 0 && len(c.at[category]) > 0 {
		c.at[compartment], c.at[category] = c.at[category], nil
	}
	if len(c.at[factor]) > 0 {
		for i, heading := range c.wide {
			c.others[i] = heading
			delete(c.wide, i)
		}
	}
}

// isFactorTable asks for a flow, a factor, and something that no other table
// has: a compartment, an indicator, a method, or columns named for indicators.
func (c *columns) isFactorTable() bool {
	flow := len(c.at[flowName])+len(c.at[flowID]) > 0
	if len(c.wide) > 0 {
		return flow
	}
	telling := len(c.at[compartment]) + len(c.at[indicator]) + len(c.at[category]) + len(c.at[methodName]) + len(c.at[indicatorID])
	return flow && len(c.at[factor]) > 0 && telling > 0
}

// cell returns the first cell of a role that says something.
func (c *columns) cell(row sheet.Row, r role) string {
	for _, i := range c.at[r] {
		if text := said(row.Cell(i)); text != "" {
			return text
		}
	}
	return ""
}

// cells returns all cells of a role that say something.
func (c *columns) cells(row sheet.Row, r role) []string {
	var list []string
	for _, i := range c.at[r] {
		if text := said(row.Cell(i)); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// said leaves out what people write where they have nothing to write.
func said(text string) string {
	switch strings.ToLower(text) {
	case "(no data)", "n/a", "na", "nan", "none", "null", "-", "(unknown)", "#n/a":
		return ""
	}
	return text
}
