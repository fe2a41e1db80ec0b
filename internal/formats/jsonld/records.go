package jsonld

import (
	"encoding/json"
	"strings"
)

// The records of the format, with the names of both schemas; where they differ,
// the first is schema 1's.

// ref refers to another record, and repeats some of its fields.
type ref struct {
	Type         string   `json:"@type"`
	ID           string   `json:"@id"`
	Name         string   `json:"name"`
	InternalID   *int     `json:"internalId"`
	Category     category `json:"category"`
	CategoryPath []string `json:"categoryPath"`
	FlowType     string   `json:"flowType"`
	RefUnit      string   `json:"refUnit"`
	Flow         *ref     `json:"flow"` // of an exchange in an allocation factor
}

func (r *ref) id() string {
	if r == nil {
		return ""
	}
	return r.ID
}

func (r *ref) name() string {
	if r == nil {
		return ""
	}
	return r.Name
}

// category is a record's category: a reference in schema 1, a path in schema 2.
type category struct {
	ID   string
	Name string
	Path []string
}

func (c *category) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var path string
		if err := json.Unmarshal(data, &path); err != nil {
			return err
		}
		c.Path = split(path)
		return nil
	}
	var r struct {
		ID           string   `json:"@id"`
		Name         string   `json:"name"`
		CategoryPath []string `json:"categoryPath"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	c.ID, c.Name = r.ID, r.Name
	if len(r.CategoryPath) > 0 {
		c.Path = append(r.CategoryPath, r.Name)
	}
	return nil
}

func split(path string) []string {
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// texts are words in one string or several.
type texts []string

func (t *texts) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var one string
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		for word := range strings.SplitSeq(one, ";") {
			if word = strings.TrimSpace(word); word != "" {
				*t = append(*t, word)
			}
		}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

type header struct {
	Type string `json:"@type"`
	ID   string `json:"@id"`
	Name string `json:"name"`
}

func (h *header) head() *header { return h }

type unitGroup struct {
	header
	Units []struct {
		header
		Factor     *float64 `json:"conversionFactor"`
		Reference1 bool     `json:"referenceUnit"`
		Reference2 bool     `json:"isRefUnit"`
		Synonyms   texts    `json:"synonyms"`
	} `json:"units"`
}

type flowProperty struct {
	header
	UnitGroup *ref `json:"unitGroup"`
}

type flow struct {
	header
	FlowType       string   `json:"flowType"`
	CAS            string   `json:"cas"`
	Synonyms       texts    `json:"synonyms"`
	Category       category `json:"category"`
	Location       *ref     `json:"location"`
	Version        string   `json:"version"`
	LastChange     string   `json:"lastChange"`
	Formula        string   `json:"formula"`
	Description    string   `json:"description"`
	FlowProperties []struct {
		FlowProperty *ref     `json:"flowProperty"`
		Factor       *float64 `json:"conversionFactor"`
		Reference1   bool     `json:"referenceFlowProperty"`
		Reference2   bool     `json:"isRefFlowProperty"`
	} `json:"flowProperties"`
}

type process struct {
	header
	Description       string             `json:"description"`
	ProcessType       string             `json:"processType"`
	Category          category           `json:"category"`
	Location          *ref               `json:"location"`
	Version           string             `json:"version"`
	LastChange        string             `json:"lastChange"`
	Documentation     documentation      `json:"processDocumentation"`
	AllocationMethod  string             `json:"defaultAllocationMethod"`
	AllocationFactors []allocationFactor `json:"allocationFactors"`
	Exchanges         []exchange         `json:"exchanges"`
	Parameters        []parameter        `json:"parameters"`
	SocialAspects     []json.RawMessage  `json:"socialAspects"`
	ImpactResults     []json.RawMessage  `json:"impactResults"`
	DQEntry           string             `json:"dqEntry"`
}

type documentation struct {
	ValidFrom     string `json:"validFrom"`
	CreationDate  string `json:"creationDate"`
	Technology    string `json:"technologyDescription"`
	Geography     string `json:"geographyDescription"`
	Time          string `json:"timeDescription"`
	DataGenerator *ref   `json:"dataGenerator"`
	Documentor    *ref   `json:"dataDocumentor"`
	Owner         *ref   `json:"dataSetOwner"`
	Publication   *ref   `json:"publication"`
	Sources       []ref  `json:"sources"`
}

type exchange struct {
	ID              string       `json:"@id"`
	InternalID      *int         `json:"internalId"`
	Flow            *ref         `json:"flow"`
	Unit            *ref         `json:"unit"`
	FlowProperty    *ref         `json:"flowProperty"`
	Amount          *float64     `json:"amount"`
	Formula         string       `json:"amountFormula"`
	Input1          bool         `json:"input"`
	Input2          bool         `json:"isInput"`
	Reference1      bool         `json:"quantitativeReference"`
	Reference2      bool         `json:"isQuantitativeReference"`
	Avoided1        bool         `json:"avoidedProduct"`
	Avoided2        bool         `json:"isAvoidedProduct"`
	DefaultProvider *ref         `json:"defaultProvider"`
	Uncertainty     *uncertainty `json:"uncertainty"`
	CostValue       *float64     `json:"costValue"`
	CostFormula     string       `json:"costFormula"`
	Description     string       `json:"description"`
	DQEntry         string       `json:"dqEntry"`
	Pedigree        string       `json:"pedigreeUncertainty"`
	Location        *ref         `json:"location"`
}

type uncertainty struct {
	Distribution string   `json:"distributionType"`
	Mean         *float64 `json:"mean"`
	SD           *float64 `json:"sd"`
	GeomMean     *float64 `json:"geomMean"`
	GeomSD       *float64 `json:"geomSd"`
	Minimum      *float64 `json:"minimum"`
	Maximum      *float64 `json:"maximum"`
	Mode         *float64 `json:"mode"`
}

type allocationFactor struct {
	Type     string   `json:"allocationType"`
	Product  *ref     `json:"product"`
	Exchange *ref     `json:"exchange"`
	Value    *float64 `json:"value"`
	Formula  string   `json:"formula"`
}

type parameter struct {
	header
	Value   *float64 `json:"value"`
	Formula string   `json:"formula"`
	Input1  *bool    `json:"inputParameter"`
	Input2  *bool    `json:"isInputParameter"`
}

type method struct {
	header
	Version    string   `json:"version"`
	LastChange string   `json:"lastChange"`
	Category   category `json:"category"`
	Categories []ref    `json:"impactCategories"`
	NWSets     []any    `json:"nwSets"`
}

type impactCategory struct {
	header
	Version    string `json:"version"`
	LastChange string `json:"lastChange"`
	Unit1      string `json:"referenceUnitName"`
	Unit2      string `json:"refUnit"`
	Factors    []struct {
		Flow         *ref         `json:"flow"`
		Unit         *ref         `json:"unit"`
		FlowProperty *ref         `json:"flowProperty"`
		Value        *float64     `json:"value"`
		Formula      string       `json:"formula"`
		Location     *ref         `json:"location"`
		Uncertainty  *uncertainty `json:"uncertainty"`
	} `json:"impactFactors"`
	Parameters []parameter `json:"parameters"`
}

type location struct {
	header
	Code string `json:"code"`
}

type cited struct { // a source
	header
	URL  string `json:"url"`
	DOI  string `json:"doi"`
	Text string `json:"textReference"`
}

type categoryRecord struct {
	header
	Parent *ref `json:"category"`
}
