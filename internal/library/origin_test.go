package library

import (
	"slices"
	"testing"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

func TestListsAreNarrowedByOriginAndStars(t *testing.T) {
	s := newFakeStore()
	names := []string{"Alpha", "Beta", "Gamma"}
	for i, name := range names {
		var m MaterialRecord
		m.ID, m.Name = lci.DerivedID("material", name), name
		m.RegionalScopes, m.SourceOrganization = [][]string{{"RER", "US"}, {"US"}, nil}[i], []string{"Ours", "Theirs", "Ours"}[i]
		s.materials = append(s.materials, m)
	}
	hidden := s.materials[1].ID
	s.restricted[hidden] = true
	l, v := New(s, Options{Memory: 1 << 20}), account.Viewer{User: lci.NewID(), Team: lci.NewID(), Mode: account.Live, At: account.Versions{Catalogue: 1}}
	if err := l.WarmOrigins(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		query Query
		want  []string
	}{
		{"one of several regions", Query{Region: "US"}, []string{"Alpha"}},
		{"a part of a region's name is none", Query{Region: "U"}, nil},
		{"an organisation", Query{Organization: "Ours"}, []string{"Alpha", "Gamma"}},
		{"both", Query{Organization: "Ours", Region: "RER"}, []string{"Alpha"}},
		{"what cannot be seen", Query{Organization: "Theirs"}, nil},
		{"with a search", Query{Organization: "Ours", Search: "GAM"}, []string{"Gamma"}},
	} {
		test.query.Limit = 10
		if got := listedNames(t, l, v, test.query); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	choices, err := l.Choices(t.Context(), v, Materials)
	if err != nil || !slices.Equal(choices.Regions, []string{"RER", "US"}) || !slices.Equal(choices.Organizations, []string{"Ours"}) {
		t.Errorf("choices: %+v, %v", choices, err)
	}
	if err := l.Star(t.Context(), v, hidden.String(), true); fault.KindOf(err) != fault.NotFound {
		t.Errorf("starring what cannot be seen: %v", err)
	}
	if err := l.Star(t.Context(), v, s.materials[2].ID.String(), true); err != nil {
		t.Fatal(err)
	}
	v.At.Favourites++
	if got := listedNames(t, l, v, Query{Starred: true, Limit: 10}); !slices.Equal(got, []string{"Gamma"}) {
		t.Errorf("starred: %v", got)
	}
}

func listedNames(t *testing.T, l *Library, v account.Viewer, q Query) []string {
	t.Helper()
	found, _ := materials(t, l, v, q)
	var names []string
	for _, m := range found {
		names = append(names, m.Name)
	}
	return names
}
