package raw

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestStatementsAreTheServices looks for each statement in the service's store,
// so that a change there is not forgotten here.
func TestStatementsAreTheServices(t *testing.T) {
	texts := storeTexts(t)
	engineSpecific := dialect{lockWallet: "¶", keepEndpoint: "¶", materialAmong: "¶"}
	for _, statement := range engineSpecific.statements().all() {
		for part := range strings.SplitSeq(statement, "¶") {
			if !strings.Contains(texts, squeeze(part)) && !generated(part) {
				t.Errorf("the service has no statement with %q", squeeze(part))
			}
		}
	}
}

// generated reports whether the service puts a part together from smaller ones:
// the insert of reveals, and the conditions on what a team can see.
func generated(part string) bool {
	return strings.HasPrefix(part, "INSERT INTO reveals") || strings.HasPrefix(part, " AND NOT m.deleted")
}

// storeTexts is every string of the store's files, one after the other.
func storeTexts(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../../internal/store/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the store, %v", len(files), err)
	}
	var b strings.Builder
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					b.WriteString(squeeze(text) + "\n")
				}
			}
			return true
		})
	}
	return b.String()
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }
