package test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A request in progress when the server is told to stop is finished, recorded
// and logged.
func TestShutdownFinishesRequests(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary())
		team := s.addTeam(t, ada, 10)
		address := strings.TrimPrefix(s.url, "http://")
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		body := request("propertyIds", []string{density}, 2)
		fmt.Fprintf(conn, "POST /public/materials/%s/properties/pull HTTP/1.1\r\nHost: cradle\r\nx-api-key: %s\r\nx-team-id: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", steel, s.live, team, len(body))
		from := bufio.NewReader(conn)
		for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
			if line, err := from.ReadString('\n'); err != nil || line != want {
				t.Fatalf("got %q, %v, want %q", line, err, want)
			}
		}

		// The server now waits for the body. It is told to stop, and the body
		// comes only once it takes no more connections.
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		eventually(t, "it takes no more connections", func() bool {
			other, err := net.Dial("tcp", address)
			if err == nil {
				other.Close()
			}
			return err != nil
		})
		if _, err := io.WriteString(conn, body); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var got obj
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != 200 || got["creditsDebited"] != 4.0 {
			t.Errorf("answered %d, %v, %v", res.StatusCode, got, err)
		}
		s.wait(t)
		if status := s.cmd.ProcessState.ExitCode(); status != 0 {
			t.Errorf("the server ended with %d", status)
		}
		if balance := s.credits(t, team).Live.Balance; balance != 6 {
			t.Errorf("balance %d, want 6", balance)
		}
		id := res.Header.Get("Svc-Request-Id")
		if !slices.ContainsFunc(command[[]logLine](t, s.installation, "logs"), func(l logLine) bool { return l.RequestID == id && l.CreditsDebited == 4 }) {
			t.Errorf("request %s is not in the log", id)
		}
	})
}

func TestServeStopsOnInterrupt(t *testing.T) {
	t.Parallel()
	s := install(t, engines[0]).serve(t)
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.wait(t)
	if status := s.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("the server ended with %d", status)
	}
}
