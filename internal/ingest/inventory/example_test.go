package inventory_test

import (
	"context"
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/lci"
)

// plain is a reader of a format that holds one process.
type plain struct{}

func (plain) Read(_ context.Context, to *inventory.Builder) error {
	at := inventory.Where{File: "power.txt", Line: 3}
	fuel, power, co2 := inventory.Key("fuel"), inventory.Key("electricity"), inventory.Key("CO2", "air")
	to.Flow(inventory.Flow{Key: fuel, Name: "Fuel oil", Kind: inventory.Product, Unit: "l", Where: at})
	to.Flow(inventory.Flow{Key: power, Name: "Electricity", Kind: inventory.Product, Unit: "kWh", Where: at})
	to.Flow(inventory.Flow{Key: co2, Name: "Carbon dioxide", Kind: inventory.Elementary, Compartment: []string{"Emissions to air", "urban"}, CAS: "000124-38-9", Unit: "kg", Where: at})
	to.Process(inventory.Process{
		Key: inventory.Key("Power station", "DE"), Name: "Power station", Location: "DE", Where: at,
		Exchanges: []inventory.Exchange{
			{Flow: fuel, Input: true, Amount: 2, Unit: "l"},
			{Flow: co2, Amount: 1000, Unit: "g"},
			{Flow: power, Amount: 36, Unit: "MJ", Role: inventory.Reference},
		},
	})
	to.Drop("comments", at)
	return nil
}

func (plain) Close() error { return nil }

// printer is a catalogue that prints rows.
type printer struct{ ingest.Writer }

func (printer) Flow(f lci.Flow) error {
	_, err := fmt.Println("flow:", f.Name, f.Type, f.Compartment, f.CAS, f.Unit)
	return err
}

func (printer) Material(m lci.Material) error {
	_, err := fmt.Println("material:", m.Name, m.FunctionalUnit)
	return err
}

func (printer) Process(p lci.Process) error {
	_, err := fmt.Println("process:", p.Name, p.Region, p.Boundary, p.FunctionalUnit)
	return err
}

func (printer) Exchange(x lci.Exchange) error {
	_, err := fmt.Println("exchange:", x.Position, x.Direction, x.Name, x.Value, x.Unit, x.Type, x.Reference)
	return err
}

type empty struct{}

func (empty) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return nil, nil
}

func (empty) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) { return nil, nil }

func Example() {
	lib := inventory.New(plain{})
	defer lib.Close()
	notes, err := lib.Check(context.Background(), empty{}, func(int64, int64) {})
	fmt.Println(notes, err)
	err = lib.Read(context.Background(), printer{}, func(int64, int64) {})
	fmt.Println(err, lib.(ingest.OutcomeReporter).Outcome()[ingest.Exchanges])
	// Output:
	// [power.txt:3: 1 comments are not stored in the catalogue] <nil>
	// flow: Fuel oil intermediate   l
	// flow: Electricity intermediate   kWh
	// flow: Carbon dioxide elementary air/urban 124-38-9 kg
	// material: Fuel oil 1 l
	// process: Power station DE Disaggregated 10 kWh
	// exchange: 0 output Electricity 10 kWh intermediate true
	// exchange: 1 input Fuel oil 2 l intermediate false
	// exchange: 2 output Carbon dioxide 1 kg elementary false
	// <nil> {3 3 0}
}
