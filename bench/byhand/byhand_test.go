package byhand

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Both ways do the same, so that their times are comparable.
func TestBothWaysAgree(t *testing.T) {
	for _, p := range Parts {
		t.Run(p.Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "input.xlsx")
			if err := p.Write(file); err != nil {
				t.Fatal(err)
			}
			var results []string
			for _, way := range []func(string) (func() any, error){p.ours, p.theirs} {
				once, err := way(file)
				if err != nil {
					t.Fatal(err)
				}
				result := once()
				if err, failed := result.(error); failed {
					t.Fatal(err)
				}
				results = append(results, fmt.Sprint(result))
			}
			if results[0] != results[1] {
				t.Errorf("Cradle comes to %s, the library to %s", results[0], results[1])
			}
			t.Log(results[0])
		})
	}
}

func TestReference(t *testing.T) {
	ours, swagger, err := Reference()
	if err != nil || ours.Requests != 1 || ours.Scripts != 0 || swagger.Requests < 4 || swagger.Scripts == 0 {
		t.Errorf("%+v, %+v, %v", ours, swagger, err)
	}
}
