package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"

	"cradle/bench/peer/gqlgen/generated"
)

// GQLGen serves Cradle's schema as gqlgen does, with its cache of queries, over
// materials that are in memory: one per line of a file of JSON objects.
func GQLGen(items string) error {
	materials, err := readMaterials(items)
	if err != nil {
		return err
	}
	server := handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: shelf{materials: materials}}))
	server.AddTransport(transport.POST{})
	server.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	on, err := listen()
	if err != nil {
		return err
	}
	announce(on)
	return http.Serve(on, server)
}

func readMaterials(items string) ([]*generated.PublicMaterial, error) {
	file, err := os.Open(items)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []*generated.PublicMaterial
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := &generated.PublicMaterial{}
		if err := json.Unmarshal(lines.Bytes(), m); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, lines.Err()
}

// shelf answers only lists of materials.
type shelf struct {
	generated.QueryResolver
	materials []*generated.PublicMaterial
}

func (s shelf) Query() generated.QueryResolver       { return s }
func (s shelf) Mutation() generated.MutationResolver { return nil }

// Materials returns a page from memory.
func (s shelf) Materials(_ context.Context, input *generated.PublicListInput) (*generated.PublicMaterialsPage, error) {
	if input == nil || input.Limit == nil || input.Offset == nil || *input.Limit < 0 || *input.Offset < 0 || *input.Offset+*input.Limit > len(s.materials) {
		return nil, errors.New("limit and offset must be given and be there")
	}
	from, to := *input.Offset, *input.Offset+*input.Limit
	return &generated.PublicMaterialsPage{Items: s.materials[from:to], Total: len(s.materials), HasMore: to < len(s.materials)}, nil
}
