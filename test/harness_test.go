// Package test holds the black-box tests of the contract: they run the cradle
// binary as an operator would and speak to it over HTTP, on both engines.
package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cradle/internal/pgtest"
)

// patience bounds every wait for something that must happen, so that a hang is a
// failure. No test measures time with it.
const patience = 90 * time.Second

var buildDir string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "cradle-binary-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	buildDir = dir
	return m.Run()
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "cradle")
	args := []string{"build", "-o", path}
	if raceEnabled {
		args = append(args, "-race", "-gcflags=modernc.org/...=-race=false") // as make test does
	}
	out, err := exec.Command("go", append(args, "cradle/cmd/cradle")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build cradle: %w\n%s", err, out)
	}
	return path, nil
})

func binary(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// An engine is a kind of database that the service must run on.
type engine struct {
	name string
	open func(t testing.TB) (db string)
}

var engines = []engine{
	{"sqlite", func(t testing.TB) string { return filepath.Join(t.TempDir(), "cradle.db") }},
	{"postgres", pgtest.Database},
}

// onEveryEngine runs a test on each engine, concurrently with each other and
// other tests: each has its own databases and servers.
func onEveryEngine(t *testing.T, f func(t *testing.T, e engine)) {
	t.Helper()
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			f(t, e)
		})
	}
}

// An installation is a database and the commands run on it.
type installation struct {
	db  string
	env []string
}

func install(t testing.TB, e engine, env ...string) *installation {
	t.Helper()
	return &installation{db: e.open(t), env: env}
}

// environment is this process's own without settings of cradle, plus the test's.
// The rate limit is off because tests are faster than clients may be.
func (in *installation) environment(more []string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "CRADLE_") || strings.HasPrefix(v, pgtest.Env+"=") {
			env = append(env, v)
		}
	}
	// A command built with the race detector would sleep for a second at exit.
	env = append(env, "GORACE=atexit_sleep_ms=0", "CRADLE_RATE_LIMIT=0")
	if in.db != "" {
		env = append(env, "CRADLE_DB="+in.db)
	}
	env = append(env, in.env...)
	return append(env, more...)
}

// outcome is the result of a command.
type outcome struct {
	status         int
	stdout, stderr string
}

func (in *installation) run(t testing.TB, args ...string) outcome {
	t.Helper()
	program := binary(t) // building it may take longer than patience
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = in.environment(nil)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// command runs a command that must succeed and returns its JSON document.
func command[T any](t testing.TB, in *installation, args ...string) T {
	t.Helper()
	got := in.run(t, append(args, "--json")...)
	if got.status != 0 {
		t.Fatalf("cradle %s: exit status %d\n%s", strings.Join(args, " "), got.status, got.stderr)
	}
	var document T
	decoder := json.NewDecoder(strings.NewReader(got.stdout))
	if err := decoder.Decode(&document); err != nil {
		t.Fatalf("cradle %s: standard output is not JSON: %v\n%s", strings.Join(args, " "), err, got.stdout)
	}
	if decoder.More() {
		t.Fatalf("cradle %s printed more than one document:\n%s", strings.Join(args, " "), got.stdout)
	}
	return document
}

// refused runs a command that must fail with exit status 1, explain why on
// standard error and print nothing else. It returns the explanation.
func (in *installation) refused(t testing.TB, args ...string) string {
	t.Helper()
	got := in.run(t, append(args, "--json")...)
	if got.status != 1 {
		t.Errorf("cradle %s: exit status %d, want 1\n%s%s", strings.Join(args, " "), got.status, got.stdout, got.stderr)
	}
	if got.stdout != "" {
		t.Errorf("cradle %s was refused and printed:\n%s", strings.Join(args, " "), got.stdout)
	}
	if strings.TrimSpace(got.stderr) == "" {
		t.Errorf("cradle %s was refused and did not say why", strings.Join(args, " "))
	}
	return got.stderr
}

// check runs the service's integrity check.
func (in *installation) check(t testing.TB) {
	t.Helper()
	type verdict struct {
		OK       bool
		Problems []any
	}
	if got := command[verdict](t, in, "check"); !got.OK || len(got.Problems) > 0 {
		t.Errorf("cradle check: %+v", got)
	}
}

// A server is a running cradle serve.
type server struct {
	url    string
	cmd    *exec.Cmd
	stdout firstLine
	log    safeBuffer
	done   chan struct{} // closed once the process has ended
}

// serve starts the service and waits until it answers. It is stopped, which must
// succeed, when t ends.
func (in *installation) serve(t testing.TB, env ...string) *server {
	t.Helper()
	return start(t, in.environment(env), "serve", "--addr", "127.0.0.1:0", "--json")
}

func start(t testing.TB, env []string, args ...string) *server {
	t.Helper()
	s := &server{done: make(chan struct{})}
	s.stdout.complete = make(chan struct{})
	s.cmd = exec.Command(binary(t), args...)
	s.cmd.Env = env
	s.cmd.Dir = t.TempDir()
	s.cmd.Stdout, s.cmd.Stderr = &s.stdout, &s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.done)
	}()
	t.Cleanup(func() {
		s.stop(t)
		if t.Failed() {
			t.Logf("log of %s:\n%s", s.url, s.log.tail(8000))
		}
	})
	s.waitForURL(t)
	return s
}

func (s *server) waitForURL(t testing.TB) {
	t.Helper()
	select {
	case <-s.stdout.complete:
	case <-s.done:
		t.Fatalf("the server ended:\n%s", s.log.tail(8000))
	case <-time.After(patience):
		t.Fatalf("the server did not say where it answers:\n%s", s.log.tail(8000))
	}
	var line struct{ URL string }
	if err := json.Unmarshal([]byte(s.stdout.String()), &line); err != nil || line.URL == "" {
		t.Fatalf("the server printed %q: %v", s.stdout.String(), err)
	}
	s.url = strings.TrimRight(line.URL, "/")
}

func (s *server) running() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// stop ends the server like an operator, and checks that it ended cleanly.
func (s *server) stop(t testing.TB) {
	t.Helper()
	if !s.running() {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	s.wait(t)
	if status := s.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("the server ended with %d:\n%s", status, s.log.tail(8000))
	}
	if out := s.stdout.String(); strings.Count(out, "\n") > 1 {
		t.Errorf("the server printed more than one line on standard output:\n%s", out)
	}
}

func (s *server) wait(t testing.TB) {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		<-s.done
		t.Errorf("the server did not end:\n%s", s.log.tail(8000))
	}
}

// kill ends the server like a crash.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

// firstLine collects a process's output and signals the first whole line.
type firstLine struct {
	safeBuffer
	once     sync.Once
	complete chan struct{}
}

func (f *firstLine) Write(p []byte) (int, error) {
	n, err := f.safeBuffer.Write(p)
	if bytes.ContainsRune(p, '\n') {
		f.once.Do(func() { close(f.complete) })
	}
	return n, err
}

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *safeBuffer) tail(n int) string {
	s := b.String()
	return s[max(0, len(s)-n):]
}
