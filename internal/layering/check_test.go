package layering

import (
	"fmt"
	"slices"
	"strings"
)

// A rule restricts what the packages under some paths, with exceptions, may
// import: nothing in never or, if only is given, nothing but only. A deep rule
// also follows imports through other packages of the module.
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

// check lists every violation of the rules.
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

// reach returns what a package imports, with a note on how for indirect imports
// through other packages of the module.
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
		case isStandard(p): // database/sql/driver is only an interface
			return path == p
		default:
			return path == p || strings.HasPrefix(path, p+"/")
		}
	})
}

// isStandard goes by the dot in the first path element of every other module
// except this one.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != "cradle"
}
