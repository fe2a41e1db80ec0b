package event_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cradle/internal/event"
	"cradle/internal/lci"
)

func TestEnvelope(t *testing.T) {
	team, at := lci.NewID(), time.Unix(1789459200, 999)
	e := event.New(event.WebhookTest, team, true, at, map[string]any{"b": 1, "a": []string{"x"}})
	want := `{"id":"` + e.ID + `","type":"webhook.test","created":1789459200,"livemode":true,"teamId":"` + team.String() + `","data":{"a":["x"],"b":1}}`
	if string(e.Body) != want {
		t.Errorf("%s\nwant %s", e.Body, want)
	}
	if id, isEvent := strings.CutPrefix(e.ID, "evt_"); !isEvent || len(id) != 36 || e.Type != event.WebhookTest || e.Team != team || !e.Livemode || !e.Time.Equal(at) {
		t.Errorf("%+v", e)
	}
}

// A type is spelled out in one file of the program, apart from tests,
// documentation and the OpenAPI document.
func TestTypesAreDeclaredOnce(t *testing.T) {
	spelled := map[string][]string{}
	root := filepath.Join("..", "..")
	for _, folder := range []string{"client", "cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, "_test.go") || !slices.Contains([]string{".go", ".html", ".js", ".sql"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			for _, eventType := range event.Types {
				if bytes.Contains(text, []byte(eventType)) {
					spelled[eventType] = append(spelled[eventType], filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, eventType := range event.Types {
		if !slices.Equal(spelled[eventType], []string{"internal/event/event.go"}) {
			t.Errorf("%s is spelled in %v", eventType, spelled[eventType])
		}
	}
}
