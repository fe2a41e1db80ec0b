package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestScoresThatDifferAreFound(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got float64
		equal     bool
	}{
		{"the same", 5, 5, true},
		{"a millionth apart", 1e9, 1e9 + 900, true},
		{"more than a millionth apart", 1e9, 1e9 + 1100, false},
		{"both next to nothing", 0, 9e-13, true},
		{"one nothing", 0, 2e-12, false},
		{"turned round", 5, -5, false},
		{"no number", 0, math.NaN(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := place{"p", "i"}
			if n := len(differing(scores{at: c.want}, scores{at: c.got})); n == 0 != c.equal {
				t.Errorf("%d differ", n)
			}
		})
	}
	if len(differing(scores{{"p", "i"}: 0}, scores{})) != 1 {
		t.Error("a score that is missing is equal")
	}
	if compare("nothing", scores{}, scores{}) == nil {
		t.Error("nothing to compare is no failure")
	}
}

func TestOnlyCalculatedRowsAreCompared(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{
		"indicators.csv": "id,method_id,category,name,unit\ni,m,c,n,kg\n",
		"impacts.csv":    "id,process_id,method_id,impact_category,indicator,value,unit,calculated,deleted\n1,p,m,c,n,2.5,kg,true,false\n2,q,m,c,n,1,kg,false,false\n3,r,m,c,n,1,kg,true,true\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := cradleScores(folder)
	if err != nil || len(got) != 1 || got[place{"p", "i"}] != 2.5 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestDifferencesNeedACause(t *testing.T) {
	f := &facts{of: map[string]map[string]bool{"refinery": {"no allocation": true}, "odd": {"no product": true}}, takes: map[string][]string{"car": {"steel", "odd"}, "steel": {"car", "refinery"}}}
	want := scores{{"car", "i"}: 1, {"bike", "i"}: 1, {"other", "i"}: 1}
	if err := explain("a car", want, scores{{"car", "i"}: 2, {"bike", "i"}: 1, {"other", "i"}: 1}, f); err != nil {
		t.Error(err)
	}
	if err := explain("a bike", want, scores{{"car", "i"}: 1, {"bike", "i"}: 2, {"other", "i"}: 1}, f); err == nil {
		t.Error("a difference without a cause is no failure")
	}
	if got := f.cause("car"); got != causes[1].text {
		t.Errorf("the cause is %q", got)
	}
	if got := f.cause("odd"); got != causes[0].text {
		t.Errorf("the cause is %q", got)
	}
	if explain("nothing", want, scores{}, &facts{}) == nil {
		t.Error("nothing equal is no failure")
	}
}
