package export

import (
	"slices"

	"cradle/internal/lci"
)

type olcaProcess struct {
	record
	Kind          string             `json:"processType"`
	LastID        int                `json:"lastInternalId"`
	Location      *ref               `json:"location,omitempty"`
	Documentation *olcaDocumentation `json:"processDocumentation,omitempty"`
	Allocation    string             `json:"defaultAllocationMethod,omitempty"`
	Allocations   []olcaAllocation   `json:"allocationFactors,omitempty"`
	Exchanges     []olcaExchange     `json:"exchanges"`
	ImpactResults []olcaResult       `json:"impactResults,omitempty"`
}

type olcaDocumentation struct {
	Created string `json:"creationDate,omitempty"`
	Owner   *ref   `json:"dataSetOwner,omitempty"`
	Sources []ref  `json:"sources,omitempty"`
}

type olcaExchange struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	InternalID  int              `json:"internalId"`
	Flow        ref              `json:"flow"`
	Property    ref              `json:"flowProperty"`
	Unit        ref              `json:"unit"`
	Amount      float64          `json:"amount"`
	Input       bool             `json:"isInput"`
	Reference   bool             `json:"isQuantitativeReference"`
	Avoided     bool             `json:"isAvoidedProduct"`
	Provider    *ref             `json:"defaultProvider,omitempty"`
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
	Product  ref           `json:"product"`
	Exchange *olcaInternal `json:"exchange,omitempty"`
	Value    float64       `json:"value"`
}

type olcaInternal struct {
	InternalID int `json:"internalId"`
}

type olcaResult struct {
	Type      string  `json:"@type"`
	Indicator ref     `json:"indicator"`
	Amount    float64 `json:"amount"`
}

func (j *jsonld) writeProcesses() error {
	return j.eachProcess(func(p lci.Process, exchanges []lci.Exchange) error {
		out := olcaProcess{
			record: record{Type: "Process", ID: p.ID.String(), Name: p.Name, Category: p.Classification, Description: p.Description},
			Kind:   "UNIT_PROCESS", Exchanges: []olcaExchange{}, LastID: len(exchanges),
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
		for _, i := range j.impacts[p.ID] {
			out.ImpactResults = append(out.ImpactResults, olcaResult{"ImpactResult", j.indicatorRef(i), i.Value})
		}
		return j.to.putJSON("processes/"+p.ID.String()+".json", out)
	})
}

// stored writes the exchanges of a process as they are.
func (j *jsonld) stored(out *olcaProcess, p lci.Process, exchanges []lci.Exchange) {
	first := true
	for n, x := range exchanges {
		written := j.exchange(x, first)
		written.InternalID = n + 1
		out.Exchanges = append(out.Exchanges, written)
		first = first && !isProduct(x)
	}
	j.allocate(out, p.ID, exchanges)
}

func isProduct(x lci.Exchange) bool { return x.Reference && x.Direction == lci.Output }

func (j *jsonld) documentation(p lci.Process) *olcaDocumentation {
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

// exchange turns what openLCA has on the other side: a treatment takes its waste
// in, and taking less than none of a waste is giving it away.
func (j *jsonld) exchange(x lci.Exchange, first bool) olcaExchange {
	q := j.quantity(x.Unit)
	out := olcaExchange{
		Type: "Exchange", ID: x.ID.String(), Flow: j.flowRef(x.FlowID), Property: q.propertyRef(), Unit: ref{Type: "Unit", ID: q.unitID, Name: q.unit},
		Amount: x.Value, Input: x.Direction == lci.Input, Reference: isProduct(x) && first, Avoided: x.Avoided, Uncertainty: olcaUncertain(x),
	}
	if turned := isProduct(x) || x.Direction == lci.Input; turned && x.Type == lci.Waste && x.Value < 0 && !x.Avoided && x.Distribution == lci.Certain {
		out.Input, out.Amount = !out.Input, -x.Value
	}
	if name, there := j.names[x.ProviderID]; there {
		out.Provider = &ref{Type: "Process", ID: x.ProviderID.String(), Name: name}
	}
	if x.Worth != nil {
		cost := rounded(*x.Worth * out.Amount)
		out.Cost = &cost
	}
	return out
}

func olcaUncertain(x lci.Exchange) *olcaUncertainty {
	u := olcaUncertainty{Type: "Uncertainty"}
	switch x.Distribution {
	case lci.Lognormal:
		mean, sd, ok := geometric(&x)
		if !ok {
			return nil
		}
		u.Distribution, u.GeomMean, u.GeomSD = "LOG_NORMAL_DISTRIBUTION", &mean, &sd
	case lci.Normal:
		u.Distribution, u.Mean, u.SD = "NORMAL_DISTRIBUTION", x.Mean, x.StandardDeviation
	case lci.Triangular:
		u.Distribution, u.Minimum, u.Mode, u.Maximum = "TRIANGLE_DISTRIBUTION", x.Minimum, mode(&x), x.Maximum
	case lci.Uniform:
		u.Distribution, u.Minimum, u.Maximum = "UNIFORM_DISTRIBUTION", x.Minimum, x.Maximum
	default:
		return nil
	}
	return &u
}

// allocate writes causal factors where there are such, else the products' shares.
func (j *jsonld) allocate(out *olcaProcess, process lci.ID, exchanges []lci.Exchange) {
	at := map[lci.ID]int{}
	for n, x := range exchanges {
		at[x.ID] = n + 1
	}
	for _, a := range j.allocations[process] {
		if n, there := at[a.ExchangeID]; there {
			out.Allocation = "CAUSAL_ALLOCATION"
			out.Allocations = append(out.Allocations, olcaAllocation{"AllocationFactor", out.Allocation, j.flowRef(a.ProductID), &olcaInternal{n}, a.Share})
			j.counts.Allocations++
		}
	}
	if out.Allocation != "" {
		return
	}
	for _, x := range exchanges {
		if isProduct(x) && x.Share != nil {
			out.Allocation = "PHYSICAL_ALLOCATION"
			out.Allocations = append(out.Allocations, olcaAllocation{"AllocationFactor", out.Allocation, j.flowRef(x.FlowID), nil, *x.Share})
		}
	}
}

type olcaMethod struct {
	record
	Version    string `json:"version,omitempty"`
	Categories []ref  `json:"impactCategories"`
}

type olcaCategory struct {
	record
	Unit    string       `json:"refUnit"`
	Factors []olcaFactor `json:"impactFactors"`
}

type olcaFactor struct {
	Type     string  `json:"@type"`
	Flow     ref     `json:"flow"`
	Property ref     `json:"flowProperty"`
	Unit     ref     `json:"unit"`
	Value    float64 `json:"value"`
}

func (j *jsonld) writeMethods() error {
	err := j.eachIndicator(func(_ lci.Method, i lci.Indicator, factors []lci.Factor) error {
		out := olcaCategory{record: record{Type: "ImpactCategory", ID: i.ID.String(), Name: i.Name, Category: i.Category}, Unit: i.Unit, Factors: []olcaFactor{}}
		factors = j.counting(i, factors)
		for _, f := range factors {
			q := j.quantity(j.flows[f.FlowID].Unit)
			out.Factors = append(out.Factors, olcaFactor{"ImpactFactor", j.flowRef(f.FlowID), q.propertyRef(), ref{Type: "Unit", ID: q.unitID, Name: q.unit}, f.Value})
		}
		return j.to.putJSON("lcia_categories/"+out.ID+".json", out)
	})
	if err != nil {
		return err
	}
	for _, m := range j.methods {
		out := olcaMethod{record: record{Type: "ImpactMethod", ID: m.ID.String(), Name: m.Name}, Version: m.Version, Categories: []ref{}}
		for _, i := range j.indicators[m.ID] {
			out.Categories = append(out.Categories, ref{Type: "ImpactCategory", ID: i.ID.String(), Name: i.Name, RefUnit: i.Unit})
		}
		if err := j.to.putJSON("lcia_methods/"+out.ID+".json", out); err != nil {
			return err
		}
	}
	return nil
}

// counting are the factors that count: of flows that are exchanged those that were
// found for them, of others the method's own.
func (j *jsonld) counting(i lci.Indicator, stored []lci.Factor) []lci.Factor {
	if j.network == nil {
		return stored
	}
	all := slices.Clone(j.network.effective[i.ID])
	for _, f := range stored {
		if _, exchanged := j.network.nature[f.FlowID]; !exchanged && j.flows[f.FlowID].Type == lci.Elementary {
			all = append(all, f)
		}
	}
	j.counts.Factors += len(all) - len(stored)
	if f := statedFlow(i); j.flows[f.ID].ID == f.ID {
		all = append(all, lci.Factor{FlowID: f.ID, Value: 1})
	}
	slices.SortFunc(all, func(a, b lci.Factor) int { return a.FlowID.Compare(b.FlowID) })
	return all
}

// indicatorRef names the indicator of an impact row.
func (j *jsonld) indicatorRef(i lci.Impact) ref {
	return ref{Type: "ImpactCategory", ID: j.indicatorID(i).String(), Name: i.Indicator, RefUnit: i.Unit}
}
