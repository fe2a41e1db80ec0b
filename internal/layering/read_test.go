package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A module holds its packages by path, without tests.
type module map[string]pkg

// everyName stands for everything in a dot import.
const everyName = "*"

type pkg struct {
	imports []string // paths
	uses    []string // path.Name of what it uses of other packages
	records []string // the struct types it declares
}

func (m module) paths() []string { return slices.Sorted(maps.Keys(m)) }

// readModule parses every file regardless of build constraints, so that no
// operating system hides an import.
func readModule(root, name string) (module, error) {
	m := module{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && isForeign(file):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		return m.add(path.Join(name, filepath.ToSlash(folder)), file)
	})
	return m, err
}

// isForeign reports whether the go command excludes a folder from ./...
func isForeign(folder string) bool {
	base := filepath.Base(folder)
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_'
}

func (m module) add(pkgPath, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p := m[pkgPath]
	err = p.add(parsed)
	m[pkgPath] = p
	return err
}

func (p *pkg) add(file *ast.File) error {
	byName := map[string]string{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			p.uses = addNew(p.uses, imported+"."+everyName)
		}
		byName[name] = imported
		p.imports = addNew(p.imports, imported)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.TypeSpec:
			if _, isStruct := node.Type.(*ast.StructType); isStruct {
				p.records = addNew(p.records, node.Name.Name)
			}
		case *ast.SelectorExpr:
			if left, ok := node.X.(*ast.Ident); ok && byName[left.Name] != "" {
				p.uses = addNew(p.uses, byName[left.Name]+"."+node.Sel.Name)
			}
		}
		return true
	})
	return nil
}

func addNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
