package tables

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"cradle/bench/proc"
)

// Taken is what a process used for a table.
type Taken struct {
	Factors float64 // seconds of processor time for the factors
	Rest    float64 // and for everything after them
	Solves  int
	Error   float64 // the largest backward error, if the process reports it
	Memory  int64   // bytes at most
}

// Seconds is the time for the whole table.
func (t Taken) Seconds() float64 { return t.Factors + t.Rest }

// Peers is the compiled program that calculates with SuiteSparse.
type Peers struct{ program string }

// Compile makes the program from its source.
func Compile(ctx context.Context, source, program string) (Peers, error) {
	cmd := exec.CommandContext(ctx, "gcc", "-O2", "-I/usr/include/suitesparse", "-o", program, source, "-lumfpack", "-lklu", "-lm")
	if said, err := cmd.CombinedOutput(); err != nil {
		return Peers{}, fmt.Errorf("compile the program that calls SuiteSparse (scripts/setup --bench installs it): %w\n%s", err, said)
	}
	return Peers{program}, nil
}

// Calculate lets a peer calculate a table: umfpack, klu, refined or forward.
func (p Peers) Calculate(ctx context.Context, file, how string, indicators int, more ...string) (Taken, error) {
	args := append([]string{file, how, strconv.Itoa(indicators)}, more...)
	return take(exec.CommandContext(ctx, p.program, args...))
}

// ByCradle lets Cradle calculate a table, in a separate process.
func ByCradle(ctx context.Context, file string, indicators int, more ...string) (Taken, error) {
	self, err := os.Executable()
	if err != nil {
		return Taken{}, err
	}
	args := append([]string{"table", file, strconv.Itoa(indicators)}, more...)
	return take(exec.CommandContext(ctx, self, args...))
}

func take(cmd *exec.Cmd) (Taken, error) {
	// One thread even for a multithreaded BLAS.
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	out, peak, err := proc.Output(cmd)
	if err != nil {
		return Taken{}, fmt.Errorf("%s: %w", cmd, err)
	}
	t := Taken{Memory: peak}
	if n, err := fmt.Sscan(string(out), &t.Factors, &t.Rest, &t.Solves, &t.Error); n < 3 {
		return Taken{}, fmt.Errorf("%s printed %q: %w", cmd, out, err)
	}
	return t, nil
}
