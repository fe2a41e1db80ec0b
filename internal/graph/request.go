package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"cradle/internal/fault"
	"cradle/internal/gateway"
)

// mostBody is the largest accepted request.
const mostBody = 64 << 10

// request is a parsed GraphQL request.
type request struct {
	query         string
	operationName string
	variables     map[string]any
	hash          string // of a persisted query, "" for none
	body          []byte // nil for a GET
}

// readRequest parses a request from its body or, for a GET, from its URL.
func readRequest(c *gateway.Call) (*request, error) {
	switch c.Request.Method {
	case http.MethodGet, http.MethodHead:
		return readAddress(c.Request.URL.RawQuery)
	case http.MethodPost:
		body, err := c.Body(mostBody)
		if err != nil {
			return nil, err
		}
		return readBody(body)
	}
	c.Header().Set("Allow", "GET, HEAD, POST")
	return nil, fault.New(fault.MethodNotAllowed, "method_not_allowed", "This path supports only GET, HEAD and POST")
}

func readBody(body []byte) (*request, error) {
	if !utf8.Valid(body) {
		return nil, fault.Invalidf("The body is not valid UTF-8")
	}
	if start := bytes.TrimLeft(body, " \t\r\n"); len(start) > 0 && start[0] == '[' {
		return nil, fault.Invalidf("The body is a list, but batches are not supported: send each operation in a separate request")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, fault.Invalidf("The body must be one JSON object with a query")
	}
	r := &request{body: body}
	return r, r.fill(fields)
}

// readAddress parses the parameters of a GET; variables and extensions are JSON.
func readAddress(raw string) (*request, error) {
	if len(raw) > mostBody {
		return nil, fault.New(fault.TooLarge, "body_too_large", "The query string is larger than %d bytes", mostBody)
	}
	values, err := gateway.ParseQuery(raw)
	if err != nil || !utf8.ValidString(raw) {
		return nil, fault.Invalidf("The query string is malformed")
	}
	fields := map[string]json.RawMessage{}
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		given := values[name]
		switch {
		case len(given) > 1:
			return nil, fault.Fieldf(name, "is given more than once")
		case len(given) == 0 || given[0] == "":
		case !utf8.ValidString(given[0]):
			return nil, fault.Fieldf(name, "is not valid UTF-8")
		case name == "variables" || name == "extensions":
			fields[name] = json.RawMessage(given[0])
		default:
			fields[name], _ = json.Marshal(given[0])
		}
	}
	r := &request{}
	return r, r.fill(fields)
}

// fill parses the request's fields. It ignores others, as the GraphQL over HTTP
// specification says.
func (r *request) fill(fields map[string]json.RawMessage) error {
	var extensions struct {
		PersistedQuery *struct {
			Version    int    `json:"version"`
			Sha256Hash string `json:"sha256Hash"`
		} `json:"persistedQuery"`
	}
	for _, f := range []struct {
		name, kind string
		into       any
	}{
		{"query", "a string", &r.query}, {"operationName", "a string", &r.operationName},
		{"variables", "an object", &r.variables}, {"extensions", "an object", &extensions},
	} {
		if fields[f.name] == nil {
			continue
		}
		if err := decode(fields[f.name], f.into); err != nil {
			return fault.Fieldf(f.name, "must be %s", f.kind)
		}
	}
	if p := extensions.PersistedQuery; p != nil {
		if p.Version != 1 || p.Sha256Hash == "" {
			return fault.Fieldf("extensions.persistedQuery", "must have version 1 and a sha256Hash")
		}
		r.hash = strings.ToLower(p.Sha256Hash)
	}
	if r.query == "" && r.hash == "" {
		return fault.Fieldf("query", "is required: the GraphQL document to run")
	}
	return nil
}

// decode parses one JSON value. Numbers stay as written because how to read them
// depends on the schema.
func decode(text []byte, into any) error {
	if _, isMap := into.(*map[string]any); !isMap || len(text) <= len("{}") {
		return json.Unmarshal(text, into)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("more than one value")
	}
	return nil
}

// errNotPersisted makes a client of persisted queries send the query's text.
var errNotPersisted = fault.New(fault.NotFound, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound")

// persisted looks up the text of a query sent only as a hash, or stores the text
// sent along with it.
func (a *API) persisted(r *request) error {
	if r.hash == "" {
		return nil
	}
	if r.query != "" {
		if hashOf(r.query) != r.hash {
			return fault.Fieldf("extensions.persistedQuery.sha256Hash", "is not the hash of query")
		}
		if _, bad := a.documents.get(r.query); bad == nil {
			a.documents.name(r.hash, r.query)
		}
		return nil
	}
	var known bool
	if r.query, known = a.documents.named(r.hash); !known {
		return errNotPersisted
	}
	return nil
}

const (
	jsonMedia    = "application/json"
	graphqlMedia = "application/graphql-response+json"
)

// mediaType is the media type of an answer: plain JSON, unless the client
// accepts GraphQL's own type and does not prefer JSON.
func mediaType(accept []string) string {
	weights := map[string]float64{}
	for _, header := range accept {
		for part := range strings.SplitSeq(header, ",") {
			media, parameters, err := mime.ParseMediaType(part)
			if err != nil {
				continue
			}
			weights[media] = 1
			if q, given := parameters["q"]; given {
				weights[media], _ = strconv.ParseFloat(q, 64)
			}
		}
	}
	if w := weights[graphqlMedia]; w > 0 && w >= weights[jsonMedia] {
		return graphqlMedia
	}
	return jsonMedia
}
