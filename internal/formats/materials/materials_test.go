package materials

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

func readFile(t *testing.T, name, text string) *ingesttest.Rows {
	t.Helper()
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{name: text}))
}

func readShared(t *testing.T, name string) *ingesttest.Rows {
	t.Helper()
	return ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, name)))
}

// property finds one by its material's and its own name.
func property(t *testing.T, rows *ingesttest.Rows, material, name string) lci.Property {
	t.Helper()
	for _, m := range rows.Materials {
		for _, p := range rows.Properties {
			if m.Name == material && p.MaterialID == m.ID && p.Name == name {
				return p
			}
		}
	}
	t.Fatalf("no property %q of %q", name, material)
	return lci.Property{}
}

func TestRealFilesAreAccountedFor(t *testing.T) {
	for _, c := range []struct {
		file                  string
		materials, properties int
	}{
		{"materials/kittycad", 61, 381},
		{"materials/mvernacc", 3, 758},
		{"materials/PeriodicTableCSV.csv", 119, 2967},
		{"materials/refractiveindex", 6, 647},
		{"materials", 189, 4753},
	} {
		t.Run(c.file, func(t *testing.T) {
			rows := readShared(t, c.file)
			if len(rows.Materials) != c.materials || len(rows.Properties) != c.properties {
				t.Errorf("%d materials, %d properties", len(rows.Materials), len(rows.Properties))
			}
			if n := rows.Outcome[ingest.Properties]; n.Skipped != 0 || n.Read != c.properties {
				t.Errorf("%+v", n)
			}
			ids := map[lci.ID]bool{}
			for _, p := range rows.Properties {
				if ids[p.ID] {
					t.Fatalf("%q has the id of another", p.Name)
				}
				ids[p.ID] = true
			}
		})
	}
}

func TestMetalsInImperialUnits(t *testing.T) {
	rows := readShared(t, "materials/kittycad")
	if p := property(t, rows, "2014 T6 (aluminum)", "density"); p.Value != 0.101 || p.Unit != "lb/in3" {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "ABS (3dprinting)", "max service temp"); p.Value != 208 || p.Unit != "°F" {
		t.Errorf("%+v", p)
	}
}

func TestPropertiesThatVaryWithState(t *testing.T) {
	rows := readShared(t, "materials/mvernacc")
	if p := property(t, rows, "Al 6061", "youngs modulus"); p.Value != 68.3 || p.Unit != "GPa" || p.Source != "mmpds01" {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "Al 6061", "youngs modulus at temperature 78.37 K"); p.Value != 76.9058 || p.Unit != "GPa" || !strings.Contains(p.Description, "1.126 times the default value 68.3 GPa") {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "copper", "electrical resistivity at temperature 293 K"); p.Value != 1.678e-8 || p.Unit != "ohm meter" {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "copper", "heat capacity"); !strings.Contains(p.Description, "17.72891 + 28.09870 * t") || !strings.Contains(p.Description, "temperature 298 to 1358") {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "AISI 304", "composition Cr maximum"); p.Value != 20 || p.Unit != "%" {
		t.Errorf("%+v", p)
	}
	property(t, rows, "Al 6061", "strength tensile ultimate (extruded, thickness > 1 inch, T6) at exposure time 10000 hour, temperature 622.1500 K")
}

func TestOpticalConstants(t *testing.T) {
	rows := readShared(t, "materials/refractiveindex")
	if p := property(t, rows, "Co (Werner)", "extinction coefficient k at 0.551041 µm"); p.Value != 4.7549 || p.Unit != "1" {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "MgO (Stephens)", "dispersion formula 4, C2"); p.Value != 0.0219577 || !strings.Contains(p.Description, "from 0.36 to 5.4") {
		t.Errorf("%+v", p)
	}
}

func TestPeriodicTable(t *testing.T) {
	rows := readShared(t, "materials/PeriodicTableCSV.csv")
	if p := property(t, rows, "Iron", "density"); p.Value != 7.874 || p.Unit != "g/cm3" {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "Helium", "density"); p.Value != 0.1786 || p.Unit != "g/l" {
		t.Errorf("%+v", p)
	}
	if p := property(t, rows, "Helium", "ionization energies 2"); p.Value != 5250.5 || p.Unit != "kJ/mol" {
		t.Errorf("%+v", p)
	}
}

func TestLayoutsOfOthers(t *testing.T) {
	for _, c := range []struct{ name, file, text string }{
		{"units in the header", "m.csv", "Material,Density (kg/m3),Category\nSteel,7850,Metals\n"},
		{"a row of units", "m.csv", "Material;Density;Category\n;kg/m3;\nSteel;7850;Metals\n"},
		{"units in the cells", "m.csv", "name\tDensity\tcategory\nSteel\t7850 kg/m3\tMetals\n"},
		{"a row per property", "m.csv", "material,property,value,unit,category\nSteel,Density,7850,kg/m3,Metals\n"},
		{"a list of objects", "m.json", `[{"name":"Steel","category":"Metals","Density":{"value":7850,"unit":"kg/m3"}}]`},
		{"texts with units", "m.json", `{"materials":[{"name":"Steel","category":"Metals","Density":"7850 kg/m3"}]}`},
		{"a unit beside", "m.yaml", "materials:\n  - name: Steel\n    category: Metals\n    Density: 7850\n    Density_unit: kg/m3\n"},
		{"YAML by name", "m.yml", "steels:\n  first:\n    name: Steel\n    category: Metals\n    Density: {value: 7850, units: kg/m3}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := readFile(t, c.file, c.text)
			if p := property(t, rows, "Steel", "Density"); p.Value != 7850 || p.Unit != "kg/m3" {
				t.Errorf("%+v", p)
			}
			if len(rows.Properties) != 1 || rows.Materials[0].Classification != "Metals" {
				t.Errorf("%+v %+v", rows.Materials, rows.Properties)
			}
		})
	}
}

func TestCellsThatAreNoNumbers(t *testing.T) {
	rows := readFile(t, "m.csv", "name,density\na,1\nb,2\nc,3\nd,4\ne,heavy\nf,\na,5\n")
	if n := rows.Outcome[ingest.Properties]; n.Read != 6 || n.Skipped != 1 {
		t.Errorf("%+v", n)
	}
	if n := rows.Outcome[ingest.Materials]; n.Stored != 5 || n.Skipped != 2 || rows.Classes()[ingest.Doubtful] != 1 {
		t.Errorf("%+v %v", n, rows.Notes)
	}
}

func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [1, 2]\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	fmt.Fprintf(&b, "m: {name: x, density: 1, w: *a%d}\n", levels)
	return b.String()
}

func TestHostileDocuments(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"aliases that double", "m.yaml", "m: {name: x, v: 1, w: *a9}\n", "unknown anchor"},
		{"aliases that multiply", "m.yaml", bomb(12), "aliases repeat more than 100000 values"},
		{"an alias within itself", "m.yaml", "x: &a\n  name: n\n  density: 1\n  deep: {inner: *a}\n", "nested more than 64 levels deep"},
		{"deep lists", "m.json", `{"a":{"v":1},"b":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}", "nested more than 64 levels deep"},
		{"deep YAML", "m.yaml", "a: {v: 1}\nb: " + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "\n", "nested more than 64 levels deep"},
		{"cut off", "m.json", `{"a":{"name":"n","v":1},`, "m.json"},
		{"a number too large", "m.json", `{"a":{"name":"n","density":1,"w":1e999}}`, "1e999 is not a number that can be stored"},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{c.file: c.text, "ok.csv": "name,density\na,1\n"}))
			if got := rows.Unreadable(); !strings.Contains(got, c.want) || !strings.HasPrefix(got, c.file) || !slices.ContainsFunc(rows.Materials, func(m lci.Material) bool { return m.Name == "a" }) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestWhatHoldsNoMaterials(t *testing.T) {
	for name, text := range map[string]string{
		"a.json": `{"@type":"Process","@id":"x","amount":1}`, "b.json": `{"name":"n"}`, "c.csv": "a,b\nx,y\n", "d.yaml": "a: b\n", "e.csv": "name,colour\nsteel,grey\n", "f.txt": "Dear reader",
	} {
		if Detect(ingesttest.Files(t, map[string]string{name: text})) {
			t.Errorf("%q", text)
		}
	}
}

// Names and numbers may be anything: they make materials only if they are
// properties, or the user says so.
func TestWhatIsNoPropertyMakesNoMaterial(t *testing.T) {
	for name, text := range map[string]string{
		"factors.csv":   "Name,Context,Unit,UUID,Acidification Potential [kg SO2 eq],Density (kg/m3)\nAmmonia,air,kg,x,1.88,1\n",
		"harm.csv":      "Substance,Harm\nLead,1\n",
		"bill.csv":      "material,amount (kg),price\nSteel,12,30\n",
		"scores.csv":    "name,GWP (kg CO2 eq),Emission factor (kg/kg)\nSteel,2,3\n",
		"settings.json": `{"server": {"name": "a", "port": 8080, "timeout": "30 s"}}`,
		"long.csv":      "name,parameter,value\nSteel,x,1\n",
	} {
		src := ingesttest.Files(t, map[string]string{name: text})
		if Detect(src) || !Resembles(src) {
			t.Errorf("%s: sure %v, perhaps %v", name, Detect(src), Resembles(src))
		}
		if rows := ingesttest.MustRead(t, Open, src); len(rows.Materials) == 0 {
			t.Errorf("%s: whoever says that these are materials is believed", name)
		}
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"a.csv": "name,density\nSteel,7850\n", "b.csv": "Substance,Harm\nLead,1\n"}))
	if len(rows.Materials) != 1 || rows.Outcome["tables"].Skipped != 1 {
		t.Errorf("%+v %+v", rows.Materials, rows.Outcome)
	}
}

func TestPropertiesAreRecognised(t *testing.T) {
	for _, text := range []string{
		"name,Young's modulus\na,1\n", "Material,Stiffness (GPa)\na,1\n", "name,Some property\na,7 W/(m K)\n", "Alloy,UTS [MPa]\na,1\n", "material,property,value\na,b,1\n",
		"name,density,GWP (kg CO2 eq/kg)\nSteel,7850,2\n",
	} {
		if !Detect(ingesttest.Files(t, map[string]string{"m.csv": text})) {
			t.Errorf("%q", text)
		}
	}
	for _, text := range []string{`[{"name":"Steel","density":7850}]`, `{"Steel":{"stiffness":{"value":210,"unit":"GPa"}}}`, `{"name":"Steel","stiffness":210,"stiffness_unit":"GPa"}`} {
		if !Detect(ingesttest.Files(t, map[string]string{"m.json": text})) {
			t.Errorf("%q", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"2014":{"T6":{"den":{"unit":{"numerator":["pound"],"denominator":["inches_cubed"]},"val":0.1}}}}`)
	f.Add("name: a\ncategory: m\ncommon_properties: &c\n  e: {units: GPa, default_value: 1., variations_with_state: {thermal: {state_vars: [t], value_type: multiplier, t: [1, 2], values: [1, 2]}}}\nforms:\n  f:\n    conditions:\n      T6: {properties: {<<: *c}}\n")
	f.Add("DATA:\n  - type: tabulated nk\n    data: |\n      0.1 1 2\n  - type: formula 1\n    coefficients: 0 1\n")
	f.Add("name,a (kg),b\nx,1,[1,2]\n")
	f.Add("material,property,value\nx,a,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		src := ingesttest.Files(t, map[string]string{"x": text})
		if !Detect(src) {
			return
		}
		rows, err := ingesttest.Read(t, Open, src)
		if err != nil {
			return
		}
		for kind, n := range rows.Outcome {
			if n.Read != n.Stored+n.Skipped || n.Skipped < 0 {
				t.Fatalf("%s: %+v", kind, n)
			}
		}
	})
}
