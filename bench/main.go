// Command bench measures Cradle as its users see it: the built binary, over
// HTTP, on both engines, beside the peers it is compared with, all in one run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"cradle/bench/byhand"
	"cradle/bench/peer"
	"cradle/bench/tables"
)

func main() {
	if err := choose(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// choose runs the bench, or one of the peers as which it starts itself.
func choose(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "bare":
		return peer.Bare(args[1], args[2])
	case len(args) == 3 && args[0] == "pocketbase":
		return peer.PocketBase(args[1], args[2])
	case len(args) == 2 && args[0] == "gqlgen":
		return peer.GQLGen(args[1])
	case len(args) >= 3 && args[0] == "table":
		return tables.Cradle(args[1:])
	case len(args) == 5 && args[0] == "part":
		return byhand.Run(args[1:])
	}
	p, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, p)
}

// plan is what is measured, how large and how long.
type plan struct {
	Materials int // of the library that is listed and pulled from
	Processes int
	Names     int   // of the library that is searched
	FewNames  int   // of the one that it is compared with
	Hooked    int   // materials of the library whose pulls are delivered
	Held      int   // deliveries released at once
	Finished  int   // finished deliveries beside them
	Columns   int   // processes of the technosphere that is calculated
	Tables    []int // indicators of its tables
	Growth    []int // processes of technospheres that are compared with one another
	Rounds    int
	Duration  time.Duration // of one contestant in one round
	Warmup    time.Duration
	Starts    int

	Sections map[string]bool
	Root     string // the repository
	Profiles string // where profiles go, "" for none
	Record   string // the document that the figures go into, "" for none
}

var sections = []string{"start", "lists", "graphql", "pulls", "search", "webhooks", "calculation", "byhand"}

func parse(args []string) (plan, error) {
	p := plan{
		Materials: 100_000, Processes: 20_000, Names: 1_000_000, FewNames: 10_000, Hooked: 30_000, Held: 10_000, Finished: 1_000_000,
		Rounds: 5, Duration: 2 * time.Second, Warmup: 300 * time.Millisecond, Starts: 5, Sections: map[string]bool{},
		Columns: 20_000, Tables: []int{20, 100, 700}, Growth: []int{2_000, 20_000, 100_000},
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "measure smaller libraries for a shorter time, to try the bench out")
	only := flags.String("only", strings.Join(sections, ","), "the `sections` to measure")
	flags.StringVar(&p.Root, "root", "..", "the repository's `folder`")
	flags.StringVar(&p.Profiles, "profiles", "", "write processor profiles of Cradle into this `folder`; they cost a little speed")
	flags.StringVar(&p.Record, "record", "", "write the figures into this `document` too")
	flags.IntVar(&p.Rounds, "rounds", p.Rounds, "how `often` each contestant has its turn")
	flags.DurationVar(&p.Duration, "duration", p.Duration, "how `long` a turn is")
	if err := flags.Parse(args); err != nil {
		return p, err
	}
	if flags.NArg() > 0 {
		return p, fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	if *quick {
		p.Materials, p.Processes, p.Names, p.FewNames = 10_000, 2_000, 100_000, 1_000
		p.Held, p.Finished = 4_000, 200_000
		p.Columns, p.Tables, p.Growth = 5_000, []int{20, 100}, []int{2_000, 5_000}
		p.Rounds, p.Duration, p.Starts = 2, time.Second, 2
	}
	for name := range strings.SplitSeq(*only, ",") {
		p.Sections[name] = true
	}
	return p, p.check()
}

func (p plan) check() error {
	known := 0
	for _, name := range sections {
		if p.Sections[name] {
			known++
		}
	}
	if known != len(p.Sections) {
		return fmt.Errorf("-only: the sections are %s", strings.Join(sections, ", "))
	}
	if p.Rounds < 1 || p.Duration <= 0 {
		return errors.New("-rounds and -duration must be positive")
	}
	return nil
}
