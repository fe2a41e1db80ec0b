package graph

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/gql"
)

// Path is the API's path, SchemaPath that of its schema. LoggedMethod and
// LoggedPath stand in the request log until the operation's name is known.
const (
	Path         = "/graphql"
	SchemaPath   = Path + "/schema.graphql"
	LoggedMethod = "GQL"
	LoggedPath   = "/public/graphql#anonymous"
)

// WithSchema serves the schema as SDL at its path, without authentication, and
// passes all other requests to the API, whose answers depend on Accept.
func WithSchema(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != SchemaPath || r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Vary", "Accept")
			api.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		io.WriteString(w, schemaText)
	})
}

// Serve handles an admitted request.
func (a *API) Serve(c *gateway.Call) error {
	if c.Request.URL.Path != Path {
		return fault.New(fault.NotFound, "unknown_path", "There is no such path; send GraphQL requests to POST %s", Path)
	}
	c.Route = Path
	asked, err := readRequest(c)
	if err != nil {
		return asErrors(c, err)
	}
	c.Header()["Content-Type"] = []string{mediaType(c.Request.Header.Values("Accept"))}
	if err := a.persisted(asked); err != nil {
		return asErrors(c, err)
	}
	doc, bad := a.documents.get(asked.query)
	if doc != nil {
		logAs(c, doc, asked.operationName)
	}
	if bad != nil {
		return refuse(c, bad...)
	}
	return a.carryOut(c, doc, asked)
}

// logAs sets the operation's name for the log.
func logAs(c *gateway.Call, doc *gql.Document, name string) {
	if operation, bad := doc.Operation(name); bad == nil && operation.Name != "" {
		c.Path = "/public/graphql#" + operation.Name
	}
}

// carryOut makes the remaining checks and executes the operation.
func (a *API) carryOut(c *gateway.Call, doc *gql.Document, asked *request) error {
	operation, bad := doc.Operation(asked.operationName)
	if bad != nil {
		return refuse(c, bad)
	}
	if operation.Mutation && asked.body == nil {
		c.Header().Set("Allow", http.MethodPost)
		return fault.New(fault.MethodNotAllowed, "method_not_allowed", "A mutation must be sent with POST")
	}
	variables, all := operation.Variables(asked.variables)
	if all != nil {
		return refuse(c, all...)
	}
	plan := operation.Plan(variables)
	if bad := plan.CheckCost(variables); bad != nil {
		return refuse(c, bad)
	}
	request := &call{Call: c}
	if operation.Mutation {
		if err := request.nameOnce(plan, asked.body); err != nil {
			return asErrors(c, err)
		}
	}
	return request.answer(operation, plan, variables)
}

// nameOnce reads the idempotency key. A key is for one pull, so there may be
// only one.
func (c *call) nameOnce(plan *gql.Plan, body []byte) (err error) {
	if c.idempotency, err = c.Idempotency(body); err != nil || c.idempotency == nil {
		return err
	}
	pulls := 0
	for _, name := range plan.Fields() {
		if strings.HasPrefix(name, "pull") {
			pulls++
		}
	}
	if pulls > 1 {
		return fault.Invalidf("With Idempotency-Key an operation can have only one pull; this one has %d", pulls)
	}
	return nil
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 32<<10); return &b }}

// mostKept is the largest buffer that is reused.
const mostKept = 1 << 20

// answer executes the plan and writes the result.
func (c *call) answer(operation *gql.Operation, plan *gql.Plan, variables gql.Variables) error {
	buffer := buffers.Get().(*[]byte)
	defer func() {
		if cap(*buffer) <= mostKept {
			buffers.Put(buffer)
		}
	}()
	ctx := c.Request.Context()
	result := plan.Execute(ctx, c, variables, append((*buffer)[:0], `{"data":`...))
	*buffer = result.Data
	if err := ctx.Err(); errors.Is(err, context.Canceled) && len(result.Errors) > 0 {
		return err
	}
	if len(result.Errors) > 0 {
		*buffer = append(append(*buffer, `,"errors":`...), errorsJSON(c.Call, result.Errors)...)
	}
	*buffer = append(*buffer, '}')
	switch {
	case operation.Mutation || len(result.Errors) > 0:
		c.Send(http.StatusOK, *buffer)
	case c.Request.Method == http.MethodPost:
		c.Answer(*buffer)
	default:
		return c.Read(gateway.ContentOf(*buffer))
	}
	return nil
}
