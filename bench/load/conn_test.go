package load

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAnswersAreRead(t *testing.T) {
	body := strings.Repeat("x", 100_000)
	mux := http.NewServeMux()
	mux.HandleFunc("/whole", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write([]byte(body))
	})
	mux.HandleFunc("/chunks", func(w http.ResponseWriter, _ *http.Request) {
		for i := range 10 {
			_, _ = w.Write([]byte(body[i*10_000 : (i+1)*10_000]))
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	defer server.Close()
	address := server.Listener.Addr().String()
	conn, err := Dial(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, test := range []struct {
		path string
		want int
	}{
		{"/whole", 100_000}, {"/chunks", 100_000}, {"/empty", 0}, {"/whole", 100_000},
	} {
		if got, err := conn.Do(Request("GET", test.path, address, nil, nil)); err != nil || got != test.want {
			t.Errorf("%s: %d bytes, %v, want %d", test.path, got, err, test.want)
		}
	}
	_, err = conn.Do(Request("GET", "/missing", address, nil, nil))
	if err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("an answer that is no success: %v", err)
	}
}

func TestRunCountsAndStops(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("four")) }))
	defer server.Close()
	address := server.Listener.Addr().String()
	source := Repeat(Request("GET", "/", address, nil, nil))
	r, err := Run(t.Context(), address, []Source{source, source}, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests == 0 || r.Bytes != 4*r.Requests || len(r.times) != r.Requests {
		t.Errorf("%d requests, %d bytes, %d times", r.Requests, r.Bytes, len(r.times))
	}
	if r.Quantile(0.5) > r.Quantile(0.99) {
		t.Error("the median is above the 99th percentile")
	}
}
