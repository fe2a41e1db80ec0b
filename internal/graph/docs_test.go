package graph_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"testing"

	"cradle/internal/account"
)

const docs = "../../docs/graphql.md"

var example = regexp.MustCompile("(?s)\n```graphql\n(.*?)\n```\n(?:\n```json variables\n(.*?)\n```\n)?\n```json answer\n(.*?)```\n")

// The examples in the documentation, run in order, get the documented answers.
func TestExamplesOfTheDocumentation(t *testing.T) {
	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	v := serve(t, engines["sqlite"](t))
	if _, err := v.store.Grant(t.Context(), account.Wallet{Team: v.team, Mode: account.Live}, 100, "test"); err != nil {
		t.Fatal(err)
	}
	found := example.FindAllSubmatch(text, -1)
	if len(found) != bytes.Count(text, []byte("```graphql\n")) || len(found) == 0 {
		t.Fatalf("%d examples are complete", len(found))
	}
	for _, e := range found {
		request := map[string]any{"query": string(e[1])}
		if len(e[2]) > 0 {
			request["variables"] = json.RawMessage(e[2])
		}
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatalf("%s: %v", e[2], err)
		}
		r := httptest.NewRequest("POST", "/graphql", bytes.NewReader(body))
		r.Header.Set("x-api-key", v.key)
		r.Header.Set("x-team-id", v.team.String())
		w := httptest.NewRecorder()
		v.handler.ServeHTTP(w, r)
		var got, want any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(e[3], &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis answered\n%s\nand not\n%s", e[1], w.Body, e[3])
		}
	}
}
