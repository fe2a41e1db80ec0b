//go:build unix

// With-postgres runs a command with a temporary PostgreSQL server, whose URL is
// in CRADLE_TEST_POSTGRES. It exits with the command's status.
//
//	with-postgres [--durable] command [argument…]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"cradle/internal/pgtest"
)

func main() {
	durable := flag.Bool("durable", false, "keep fsync on, as in production")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: with-postgres [--durable] command [argument…]")
		os.Exit(2)
	}
	status, err := run(*durable, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "with-postgres:", err)
		status = 1
	}
	os.Exit(status)
}

func run(durable bool, args []string) (status int, err error) {
	if os.Getenv(pgtest.Env) != "" {
		fmt.Fprintln(os.Stderr, "with-postgres: using the server named by", pgtest.Env)
		return runCommand(args)
	}
	var options []pgtest.Option
	if durable {
		options = append(options, pgtest.Durable())
	}
	cluster, err := pgtest.StartCluster(options...)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	if err := os.Setenv(pgtest.Env, cluster.DSN()); err != nil {
		return 0, err
	}
	fmt.Fprintln(os.Stderr, "with-postgres: started a PostgreSQL server at", cluster.DSN())
	return runCommand(args)
}

// runCommand forwards signals, so that the server outlives the command and not
// the reverse.
func runCommand(args []string) (status int, err error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	return 0, err
}
