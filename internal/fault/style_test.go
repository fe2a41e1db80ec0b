package fault_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Every message in the program begins with a capital, with something quoted or
// with a field's name, and ends without a period.
func TestMessagesHaveOneStyle(t *testing.T) {
	seen := 0
	for _, folder := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			named := namedFields(file)
			ast.Inspect(file, func(n ast.Node) bool {
				call, format := messageOf(n)
				if call == nil {
					return true
				}
				seen++
				first, _ := utf8.DecodeRuneInString(format)
				if strings.HasSuffix(format, ".") || !unicode.IsUpper(first) && first != '%' && !strings.HasPrefix(format, named[call]+" ") {
					t.Errorf("%s: %q", files.Position(call.Pos()), format)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Errorf("only %d messages were seen", seen)
	}
}

// messageOf returns the message of a call that makes a fault, except for Fieldf,
// whose messages begin with the field.
func messageOf(n ast.Node) (*ast.CallExpr, string) {
	call, isCall := n.(*ast.CallExpr)
	if !isCall {
		return nil, ""
	}
	function, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector {
		return nil, ""
	}
	from, isName := function.X.(*ast.Ident)
	at, makes := map[string]int{"New": 2, "Invalidf": 0, "NotFoundf": 0}[function.Sel.Name]
	if !isName || from.Name != "fault" || !makes {
		return nil, ""
	}
	return call, text(call.Args[at])
}

// text is the value of a string expression, which may be a concatenation.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		return text(e.X) + text(e.Y)
	}
	return ""
}

// namedFields are the fields passed to In.
func namedFields(file *ast.File) map[*ast.CallExpr]string {
	fields := map[*ast.CallExpr]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall {
			if function, isSelector := call.Fun.(*ast.SelectorExpr); isSelector && function.Sel.Name == "In" && len(call.Args) == 1 {
				if made, isMade := function.X.(*ast.CallExpr); isMade {
					fields[made] = text(call.Args[0])
				}
			}
		}
		return true
	})
	return fields
}
