package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"cradle/internal/lci"
)

// A field that is added to a record but not to the columns would be lost
// silently.
func TestEveryFieldOfARecordHasAColumn(t *testing.T) {
	expectColumns(t, flowTable)
	expectColumns(t, methodTable)
	expectColumns(t, indicatorTable)
	expectColumns(t, factorTable)
	expectColumns(t, materialTable, "Traded") // controls how to import the row
	expectColumns(t, propertyTable)
	expectColumns(t, materialImpactTable)
	expectColumns(t, processTable)
	expectColumns(t, exchangeTable)
	expectColumns(t, allocationTable)
	expectColumns(t, impactTable)
}

func expectColumns[T any](t *testing.T, table records[T], but ...string) {
	var blank T
	of := table.bound()
	before := of.values(&blank)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		var record T
		at := reflect.ValueOf(&record).Elem().FieldByIndex(field.Index)
		fill(at)
		if stored := !slices.Equal(of.values(&record), before); stored == slices.Contains(but, field.Name) {
			t.Errorf("%s: %T.%s is stored: %v", table.name, record, field.Name, stored)
		}
	}
}

// fill sets a value, and all it holds, to something other than zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("no record has a %s", v.Kind()))
	}
}

func TestCompletenessIsStoredInFull(t *testing.T) {
	i := lci.Impact{Completeness: &lci.Completeness{Coverage: 0.5, CutOffs: 3, Residual: 1e-12}}
	var got []any
	values := impactTable.bound().values(&i)
	for n, c := range impactTable.columns {
		if slices.Contains([]string{"calculated", "coverage", "cut_offs", "residual"}, c) {
			got = append(got, values[n])
		}
	}
	if want := []any{true, 0.5, int64(3), 1e-12}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
