package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"cradle/internal/pgtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cradle": main})
}

// The scripts run whole commands, each script on its own database.

func TestScriptsOnSQLite(t *testing.T) {
	runScripts(t, "sqlite", func(work string) string { return filepath.Join(work, "test.db") })
}

func TestScriptsOnPostgreSQL(t *testing.T) {
	runScripts(t, "postgres", func(string) string { return pgtest.Database(t) })
}

func runScripts(t *testing.T, engine string, database func(work string) string) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CRADLE_DB", database(env.WorkDir))
			env.Setenv("CRADLE_SECRET", "0123456789abcdef")
			// A command built with the race detector would sleep for a second at
			// exit.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			startReceiver(env)
			return nil
		},
		Condition: func(name string) (bool, error) { return name == engine, nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"get":      get,
			"is":       is,
			"freeport": freePort,
			"http":     httpRequest,
			"mode":     fileMode,
			"damage":   damage,
			"answers":  answers,
			"receives": receives,
			"sent":     sent,
			"same":     same,
			"until":    until,
			"appears":  appears,
		},
	})
}

// exits STATUS COMMAND… runs a command that must exit with the status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	status := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		status = exit.ExitCode()
	}
	if status != want {
		ts.Fatalf("status %d, want %d", status, want)
	}
	if stderr := ts.ReadFile("stderr"); want == misused && strings.Count(stderr, "\n") != 1 {
		ts.Fatalf("not one line on standard error")
	}
}

// document reads standard output as exactly one JSON document.
func document(ts *testscript.TestScript) any {
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	d.UseNumber()
	var doc any
	ts.Check(d.Decode(&doc))
	if _, err := d.Token(); err != io.EOF {
		ts.Fatalf("more than one document")
	}
	return doc
}

// at follows a path such as teams.0.id, or teams.length for an array.
func at(ts *testscript.TestScript, doc any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch d := doc.(type) {
		case map[string]any:
			value, ok := d[step]
			if !ok {
				ts.Fatalf("there is no %q of %s", step, path)
			}
			doc = value
		case []any:
			if step == "length" {
				return len(d)
			}
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(d) {
				ts.Fatalf("there is no %q of %s", step, path)
			}
			doc = d[i]
		default:
			ts.Fatalf("there is no %q of %s", step, path)
		}
	}
	return doc
}

// get VAR PATH sets a variable to the value at PATH in standard output's
// document.
func get(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], fmt.Sprint(at(ts, document(ts), args[1])))
}

// is PATH VALUE compares the value at PATH in standard output's document.
func is(ts *testscript.TestScript, neg bool, args []string) {
	got := textOf(at(ts, document(ts), args[0]))
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

func textOf(value any) string {
	if value == nil {
		return "null"
	}
	return fmt.Sprint(value)
}

// freeport VAR sets a variable to a free port.
func freePort(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

// http STATUS URL [KEY TEAM [BODY]] waits until a server answers, which must be
// with the status.
func httpRequest(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		status, body, err := ask(args[1:])
		if err != nil && time.Now().Before(deadline) {
			continue
		}
		ts.Check(err)
		ts.Logf("%d %s", status, body)
		if strconv.Itoa(status) != args[0] {
			ts.Fatalf("status %d, want %s", status, args[0])
		}
		return
	}
}

func ask(args []string) (int, string, error) {
	method, body := http.MethodGet, ""
	if len(args) > 3 {
		method, body = http.MethodPost, args[3]
	}
	req, err := http.NewRequest(method, args[0], strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if len(args) > 2 {
		req.Header.Set("x-api-key", args[1])
		req.Header.Set("x-team-id", args[2])
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}

// mode FILE PERMISSIONS compares a file's permissions.
func fileMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := info.Mode().Perm().String(); got != args[1] {
		ts.Fatalf("mode %s", got)
	}
}

// damage FILE overwrites an embedded database after its header.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY, 0)
	ts.Check(err)
	_, err = f.WriteAt([]byte(strings.Repeat("x", 200)), 100)
	ts.Check(errors.Join(err, f.Close()))
}
