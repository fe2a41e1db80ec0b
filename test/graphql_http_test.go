package test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func testGraphQLOrderOfChecks(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	for i, first := range flaws {
		for _, second := range flaws[i:] {
			if first.step > 3 || first.step == second.step && first.name != second.name {
				continue
			}
			t.Run(first.name+" before "+second.name, func(t *testing.T) {
				a := attempt{*c.in(t), http.MethodPost, "/graphql", "{"}
				second.apply(&a)
				first.apply(&a)
				a.client.do(a.method, "/graphql", a.body, "Content-Type", "application/json").refuses(first.status, first.words...)
			})
		}
	}
	t.Run("a path that is not there needs a key too", func(t *testing.T) {
		c := c.in(t)
		for _, path := range []string{"/graphql/", "/graphql/nothing", "/graphql//"} {
			c.withKey("").post(path, "{}").refuses(401)
			c.post(path, "{}").refuses(404)
		}
	})
}

func get(query string, more ...string) string {
	values := url.Values{"query": {query}}
	for i := 0; i < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return "/graphql?" + values.Encode()
}

func testGraphQLOverHTTP(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	const asks = "{ me { email } }"
	const says = `{"data":{"me":{"email":"` + ada + `"}}}`
	same := func(t *testing.T, a answer) {
		t.Helper()
		if a.status != 200 || string(a.body) != says {
			t.Errorf("%s answered %d: %s", a.what, a.status, a.body)
		}
	}
	t.Run("POST", func(t *testing.T) {
		c := c.in(t)
		for _, body := range []string{
			`{"query":"{ me { email } }"}`, `{"query":"{ me { email } }","variables":null,"operationName":null,"extensions":null}`,
			`{"query":"query A { me { email } }","operationName":"A","variables":{"unused":1},"extensions":{},"id":"ignored"}`,
			`{"query":"query A { me { email } } query B { me { id } }","operationName":"A"}`, ` {"query":"{ me { email } }","operationName":""}` + "\n",
		} {
			same(t, c.post("/graphql", body))
		}
		same(t, c.do("POST", "/graphql", `{"query":"{ me { email } }"}`, "Content-Type", "application/json; charset=utf-8"))
	})
	t.Run("GET", func(t *testing.T) {
		c := c.in(t)
		same(t, c.get(get(asks)))
		same(t, c.get(get("query A($yes: Boolean!) { me { email @include(if: $yes) } } query B { me { id } }", "operationName", "A", "variables", `{"yes":true}`)))
		same(t, c.get(get(asks, "variables", "", "operationName", "", "extensions", "{}", "other", "1")))
		same(t, c.get("/graphql?query={me{email}}%23;"))
		if got := c.do("HEAD", get(asks), "").is(200); len(got.body) != 0 {
			t.Errorf("HEAD answered %s", got.body)
		}
	})
	t.Run("a GET has an ETag", func(t *testing.T) {
		c := c.in(t)
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
			first := c.get(get(asks), "Accept-Encoding", encoding).is(200)
			tag := first.header.Get("ETag")
			if !strongTag.MatchString(tag) {
				t.Errorf("the tag %q", tag)
			}
			c.get(get(asks), "Accept-Encoding", encoding, "If-None-Match", tag).is(304)
		}
		if got := c.post("/graphql", `{"query":"{ me { email } }"}`); got.header.Get("ETag") != "" {
			t.Error("so has a POST")
		}
		if got := c.get(get(`{ material(id: "` + unknown + `") { id } }`)).is(200); got.header.Get("ETag") != "" {
			t.Error("so has an error")
		}
	})
	t.Run("an ETag is of one media type", func(t *testing.T) {
		c := c.in(t)
		for _, encoding := range []string{"identity", "gzip"} {
			tags := map[string]string{}
			for _, media := range []string{"application/json", graphqlMedia} {
				tags[media] = c.get(get(asks), "Accept-Encoding", encoding, "Accept", media).is(200).header.Get("ETag")
				c.get(get(asks), "Accept-Encoding", encoding, "Accept", media, "If-None-Match", tags[media]).is(304)
			}
			if tags["application/json"] == tags[graphqlMedia] {
				t.Errorf("%s: both have %s", encoding, tags[graphqlMedia])
			}
			c.get(get(asks), "Accept-Encoding", encoding, "Accept", graphqlMedia, "If-None-Match", tags["application/json"]).is(200)
		}
	})
	t.Run("a mutation needs a POST", func(t *testing.T) {
		c := c.in(t)
		mutation := `mutation Buy { pullDatapoints(input: {materialIds: ["` + steel + `"]}) { creditsDebited } }`
		if allow := c.get(get(mutation)).refuses(405).header.Get("Allow"); allow != "POST" {
			t.Errorf("Allow: %s", allow)
		}
		c.get(get(mutation+" query Q { me { id } }", "operationName", "Q")).is(200)
		s.contents.checkReads(t, c)
	})
	t.Run("requests that cannot be read", func(t *testing.T) {
		for name, body := range map[string]string{
			"nothing": "", "no JSON": "query { me }", "a string": `"{ me { id } }"`, "null": "null", "more than one": `{"query":"{ me { id } }"}{}`,
			"no query": "{}", "an empty query": `{"query":""}`, "query null": `{"query":null}`, "query a number": `{"query":1}`,
			"in capitals": `{"Query":"{ me { id } }"}`, "variables a list": `{"query":"{ me { id } }","variables":[]}`,
			"variables a string": `{"query":"{ me { id } }","variables":"{}"}`, "operationName a number": `{"query":"{ me { id } }","operationName":1}`,
			"extensions a list": `{"query":"{ me { id } }","extensions":[]}`, "no UTF-8": "{\"query\":\"{ me { id } } # \xff\"}",
		} {
			t.Run(name, func(t *testing.T) { readGraphQL(c.in(t).post("/graphql", body)).refused() })
		}
		for name, path := range map[string]string{
			"no query in a GET": "/graphql", "variables no JSON": get(asks, "variables", "{"), "a query twice": get(asks) + "&query=x",
			"an escape that is none": "/graphql?query=%zz", "variables a list": get(asks, "variables", "[]"), "two in variables": get(asks, "variables", "{}{}"),
		} {
			t.Run(name, func(t *testing.T) { readGraphQL(c.in(t).get(path)).refused() })
		}
	})
	t.Run("batches", func(t *testing.T) {
		readGraphQL(c.in(t).post("/graphql", ` [{"query":"{ me { id } }"},{"query":"{ me { id } }"}]`)).refused("batches")
	})
	t.Run("methods, types and sizes", func(t *testing.T) {
		c := c.in(t)
		for _, method := range []string{"PUT", "DELETE", "PATCH", "OPTIONS"} {
			if got := c.do(method, "/graphql", "").refuses(405); got.header.Get("Allow") != "GET, HEAD, POST" {
				t.Errorf("Allow: %s", got.header.Get("Allow"))
			}
		}
		for _, kind := range []string{"application/graphql", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			c.do("POST", "/graphql", `{"query":"{ me { id } }"}`, "Content-Type", kind).refuses(415)
		}
		body := `{"query":"{ me { email } }","padding":"`
		largest := body + strings.Repeat("x", 64<<10-len(body)-2) + `"}`
		same(t, c.post("/graphql", largest))
		c.post("/graphql", largest+" ").refuses(413)
	})
	t.Run("media types", func(t *testing.T) {
		c := c.in(t)
		for accept, want := range map[string]string{
			"": "application/json", "*/*": "application/json", "application/json": "application/json", "text/html": "application/json",
			graphqlMedia: graphqlMedia, graphqlMedia + ";charset=utf-8": graphqlMedia, "application/json;q=0.9, " + graphqlMedia: graphqlMedia,
			"application/json, " + graphqlMedia + ";q=0.5": "application/json", graphqlMedia + ";q=0": "application/json",
		} {
			for query, status := range map[string]int{asks: 200, "{": 400, `{ material(id: "x") { id } }`: 200} {
				got := c.post("/graphql", text(obj{"query": query}), "Accept", accept)
				if got.status != status || got.header.Get("Content-Type") != want {
					t.Errorf("Accept %q: %d, %s", accept, got.status, got.header.Get("Content-Type"))
				}
			}
		}
	})
	t.Run("compression", func(t *testing.T) {
		c := c.in(t)
		for _, query := range []string{asks, "{", wholeLists} {
			plain := c.post("/graphql", text(obj{"query": query}))
			for _, encoding := range []string{"gzip", "zstd"} {
				for range 2 {
					got := c.post("/graphql", text(obj{"query": query}), "Accept-Encoding", encoding)
					if got.header.Get("Content-Encoding") != encoding || string(unpack(t, got)) != string(plain.body) {
						t.Errorf("%s: %v", encoding, got.header)
					}
				}
			}
		}
	})
	t.Run("the schema is open", func(t *testing.T) {
		got := c.in(t).withKey("").get("/graphql/schema.graphql").is(200)
		if !strings.Contains(string(got.body), "type Query {") || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
			t.Errorf("%v %s", got.header, got.body)
		}
	})
}

var wholeLists = strings.Replace(mirror("/public/processes").query, "query($input: PublicListInput)", "query($input: PublicListInput = {limit: 100})", 1)

func testPersistedQueries(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	ask := func(query, hash string, headers ...string) graphqlAnswer {
		body := obj{"extensions": obj{"persistedQuery": obj{"version": 1, "sha256Hash": hash}}}
		if query != "" {
			body["query"] = query
		}
		return readGraphQL(c.post("/graphql", text(body), headers...))
	}
	query := "query Persisted { me { email } } # " + c.team
	sum := sha256.Sum256([]byte(query))
	hash := hex.EncodeToString(sum[:])

	unknown := ask("", hash)
	if unknown.status != 200 || unknown.Data != nil || len(unknown.Errors) != 1 || unknown.Errors[0].Message != "PersistedQueryNotFound" || unknown.Errors[0].Extensions.Code != "PERSISTED_QUERY_NOT_FOUND" {
		t.Errorf("an unknown hash: %d %s", unknown.status, unknown.body)
	}
	if got := ask("", hash, "Accept", graphqlMedia); got.status != 400 {
		t.Errorf("an unknown hash with %s: %d", graphqlMedia, got.status)
	}
	ask(query+" ", hash).refused("sha256Hash")
	ask("{ nothing }", hash).refused("sha256Hash")
	first := ask(query, hash)
	first.data()
	for _, spelt := range []string{hash, strings.ToUpper(hash)} {
		if again := ask("", spelt); string(again.body) != string(first.body) {
			t.Errorf("by its hash: %s", again.body)
		}
	}
	byGet := c.get("/graphql?" + url.Values{"extensions": {text(obj{"persistedQuery": obj{"version": 1, "sha256Hash": hash}})}}.Encode())
	if string(byGet.body) != string(first.body) {
		t.Errorf("by its hash with GET: %s", byGet.body)
	}
	wrong := sha256.Sum256([]byte("{ nothing }"))
	ask("{ nothing }", hex.EncodeToString(wrong[:])).refused("nothing")
	if got := ask("", hex.EncodeToString(wrong[:])); got.Errors == nil || got.Errors[0].Message != "PersistedQueryNotFound" {
		t.Errorf("a refused document was kept: %s", got.body)
	}
	readGraphQL(c.post("/graphql", `{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"x"}}}`)).refused("persistedQuery")
}
