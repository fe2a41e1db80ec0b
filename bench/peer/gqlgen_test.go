package peer

import (
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"cradle/bench/peer/gqlgen/generated"
)

// The generated code is that of Cradle's schema.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	text, err := os.ReadFile("../../internal/graph/schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	served := gqlparser.MustLoadSchema(&ast.Source{Input: string(text)})
	if printed(served) != printed(generated.NewExecutableSchema(generated.Config{}).Schema()) {
		t.Error("the schema has changed: run gqlgen generate in bench/peer/gqlgen")
	}
}

func printed(s *ast.Schema) string {
	var out strings.Builder
	formatter.NewFormatter(&out).FormatSchema(s)
	return out.String()
}
