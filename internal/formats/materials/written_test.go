package materials

import (
	"strings"
	"testing"

	"cradle/internal/ingest"
)

// A material of several forms whose properties vary with its state.
func TestWrittenMaterialThatVariesWithState(t *testing.T) {
	rows := readFile(t, "m.yaml", `name: Tin
category: metal
subcategory: soft
nickname: Stannum
references: ["@book{tin, title = {All   of tin}, year = {1999}}", "Plain book"]
elemental_composition: {Sn: [99, 100], Pb: 0.1}
common_state_variations: {none: 1}
common_properties:
  heat_capacity:
    {default_value: 27, units: J/(mol K), reference: tin, basis: molar, variations_with_state: {thermal: {expression: "20 + t", state_domain: {temperature: [300, 500]}}, other: {expression: "27"}}}
forms:
  sheet:
    properties: {density: {default_value: 7.3, units: g/cm3}}
    conditions:
      H1:
        specification: rolled
        properties:
          strength: {default_value: 20, units: MPa, variations_with_state: {creep: {state_vars: [hours, temperature], state_vars_units: {hours: hour, temperature: K}, value_type: multiplier,
            hours: {"10": {temperature: [300, 400], values: [1, 0.5]}}}}}
`)
	if m := rows.Materials[0]; m.Classification != "metal/soft" || len(rows.Materials) != 1 {
		t.Errorf("%+v", rows.Materials)
	}
	if p := property(t, rows, "Tin", "heat capacity"); p.Value != 27 || p.Source != "tin" || !strings.Contains(p.Description, "basis molar") || !strings.Contains(p.Description, "20 + t for temperature 300 to 500") {
		t.Errorf("%+v", p)
	}
	for name, value := range map[string]float64{"composition Sn minimum": 99, "composition Sn maximum": 100, "composition Pb": 0.1, "density (sheet)": 7.3,
		"strength (sheet, H1, rolled)": 20, "strength (sheet, H1, rolled) at hours 10 hour, temperature 400 K": 10} {
		if p := property(t, rows, "Tin", name); p.Value != value {
			t.Errorf("%s is %v, want %v", name, p.Value, value)
		}
	}
	if n := rows.Outcome[ingest.Properties]; n.Skipped != 0 || n.Read != 8 {
		t.Errorf("%+v", n)
	}
	rows.Says(t, `texts "nickname" of materials`)
}

// Optical constants are named after their path in the database.
func TestWrittenOpticalConstants(t *testing.T) {
	rows := readFile(t, "main/Sn/nk/Smith.yml", `REFERENCES: "A <i>book</i>"
COMMENTS: "Thin film"
CONDITIONS: {temperature: 300, film_thickness: 5 nm, layers: [1, 2]}
DATA:
  - {type: formula 4, wavelength_range: 0.4 5.5, coefficients: 1 0.25}
  - type: tabulated nk
    data: |
      0.5 1.5 2.5
`)
	if p := property(t, rows, "Sn (Smith)", "extinction coefficient k at 0.5 µm"); p.Value != 2.5 || p.Source != "A book" {
		t.Errorf("%+v", p)
	}
	p := property(t, rows, "Sn (Smith)", "dispersion formula 4, C2")
	for _, text := range []string{"from 0.4 to 5.5", "Thin film", "temperature 300 K", "film thickness 5 nm"} {
		if !strings.Contains(p.Description, text) {
			t.Errorf("the description lacks %q: %q", text, p.Description)
		}
	}
	if p.Value != 0.25 || rows.Materials[0].Classification != "optical constants/main" {
		t.Errorf("%+v, %+v", p, rows.Materials[0])
	}
}

// A table of the elements has known units, densities of gases per litre, several
// numbers in a cell, and placeholders for missing ones.
func TestWrittenTableOfElements(t *testing.T) {
	rows := readFile(t, "elements.csv", "name,atomic_mass,molar_heat,density,phase,ionization_energies\nTin,118.7,27,7.3,Solid,\"[708.6, 1411.8]\"\nNeon,20.2,,0.9,Gas,[]\nOdd,1,n/a,unknown,Gas,-\n")
	if p := property(t, rows, "Tin", "density"); p.Unit != "g/cm3" || p.Value != 7.3 {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "Neon", "density"); p.Unit != "g/l" || p.Value != 0.9 {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "Tin", "ionization energies 2"); p.Value != 1411.8 || p.Unit != "kJ/mol" {
		t.Errorf("%+v", p)
	}
	if n := rows.Outcome[ingest.Properties]; n.Skipped != 0 || n.Read != 8 {
		t.Errorf("%+v", n)
	}
}

// A number followed by text is a measure only if the text can be a unit.
func TestTextsThatBeginWithANumber(t *testing.T) {
	for _, text := range []string{"2020-01-01", "1-2", "3/4", "10:30", "5 of these are not to be used here", "-", "7 " + strings.Repeat("long ", 10)} {
		if m, ok := readMeasure(text); ok {
			t.Errorf("%q is taken for %+v", text, m)
		}
	}
	if m, ok := readMeasure("5 W/(m K)"); !ok || m.value != 5 || m.unit != "W/(m K)" {
		t.Errorf("%+v", m)
	}
}
