package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"cradle/internal/gateway"
	"cradle/internal/lci"
	"cradle/internal/library"
)

// filled sets every field of a view, so that a field that a shape gains or loses
// changes its golden file.
func filled(v reflect.Value, name string, shown bool) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(name)
	case reflect.Bool:
		v.SetBool(shown)
	case reflect.Pointer:
		if shown {
			v.Set(reflect.New(v.Type().Elem()))
			v.Elem().SetFloat(float64(len(name)) + 0.25)
		}
	case reflect.Array:
		v.Set(reflect.ValueOf(lci.DerivedID(name)))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			filled(v.Index(i), name+[]string{" a", " b"}[i], shown)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), name+"."+v.Type().Field(i).Name, shown)
		}
	}
}

func view[V any](name string, shown bool) *V {
	v := new(V)
	filled(reflect.ValueOf(v).Elem(), name, shown)
	return v
}

// The answers of every version keep their shapes.
func TestVersionsKeepTheirShapes(t *testing.T) {
	for name, v := range versions {
		page := library.Page{Total: 7, HasMore: true}
		for shape, answer := range map[string]func(shown bool) any{
			"materials": func(shown bool) any { return v.materials.item(view[library.Material]("material", shown)) },
			"processes": func(shown bool) any { return v.processes.item(view[library.Process]("process", shown)) },
			"material":  func(shown bool) any { return v.material(view[library.Material]("material", shown)) },
			"property":  func(shown bool) any { return v.property(view[library.Property]("property", shown)) },
			"process":   func(shown bool) any { return v.process(view[library.Process]("process", shown)) },
			"impact":    func(shown bool) any { return v.impact(view[library.Impact]("impact", shown)) },
			"tails": func(bool) any {
				return []string{string(v.materials.tail(page)), string(v.processes.tail(page))}
			},
		} {
			got, err := json.MarshalIndent(map[string]any{"hidden": answer(false), "shown": answer(true)}, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name, shape, append(got, '\n'))
		}
	}
}

// checkGolden compares with a golden file. If there is none yet, it writes one
// for review.
func checkGolden(t *testing.T, version gateway.Version, shape string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata/golden", string(version), shape+".json")
	want, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		t.Errorf("%s was not there and is written now (%v)", file, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, got, 0o644)))
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s answers %s differently:\n%s\nbefore:\n%s", version, shape, got, want)
	}
}
