// Package byhand does what Cradle does with its own code, and the same with the
// library that it could have used.
package byhand

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"cradle/bench/proc"
)

// A Part is something that Cradle implements itself.
type Part struct {
	Name    string
	Library string
	Once    string                                // what is done once
	write   func(file string) error               // makes the input; nil if it is given
	ours    func(file string) (func() any, error) // a run returns what both must agree on, or an error
	theirs  func(file string) (func() any, error)
}

// Parts are all that can be timed.
var Parts = []Part{xmlPart, workbookPart, queryPart, checkedPart, markdownPart}

// Write makes what a part reads, as large as its kind usually is.
func (p Part) Write(file string) error {
	if p.write == nil {
		return nil
	}
	return p.write(file)
}

// Taken is what one run used.
type Taken struct {
	Seconds float64 // of processor time
	Objects float64 // allocated
	Bytes   float64 // allocated
	Peak    int64   // bytes that the process had in memory at most
	result  string
}

// Take runs a part for some time in a separate process, with Cradle or with the
// library.
func (p Part) Take(ctx context.Context, by, file string, duration time.Duration) (t Taken, err error) {
	self, err := os.Executable()
	if err != nil {
		return t, err
	}
	out, peak, err := proc.Output(exec.CommandContext(ctx, self, "part", p.Name, by, file, duration.String()))
	if err != nil {
		return t, fmt.Errorf("%s by %s: %w", p.Name, by, err)
	}
	t.Peak = peak
	_, err = fmt.Sscanf(string(out), "%g %g %g %q", &t.Seconds, &t.Objects, &t.Bytes, &t.result)
	return t, err
}

// Same returns an error if the two ways gave different results.
func (t Taken) Same(other Taken) error {
	if t.result != other.result {
		return fmt.Errorf("one comes to %s, the other to %s", t.result, other.result)
	}
	return nil
}

// Run is the process that does a part: its name, by whom, its input, how long.
func Run(args []string) error {
	for _, p := range Parts {
		if p.Name != args[0] {
			continue
		}
		how := map[string]func(string) (func() any, error){"Cradle": p.ours, "library": p.theirs}[args[1]]
		duration, err := time.ParseDuration(args[3])
		if err != nil {
			return err
		}
		once, err := how(args[2])
		if err != nil {
			return err
		}
		return repeat(once, duration)
	}
	return errors.New("no part " + args[0])
}

func repeat(once func() any, duration time.Duration) error {
	result := once() // warms up
	if err, failed := result.(error); failed {
		return err
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, used, runs := time.Now(), processor(), 0.0
	for ; time.Since(began) < duration || runs == 0; runs++ {
		once()
	}
	taken := processor() - used
	runtime.ReadMemStats(&after)
	_, err := fmt.Printf("%g %g %g %q\n", taken.Seconds()/runs, float64(after.Mallocs-before.Mallocs)/runs,
		float64(after.TotalAlloc-before.TotalAlloc)/runs, fmt.Sprint(result))
	return err
}

// processor is the processor time that this process took so far, the collector's
// included.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
