package exporttest

import (
	"fmt"
	"strconv"
	"strings"

	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// A Library is built in a test from texts.
type Library struct{ ingesttest.Rows }

// ID is the id of a name in a Library.
func ID(name string) lci.ID { return lci.DerivedID("test", name) }

// NewLibrary has a method with the factors 1 for carbon dioxide and 2 for ore.
func NewLibrary() *Library {
	l := &Library{}
	l.Flow("co2", lci.Elementary, "kg", "air")
	l.Flow("ore", lci.Elementary, "kg", "Resource/in ground")
	l.Methods = []lci.Method{{ID: ID("method"), Name: "Method", Version: "1"}}
	l.Indicator("Indicator", "co2 1", "ore 2")
	return l
}

// Flow adds a flow.
func (l *Library) Flow(name string, kind lci.FlowType, unit, compartment string) {
	l.Flows = append(l.Flows, lci.Flow{ID: ID(name), Name: name, Type: kind, Unit: unit, Compartment: compartment})
}

// Indicator adds an indicator of the method, with factors such as "co2 1".
func (l *Library) Indicator(name string, factors ...string) {
	l.Indicators = append(l.Indicators, lci.Indicator{ID: ID(name), MethodID: ID("method"), Category: "Category", Name: name, Unit: "kg"})
	for _, text := range factors {
		flow, value, _ := strings.Cut(text, " ")
		l.Factors = append(l.Factors, lci.Factor{IndicatorID: ID(name), FlowID: ID(flow), Value: number(value)})
	}
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// Process adds a process with exchanges such as "makes x 1 kg", "takes x 2 kg from
// P", "emits co2 3 kg", "treats waste -1 kg", "discards waste 1 kg",
// "receives waste 1 kg".
func (l *Library) Process(name string, exchanges ...string) *Library {
	l.Processes = append(l.Processes, lci.Process{ID: ID(name), Name: name, Boundary: lci.Disaggregated})
	for i, text := range exchanges {
		l.Exchanges = append(l.Exchanges, exchange(name, i, strings.Fields(text)))
	}
	return l
}

func exchange(process string, at int, word []string) lci.Exchange {
	x := lci.Exchange{ID: ID(fmt.Sprint(process, at)), ProcessID: ID(process), Position: at, FlowID: ID(word[1]), Name: word[1], Value: number(word[2]), Unit: word[3],
		Direction: lci.Output, Type: lci.Intermediate}
	switch word[0] {
	case "makes":
		x.Reference = true
	case "treats":
		x.Reference, x.Type = true, lci.Waste
	case "takes", "avoids":
		x.Direction, x.Avoided = lci.Input, word[0] == "avoids"
	case "discards":
		x.Type = lci.Waste
	case "receives":
		x.Direction, x.Type = lci.Input, lci.Waste
	case "emits":
		x.Type = lci.Elementary
	case "extracts":
		x.Direction, x.Type = lci.Input, lci.Elementary
	}
	if len(word) > 5 && word[4] == "from" {
		x.ProviderID = ID(word[5])
	}
	if len(word) > 5 && word[4] == "share" {
		share := number(word[5])
		x.Share = &share
	}
	return x
}

// Causal sets a product's shares of the exchanges after the first two.
func (l *Library) Causal(process, product string, shares ...float64) *Library {
	for i, share := range shares {
		l.Allocations = append(l.Allocations, lci.Allocation{ProcessID: ID(process), ProductID: ID(product), ExchangeID: ID(fmt.Sprint(process, i+2)), Share: share})
	}
	return l
}

// States adds an impact of a process stated by its provider.
func (l *Library) States(process, indicator string, value float64) *Library {
	l.Impacts = append(l.Impacts, lci.Impact{ID: ID(process + "stated"), ProcessID: ID(process), MethodID: ID("method"), Category: "Category", Indicator: indicator, Value: value, Unit: "kg"})
	return l
}

// Hard is a library with what formats with one product per activity cannot
// express directly: several products, wastes, treatments written as a service,
// avoided products, other units, stated scores, inputs without a supplier, a
// process that uses all it makes, flows opposite to their own side.
func Hard() *Library {
	l := &Library{}
	for _, name := range []string{"steel", "slag", "coal", "epd", "snake", "visit"} {
		l.Flow(name, lci.Intermediate, "kg", "")
	}
	l.Flow("power", lci.Intermediate, "kWh", "")
	l.Flow("heat", lci.Intermediate, "kWh", "")
	l.Flow("ash", lci.Waste, "kg", "")
	l.Flow("sludge", lci.Waste, "kg", "")
	l.Flow("co2", lci.Elementary, "kg", "air/urban air")
	l.Flow("ore", lci.Elementary, "kg", "resource/in ground")
	l.Flow("nowhere", lci.Elementary, "kg", "")
	l.Methods = []lci.Method{{ID: ID("method"), Name: "Method", Version: "3.1"}}
	l.Indicator("warming", "co2 1", "nowhere 5")
	l.Indicator("depletion", "ore 2", "nowhere 3")
	l.Process("Mill", "makes steel 100 kg", "makes slag 25 kg", "takes power 5 MJ", "takes coal 0.02 t", "discards ash 3 kg", "discards sludge 2 kg",
		"extracts ore 150 kg", "emits co2 40 kg", "takes unknown 7 kg")
	l.Process("Mine", "makes coal 2 t", "takes power 10 kWh", "emits co2 30000 g", "emits ore 1 kg")
	l.Process("Plant", "makes power 10 kWh", "makes heat 3.6 MJ", "takes coal 4 kg", "takes power 1 kWh", "emits co2 11 kg", "discards ash -2 kg")
	l.Process("Landfill", "treats ash -1 kg", "takes power 0.1 kWh", "emits co2 0.5 kg")
	l.Process("Drying", "treats sludge 4 kg", "takes power 1 kWh", "emits co2 0.25 kg", "extracts nowhere 1 kg")
	l.Process("Roads", "makes visit 1 kg", "avoids slag 2 kg", "takes epd 1 kg", "takes coal -3 kg", "receives ash 0.5 kg", "extracts nowhere 2 kg")
	l.Process("EPD", "makes epd 2 kg").States("EPD", "warming", 8)
	l.Process("Ouroboros", "makes snake 1 kg", "takes snake 1 kg", "emits co2 1 kg")
	for i := range l.Processes {
		l.Processes[i].Region = "DE"
	}
	return l
}
