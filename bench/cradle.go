package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"cradle/bench/load"
	"cradle/bench/proc"
	"cradle/internal/lci"
)

// binary is the built program.
type binary string

// build compiles the program as it is released.
func build(ctx context.Context, root, into string) (binary, error) {
	path := filepath.Join(into, "cradle")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/cradle")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build cradle: %w\n%s", err, out)
	}
	return binary(path), nil
}

func (c binary) command(ctx context.Context, db string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, string(c), args...)
	cmd.Env = append(os.Environ(), "CRADLE_DB="+db, "CRADLE_JSON=true", "CRADLE_RATE_LIMIT=0", "CRADLE_SECRET=of the benchmarks only")
	return cmd
}

// do runs a command, decodes what it prints into answer, and returns the most
// memory that it took.
func (c binary) do(ctx context.Context, db string, answer any, args ...string) (peak int64, err error) {
	out, peak, err := proc.Output(c.command(ctx, db, args...))
	if err != nil {
		return 0, fmt.Errorf("cradle %s: %w", args[0], err)
	}
	if answer == nil {
		return peak, nil
	}
	return peak, json.Unmarshal(out, answer)
}

// serve starts a server. With metrics its profiles are at that address.
func (c binary) serve(ctx context.Context, db, metrics string) (*proc.Server, error) {
	args := []string{"serve", "--addr", "127.0.0.1:0"}
	if metrics != "" {
		args = append(args, "--metrics-addr", metrics)
	}
	cmd := c.command(ctx, db, args...)
	cmd.Stderr = troubles{os.Stderr}
	return proc.Serve(ctx, cmd)
}

// troubles passes on a server's log lines above level info. Each line comes in
// one write.
type troubles struct{ to io.Writer }

func (t troubles) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("level=INFO")) {
		return len(line), nil
	}
	return t.to.Write(line)
}

// engine is a database and the server on it.
type engine struct {
	name    string
	db      string
	server  *proc.Server
	metrics string // address of the server's profiles, "" for none
	key     string
}

// open fills an empty database from a bundle, makes the key, and starts the
// server.
func (b *bench) open(e *engine, bundle string) error {
	b.say("%s: importing", e.name)
	began := time.Now()
	peak, err := b.cradle.do(b.ctx, e.db, nil, "import", bundle)
	if err != nil {
		return err
	}
	b.report.add(ratio{section: "Import", what: e.name, figure: seconds(time.Since(began)), beside: megabytes(peak) + " at most"})
	if err := b.keyholder(e); err != nil {
		return err
	}
	if b.Profiles != "" {
		if e.metrics, err = freeAddress(); err != nil {
			return err
		}
	}
	e.server, err = b.cradle.serve(b.ctx, e.db, e.metrics)
	return err
}

const owner = "bench@example.org"

func (b *bench) keyholder(e *engine) error {
	if _, err := b.cradle.do(b.ctx, e.db, nil, "user", "add", "--email", owner, "--firstname", "Bench", "--lastname", "Mark"); err != nil {
		return err
	}
	var made struct{ Key string }
	_, err := b.cradle.do(b.ctx, e.db, &made, "key", "create", "--user", owner)
	e.key = made.Key
	return err
}

// mostCredits is the most that a team can have.
const mostCredits = 2_147_483_647

// team makes a team with as many credits as it can have.
func (b *bench) team(e *engine, label string) (lci.ID, error) {
	var made struct{ ID string }
	if _, err := b.cradle.do(b.ctx, e.db, &made, "team", "add", "--label", label, "--owner", owner); err != nil {
		return lci.ID{}, err
	}
	id, ok := lci.ParseID(made.ID)
	if !ok {
		return lci.ID{}, fmt.Errorf("cradle team add: made %q", made.ID)
	}
	_, err := b.cradle.do(b.ctx, e.db, nil, "credits", "grant", made.ID, strconv.Itoa(mostCredits))
	return id, err
}

// Most that a start may take, and a server may have in memory.
const (
	startWanted  = 2 * time.Second
	memoryWanted = 400 << 20
)

// starts restarts the server repeatedly, measures that, and leaves the last one
// running.
func (b *bench) starts(e *engine) error {
	var times []float64
	for range b.Starts {
		err := e.server.Stop()
		if err != nil {
			return err
		}
		if e.server, err = b.cradle.serve(b.ctx, e.db, e.metrics); err != nil {
			return err
		}
		times = append(times, e.server.Start.Seconds())
	}
	b.judgeStart(e, median(times), atMost(1))
	return b.memory(e, "after start", atMost(1))
}

func (b *bench) judgeStart(e *engine, took float64, w want) {
	b.report.add(ratio{section: "Start", what: e.name, figure: fmt.Sprintf("%.2f s", took), beside: seconds(startWanted),
		value: took / startWanted.Seconds(), want: w})
}

func (b *bench) memory(e *engine, when string, w want) error {
	taken, err := e.server.Memory()
	if err != nil {
		return err
	}
	b.report.add(ratio{section: "Memory", what: e.name + ", " + when, figure: megabytes(taken), beside: megabytes(memoryWanted),
		value: float64(taken) / memoryWanted, want: w})
	return nil
}

// freeAddress is a currently unused address.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (e *engine) header(team lci.ID) http.Header {
	return http.Header{"X-Api-Key": {e.key}, "X-Team-Id": {team.String()}}
}

// get is a request of a team as it goes over the wire.
func (e *engine) get(team lci.ID, target string) []byte {
	return load.Request("GET", target, e.server.Address(), e.header(team), nil)
}

func (e *engine) post(team lci.ID, target string, body []byte) []byte {
	return load.Request("POST", target, e.server.Address(), e.header(team), body)
}
