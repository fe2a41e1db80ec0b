package jsonld

import (
	"slices"

	"cradle/internal/export"
	"cradle/internal/lci"
)

type olcaProcess struct {
	olcaRecord
	Kind          string             `json:"processType"`
	LastID        int                `json:"lastInternalId"`
	Location      *olcaRef           `json:"location,omitempty"`
	Documentation *olcaDocumentation `json:"processDocumentation,omitempty"`
	Allocation    string             `json:"defaultAllocationMethod,omitempty"`
	Allocations   []olcaAllocation   `json:"allocationFactors,omitempty"`
	Exchanges     []olcaExchange     `json:"exchanges"`
	ImpactResults []olcaResult       `json:"impactResults,omitempty"`
}

type olcaDocumentation struct {
	Created string    `json:"creationDate,omitempty"`
	Owner   *olcaRef  `json:"dataSetOwner,omitempty"`
	Sources []olcaRef `json:"sources,omitempty"`
}

type olcaExchange struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	InternalID  int              `json:"internalId"`
	Flow        olcaRef          `json:"flow"`
	Property    olcaRef          `json:"flowProperty"`
	Unit        olcaRef          `json:"unit"`
	Amount      float64          `json:"amount"`
	Input       bool             `json:"isInput"`
	Reference   bool             `json:"isQuantitativeReference"`
	Avoided     bool             `json:"isAvoidedProduct"`
	Provider    *olcaRef         `json:"defaultProvider,omitempty"`
	Uncertainty *olcaUncertainty `json:"uncertainty,omitempty"`
	Cost        *float64         `json:"costValue,omitempty"`
}

type olcaUncertainty struct {
	Type         string   `json:"@type"`
	Distribution string   `json:"distributionType"`
	GeomMean     *float64 `json:"geomMean,omitempty"`
	GeomSD       *float64 `json:"geomSd,omitempty"`
	Mean         *float64 `json:"mean,omitempty"`
	SD           *float64 `json:"sd,omitempty"`
	Minimum      *float64 `json:"minimum,omitempty"`
	Mode         *float64 `json:"mode,omitempty"`
	Maximum      *float64 `json:"maximum,omitempty"`
}

type olcaAllocation struct {
	Type     string        `json:"@type"`
	Method   string        `json:"allocationType"`
	Product  olcaRef       `json:"product"`
	Exchange *olcaInternal `json:"exchange,omitempty"`
	Value    float64       `json:"value"`
}

type olcaInternal struct {
	InternalID int `json:"internalId"`
}

type olcaResult struct {
	Type      string  `json:"@type"`
	Indicator olcaRef `json:"indicator"`
	Amount    float64 `json:"amount"`
}

func (j *writer) writeProcesses() error {
	return j.EachProcess(func(p lci.Process, exchanges []lci.Exchange) error {
		out := olcaProcess{
			olcaRecord: olcaRecord{Type: "Process", ID: p.ID.String(), Name: p.Name, Category: p.Classification, Description: p.Description},
			Kind:       "UNIT_PROCESS", Exchanges: []olcaExchange{}, LastID: len(exchanges),
		}
		if p.Boundary == lci.Aggregated {
			out.Kind = "LCI_RESULT"
		}
		if p.Region != "" {
			out.Location = locationRef(p.Region)
			j.locations[p.Region] = true
		}
		out.Documentation = j.documentation(p)
		if j.network != nil {
			j.linked(&out, p, exchanges)
		} else {
			j.stored(&out, p, exchanges)
		}
		for _, i := range j.Impacts[p.ID] {
			out.ImpactResults = append(out.ImpactResults, olcaResult{"ImpactResult", j.indicatorRef(i), i.Value})
		}
		return j.put("processes/"+p.ID.String()+".json", out)
	})
}

// stored writes the exchanges of a process unchanged.
func (j *writer) stored(out *olcaProcess, p lci.Process, exchanges []lci.Exchange) {
	first := true
	for n, x := range exchanges {
		written := j.exchange(x, first)
		written.InternalID = n + 1
		out.Exchanges = append(out.Exchanges, written)
		first = first && !x.IsProduct()
	}
	j.allocate(out, p.ID, exchanges)
}

func (j *writer) documentation(p lci.Process) *olcaDocumentation {
	var d olcaDocumentation
	d.Created = p.DatePublished
	if p.SourceOrganization != "" {
		d.Owner = actorRef(p.SourceOrganization)
		j.actors[p.SourceOrganization] = true
	}
	for _, link := range p.Sources {
		d.Sources = append(d.Sources, sourceRef(link))
		j.sources[link] = true
	}
	if d.Created == "" && d.Owner == nil && d.Sources == nil {
		return nil
	}
	return &d
}

// exchange turns exchanges that openLCA has on the other side: a treatment has
// its waste as an input, and a negative input of a waste is an output.
func (j *writer) exchange(x lci.Exchange, first bool) olcaExchange {
	q := j.quantity(x.Unit)
	out := olcaExchange{
		Type: "Exchange", ID: x.ID.String(), Flow: j.flowRef(x.FlowID), Property: q.propertyRef(), Unit: olcaRef{Type: "Unit", ID: q.unitID, Name: q.unit},
		Amount: x.Value, Input: x.Direction == lci.Input, Reference: x.IsProduct() && first, Avoided: x.Avoided, Uncertainty: olcaUncertain(x),
	}
	if turned := x.IsProduct() || x.Direction == lci.Input; turned && x.Type == lci.Waste && x.Value < 0 && !x.Avoided && x.Distribution == lci.Certain {
		out.Input, out.Amount = !out.Input, -x.Value
	}
	if name, there := j.ProcessNames[x.ProviderID]; there {
		out.Provider = &olcaRef{Type: "Process", ID: x.ProviderID.String(), Name: name}
	}
	if x.Worth != nil {
		cost := export.Rounded(*x.Worth * out.Amount)
		out.Cost = &cost
	}
	return out
}

func olcaUncertain(x lci.Exchange) *olcaUncertainty {
	u := olcaUncertainty{Type: "Uncertainty"}
	switch x.Distribution {
	case lci.Lognormal:
		mean, sd, ok := export.Geometric(&x)
		if !ok {
			return nil
		}
		u.Distribution, u.GeomMean, u.GeomSD = "LOG_NORMAL_DISTRIBUTION", &mean, &sd
	case lci.Normal:
		u.Distribution, u.Mean, u.SD = "NORMAL_DISTRIBUTION", x.Mean, x.StandardDeviation
	case lci.Triangular:
		u.Distribution, u.Minimum, u.Mode, u.Maximum = "TRIANGLE_DISTRIBUTION", x.Minimum, export.Mode(&x), x.Maximum
	case lci.Uniform:
		u.Distribution, u.Minimum, u.Maximum = "UNIFORM_DISTRIBUTION", x.Minimum, x.Maximum
	default:
		return nil
	}
	return &u
}

// allocate writes causal factors if there are any, else the products' shares.
func (j *writer) allocate(out *olcaProcess, process lci.ID, exchanges []lci.Exchange) {
	at := map[lci.ID]int{}
	for n, x := range exchanges {
		at[x.ID] = n + 1
	}
	for _, a := range j.Allocations[process] {
		if n, there := at[a.ExchangeID]; there {
			out.Allocation = "CAUSAL_ALLOCATION"
			out.Allocations = append(out.Allocations, olcaAllocation{"AllocationFactor", out.Allocation, j.flowRef(a.ProductID), &olcaInternal{n}, a.Share})
			j.Counts.Allocations++
		}
	}
	if out.Allocation != "" {
		return
	}
	for _, x := range exchanges {
		if x.IsProduct() && x.Share != nil {
			out.Allocation = "PHYSICAL_ALLOCATION"
			out.Allocations = append(out.Allocations, olcaAllocation{"AllocationFactor", out.Allocation, j.flowRef(x.FlowID), nil, *x.Share})
		}
	}
}

type olcaMethod struct {
	olcaRecord
	Version    string    `json:"version,omitempty"`
	Categories []olcaRef `json:"impactCategories"`
}

type olcaCategory struct {
	olcaRecord
	Unit    string       `json:"refUnit"`
	Factors []olcaFactor `json:"impactFactors"`
}

type olcaFactor struct {
	Type     string  `json:"@type"`
	Flow     olcaRef `json:"flow"`
	Property olcaRef `json:"flowProperty"`
	Unit     olcaRef `json:"unit"`
	Value    float64 `json:"value"`
}

func (j *writer) writeMethods() error {
	err := j.EachIndicator(func(_ lci.Method, i lci.Indicator, factors []lci.Factor) error {
		out := olcaCategory{olcaRecord: olcaRecord{Type: "ImpactCategory", ID: i.ID.String(), Name: i.Name, Category: i.Category}, Unit: i.Unit, Factors: []olcaFactor{}}
		factors = j.counting(i, factors)
		for _, f := range factors {
			q := j.quantity(j.Flows[f.FlowID].Unit)
			out.Factors = append(out.Factors, olcaFactor{"ImpactFactor", j.flowRef(f.FlowID), q.propertyRef(), olcaRef{Type: "Unit", ID: q.unitID, Name: q.unit}, f.Value})
		}
		return j.put("lcia_categories/"+out.ID+".json", out)
	})
	if err != nil {
		return err
	}
	for _, m := range j.Methods {
		out := olcaMethod{olcaRecord: olcaRecord{Type: "ImpactMethod", ID: m.ID.String(), Name: m.Name}, Version: m.Version, Categories: []olcaRef{}}
		for _, i := range j.Indicators[m.ID] {
			out.Categories = append(out.Categories, olcaRef{Type: "ImpactCategory", ID: i.ID.String(), Name: i.Name, RefUnit: i.Unit})
		}
		if err := j.put("lcia_methods/"+out.ID+".json", out); err != nil {
			return err
		}
	}
	return nil
}

// counting are the effective factors: for flows in exchanges those matched, for
// others the method's own.
func (j *writer) counting(i lci.Indicator, stored []lci.Factor) []lci.Factor {
	if j.network == nil {
		return stored
	}
	all := slices.Clone(j.network.effective[i.ID])
	for _, f := range stored {
		if _, exchanged := j.network.nature[f.FlowID]; !exchanged && j.Flows[f.FlowID].Type == lci.Elementary {
			all = append(all, f)
		}
	}
	j.Counts.Factors += len(all) - len(stored)
	if f := export.StatedFlow(i); j.Flows[f.ID].ID == f.ID {
		all = append(all, lci.Factor{FlowID: f.ID, Value: 1})
	}
	slices.SortFunc(all, func(a, b lci.Factor) int { return a.FlowID.Compare(b.FlowID) })
	return all
}

// indicatorRef refers to the indicator of an impact row.
func (j *writer) indicatorRef(i lci.Impact) olcaRef {
	return olcaRef{Type: "ImpactCategory", ID: j.IndicatorID(i).String(), Name: i.Indicator, RefUnit: i.Unit}
}
