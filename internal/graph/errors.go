package graph

import (
	"encoding/json"
	"errors"
	"net/http"

	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/gql"
)

type errorBody struct {
	Message    string         `json:"message"`
	Locations  []gql.Location `json:"locations,omitempty"`
	Path       []any          `json:"path,omitempty"`
	Extensions extensions     `json:"extensions"`
}

type extensions struct {
	StatusCode int    `json:"statusCode"`
	Code       string `json:"code"`
	Field      string `json:"field,omitempty"`
}

// codes are the error codes of errors that are not faults shared with REST.
var codes = map[gql.Kind]string{
	gql.Syntax:     "graphql_parse_failed",
	gql.Validation: "graphql_validation_failed",
	gql.Bounds:     "query_too_complex",
	gql.Request:    "invalid_request",
}

// errorsJSON renders errors for an answer.
func errorsJSON(c *gateway.Call, all []*gql.Error) []byte {
	bodies := make([]errorBody, len(all))
	for i, e := range all {
		bodies[i] = bodyOf(c, e)
	}
	text, _ := json.Marshal(bodies)
	return text
}

func bodyOf(c *gateway.Call, e *gql.Error) errorBody {
	body := errorBody{e.Message, e.Locations, e.Path, extensions{StatusCode: http.StatusBadRequest, Code: codes[e.Kind]}}
	if e.Kind == gql.Execution {
		cause := e.Cause
		if cause == nil {
			cause = errors.New(e.Message)
		}
		f, status := c.Fault(cause)
		body.Message, body.Extensions = f.Message, extensions{status, f.Code, f.Field}
	}
	return body
}

// refuse answers a request that is not executed.
func refuse(c *gateway.Call, bad ...*gql.Error) error {
	c.Header()["Svc-Error-Code"] = []string{codes[bad[0].Kind]}
	send(c, http.StatusBadRequest, errorsJSON(c, bad))
	return nil
}

func send(c *gateway.Call, status int, list []byte) {
	c.Send(status, append(append([]byte(`{"errors":`), list...), '}'))
}

// asErrors answers an error in a request's content as GraphQL errors. It leaves
// any other error to the gateway.
func asErrors(c *gateway.Call, err error) error {
	f := fault.As(err)
	switch {
	case f == errNotPersisted:
		return notPersisted(c)
	case f == nil || f.Kind != fault.Invalid:
		return err
	}
	c.Header()["Svc-Error-Code"] = []string{f.Code}
	list, _ := json.Marshal([]errorBody{{Message: f.Message, Extensions: extensions{http.StatusBadRequest, f.Code, f.Field}}})
	send(c, http.StatusBadRequest, list)
	return nil
}

// notPersisted asks the client to send the query's text. Its status is 200
// because older clients read plain JSON answers only then.
func notPersisted(c *gateway.Call) error {
	status := http.StatusOK
	if c.Header().Get("Content-Type") == graphqlMedia {
		status = http.StatusBadRequest
	}
	c.Header()["Svc-Error-Code"] = []string{errNotPersisted.Code}
	list, _ := json.Marshal([]errorBody{{Message: errNotPersisted.Message, Extensions: extensions{StatusCode: http.StatusNotFound, Code: errNotPersisted.Code}}})
	send(c, status, list)
	return nil
}
