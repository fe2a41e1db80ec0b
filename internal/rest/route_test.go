package rest

import (
	"maps"
	"net/url"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name, pattern, path string
		want                parameters
		ok                  bool
	}{
		{"a plain path", "/public/me", "/public/me", nil, true},
		{"a parameter", "/public/materials/{id}", "/public/materials/x", parameters{"id": "x"}, true},
		{"two parameters", "/a/{b}/c/{d}", "/a/1/c/2", parameters{"b": "1", "d": "2"}, true},
		{"a parameter of any characters", "/a/{b}", "/a/ü {}", parameters{"b": "ü {}"}, true},
		{"a slash at the end", "/public/me", "/public/me/", nil, false},
		{"a slash after a parameter", "/a/{b}", "/a/b/", nil, false},
		{"an empty parameter", "/a/{b}", "/a/", nil, false},
		{"an empty parameter in between", "/a/{b}/c", "/a//c", nil, false},
		{"a double slash", "/public/me", "/public//me", nil, false},
		{"too short", "/public/me", "/public", nil, false},
		{"too long", "/public/me", "/public/me/x", nil, false},
		{"another case", "/public/me", "/Public/me", nil, false},
		{"no slash in front", "/public/me", "public/me", nil, false},
		{"a prefix only", "/public/me", "/public/men", nil, false},
		{"empty", "/public/me", "", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := match(c.pattern, c.path)
			if ok != c.ok || ok && !maps.Equal(got, c.want) {
				t.Errorf("%s on %s: %v, %v", c.path, c.pattern, got, ok)
			}
		})
	}
}

// A path that matches a route is the route's pattern with its parameters filled in.
func FuzzRoute(f *testing.F) {
	for _, r := range routes {
		f.Add(r.pattern)
	}
	for _, path := range []string{"", "/", "//", "/public", "/public/", "/public/materials//", "/public/materials/pulled/", "/public/%00"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		for _, r := range routes {
			found, ok := match(r.pattern, path)
			if !ok {
				continue
			}
			filled := r.pattern
			for name, value := range found {
				if value == "" || strings.Contains(value, "/") {
					t.Errorf("%q on %s: %s is %q", path, r.pattern, name, value)
				}
			}
			parts := strings.Split(filled, "/")
			for i, part := range parts {
				if strings.HasPrefix(part, "{") {
					parts[i] = found[strings.Trim(part, "{}")]
				}
			}
			if strings.Join(parts, "/") != path {
				t.Errorf("%q matches %s with %v", path, r.pattern, found)
			}
		}
	})
}

func TestEveryRouteIsReached(t *testing.T) {
	for _, r := range routes {
		path := strings.NewReplacer("{", "", "}", "").Replace(r.pattern)
		if _, err := url.Parse(path); err != nil {
			t.Fatal(err)
		}
		for _, first := range routes {
			if _, ok := match(first.pattern, path); ok {
				if first.pattern != r.pattern {
					t.Errorf("%s %s is taken by %s", r.method, path, first.pattern)
				}
				break
			}
		}
	}
}
