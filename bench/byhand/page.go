package byhand

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"github.com/swaggest/swgui/v5emb"

	"cradle/internal/rest"
)

// Weight is what a browser fetches to show a page.
type Weight struct {
	Requests, Bytes, Compressed, Scripts int // Scripts in bytes, compressed
}

// Reference weighs the API's reference page as Cradle renders it and as Swagger UI
// does, which fetches the OpenAPI document too.
func Reference() (ours, swagger Weight, err error) {
	docs := rest.Docs("https://example.com")
	ui := v5emb.New("Reference", "/openapi.json", "/docs/")
	mux := http.NewServeMux()
	mux.Handle("/openapi.json", docs)
	mux.Handle("/docs/", ui)
	if ours, err = weigh(docs, "/docs"); err != nil {
		return ours, swagger, err
	}
	swagger, err = weigh(mux, "/docs/", "/openapi.json")
	return ours, swagger, err
}

var loaded = regexp.MustCompile(`(?:src|href)="([^"]+\.(?:js|css|png))"`)

// weigh fetches a page, what it loads, and what its script fetches besides.
func weigh(site http.Handler, page string, besides ...string) (w Weight, err error) {
	text, err := fetch(site, page, &w)
	if err != nil {
		return w, err
	}
	for _, found := range loaded.FindAllStringSubmatch(string(text), -1) {
		besides = append(besides, found[1])
	}
	for _, path := range besides {
		if _, err := fetch(site, path, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

func fetch(site http.Handler, path string, w *Weight) ([]byte, error) {
	answer := httptest.NewRecorder()
	site.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
	body := answer.Body.Bytes()
	if answer.Code != http.StatusOK || len(body) == 0 {
		return nil, fmt.Errorf("GET %s: %d", path, answer.Code)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(body)
	if err := z.Close(); err != nil {
		return nil, err
	}
	w.Requests++
	w.Bytes += len(body)
	w.Compressed += packed.Len()
	if strings.Contains(path, ".js") && !strings.Contains(path, ".json") {
		w.Scripts += packed.Len()
	}
	return body, nil
}
