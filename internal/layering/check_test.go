package layering

import (
	"fmt"
	"slices"
	"strings"
)

// A rule says what the packages of some paths, except others, may not import:
// whatever is in never, or, where only is given, whatever is not in only. A deep
// rule looks through the imports of other packages of the module too.
type rule struct {
	of, except  []string
	never, only []string
	deep        bool
	why         string
}

const (
	standardLibrary = "standard library"
	recordsOf       = "records of "
)

// check lists every way in which the module breaks the rules.
func check(m module, rules []rule) []string {
	var violations []string
	for _, path := range m.paths() {
		for _, r := range rules {
			if within(path, r.of) && !within(path, r.except) {
				violations = append(violations, r.check(m, path)...)
			}
		}
	}
	return violations
}

func (r rule) check(m module, path string) []string {
	var violations []string
	for imported, via := range m.reach(path, r.deep) {
		if within(imported, r.never) || len(r.only) > 0 && !within(imported, r.only) {
			violations = append(violations, fmt.Sprintf("%s must not import %s%s: %s", path, imported, via, r.why))
		}
	}
	for _, name := range m[path].uses {
		if m.isRecord(name, r.never) {
			violations = append(violations, fmt.Sprintf("%s must not use %s: %s", path, name, r.why))
		}
	}
	slices.Sort(violations)
	return violations
}

// reach gives what a package imports, and for what it imports only by way of
// other packages of the module a note which.
func (m module) reach(path string, deep bool) map[string]string {
	reached := map[string]string{}
	var walk func(path, via string)
	walk = func(path, via string) {
		var found []string
		for _, imported := range m[path].imports {
			if _, seen := reached[imported]; !seen {
				reached[imported] = via
				found = append(found, imported)
			}
		}
		for _, imported := range found {
			if deep {
				walk(imported, fmt.Sprintf(" (by way of %s)", imported))
			}
		}
	}
	walk(path, "")
	return reached
}

func (m module) isRecord(name string, patterns []string) bool {
	dot := strings.LastIndexByte(name, '.')
	path, typeName := name[:dot], name[dot+1:]
	return slices.Contains(patterns, recordsOf+path) &&
		(typeName == everyName || slices.Contains(m[path].records, typeName))
}

func within(path string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		switch {
		case p == standardLibrary:
			return isStandard(path)
		case isStandard(p): // database/sql/driver is no more than an interface
			return path == p
		default:
			return path == p || strings.HasPrefix(path, p+"/")
		}
	})
}

// isStandard goes by the dot that the first element of every other module's path
// has, but for this module's own.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != "cradle"
}
