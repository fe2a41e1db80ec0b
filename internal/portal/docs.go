package portal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"cradle/docs"
	"cradle/internal/markdown"
)

type docsPage struct {
	BaseURL, Team string
	Operations    []operation
	Versions      template.HTML
}

// operation is an entry of the API reference.
type operation struct{ ID, Method, Path, Summary string }

func (v *visit) docs() error {
	return v.show(http.StatusOK, "docs", "Docs", docsPage{BaseURL: v.BaseURL, Team: v.seat.Team.ID.String(), Operations: v.operations, Versions: versionsText})
}

func (v *visit) verifyDocs() error {
	return v.show(http.StatusOK, "verify", "Verify a webhook", verifyText)
}

var (
	versionsText = markdown.HTML(markdown.Section(docs.API, "Versions"))
	verifyText   = markdown.HTML(markdown.Section(docs.Webhooks, "Verify"))
)

// operationsOf lists the operations of an OpenAPI document, by path.
func operationsOf(document []byte) ([]operation, error) {
	var spec struct {
		Paths map[string]map[string]struct {
			OperationID string
			Summary     string
		}
	}
	if err := json.Unmarshal(document, &spec); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	var all []operation
	for path, methods := range spec.Paths {
		for method, op := range methods {
			if op.OperationID != "" {
				all = append(all, operation{op.OperationID, strings.ToUpper(method), path, op.Summary})
			}
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method)) })
	return all, nil
}
