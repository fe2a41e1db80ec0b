package portal

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed templates/*.html static/*
var files embed.FS

// readPages returns the templates by name, each with the layout and the shared
// parts. An invalid one keeps the server from starting.
func readPages() map[string]*template.Template {
	shared := template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/layout.html", "templates/parts.html"))
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		panic(err)
	}
	all := map[string]*template.Template{}
	for _, name := range names {
		page := strings.TrimSuffix(path.Base(name), ".html")
		if page == "layout" || page == "parts" {
			continue
		}
		all[page] = template.Must(template.Must(shared.Clone()).ParseFS(files, name))
	}
	return all
}

// asset is a file that pages load. Its URL contains a hash of its content, so
// that browsers may cache it forever.
type asset struct {
	name    string
	content []byte
}

// Read on first use, because commands show no pages.
var (
	assets     = sync.OnceValue(readAssets) // by address
	assetPaths = sync.OnceValue(func() map[string]string {
		paths := map[string]string{}
		for address, a := range assets() {
			paths[a.name] = address
		}
		return paths
	})
)

func readAssets() map[string]asset {
	all := map[string]asset{}
	entries, err := files.ReadDir("static")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		content, err := files.ReadFile("static/" + entry.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		all["/portal/static/"+hex.EncodeToString(sum[:6])+"/"+entry.Name()] = asset{entry.Name(), content}
	}
	return all
}

func assetPath(name string) (string, error) {
	address, ok := assetPaths()[name]
	if !ok {
		return "", fmt.Errorf("there is no file %s", name)
	}
	return address, nil
}

func serveAsset(w http.ResponseWriter, r *http.Request) {
	found, ok := assets()[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	http.ServeContent(w, r, found.name, time.Time{}, bytes.NewReader(found.content))
}
