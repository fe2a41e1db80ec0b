package peer

import (
	"net/http"
	"os"
	"strconv"
)

// Bare is the least that net/http can do: it serves the bytes of two files, one
// at / and the other, compressed, at /gzip.
func Bare(plain, compressed string) error {
	mux := http.NewServeMux()
	for path, file := range map[string]string{"/{$}": plain, "/gzip": compressed} {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		encoding := ""
		if path == "/gzip" {
			encoding = "gzip"
		}
		mux.Handle("GET "+path, constant(body, encoding))
	}
	on, err := listen()
	if err != nil {
		return err
	}
	announce(on)
	return http.Serve(on, mux)
}

func constant(body []byte, encoding string) http.Handler {
	length := []string{strconv.Itoa(len(body))}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h["Content-Type"] = []string{"application/json"}
		h["Content-Length"] = length
		if encoding != "" {
			h["Content-Encoding"] = []string{encoding}
		}
		_, _ = w.Write(body)
	})
}
