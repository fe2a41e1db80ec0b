package gql

import "testing"

// An error is shown where its argument begins, not where it ends.
func TestPlacesOfArguments(t *testing.T) {
	for document, want := range map[string]Location{
		"{ echo(string: \"a\", string : \"b\") }":             {1, 21},
		"{ echo(filter: { search: \"a\", search : \"b\" }) }": {1, 31},
	} {
		_, bad := heroes().Parse(document)
		if len(bad) != 1 || len(bad[0].Locations) != 1 || bad[0].Locations[0] != want {
			t.Errorf("%s: got %+v, want %v", document, bad, want)
		}
	}
}
