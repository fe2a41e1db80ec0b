package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/ingest"
)

// Exit statuses, as documented.
const (
	done    = 0
	refused = 1 // or failed
	misused = 2 // an unknown command or flag, or a missing argument
)

type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// app is what every command works with.
type app struct {
	streams
	ctx     context.Context
	global  *global
	fromEnv map[string]bool // flags set by the environment
}

// global are the flags of every command.
type global struct {
	DB     string `name:"db" placeholder:"cradle.db" help:"The database: a file path or sqlite:PATH, or postgres://…"`
	Secret string `placeholder:"TEXT" help:"The server's secret, which encrypts test keys and webhook secrets. Prefer the environment variable. Created on first use if not set."`
	JSON   bool   `name:"json" help:"Print exactly one JSON document on standard output."`
}

type cli struct {
	global

	Serve     serveCommand     `cmd:"" help:"Run the service."`
	Demo      demoCommand      `cmd:"" help:"Run the service with a demonstration library and accounts, and print requests to try."`
	User      userCommands     `cmd:"" help:"Add and disable users."`
	Team      teamCommands     `cmd:"" help:"Add teams and manage their members."`
	Credits   creditCommands   `cmd:"" help:"Grant credits and show the ledger."`
	Key       keyCommands      `cmd:"" help:"Create, list and revoke API keys."`
	Webhook   webhookCommands  `cmd:"" help:"Manage webhook endpoints, and show and resend deliveries."`
	Listen    listenCommand    `cmd:"" help:"Forward a team's events to a local address, for development."`
	Import    importCommand    `cmd:"" help:"Import a library into the catalogue."`
	Calculate calculateCommand `cmd:"" help:"Calculate the impact rows again."`
	Explain   explainCommand   `cmd:"" help:"Show what contributes to the impacts of a process."`
	Export    exportCommand    `cmd:"" help:"Export the catalogue, or what a team has pulled, as a bundle or for other programs."`
	Logs      logsCommand      `cmd:"" help:"Show the request log."`
	Backup    backupCommand    `cmd:"" help:"Back up a SQLite database, even while it is in use."`
	Check     checkCommand     `cmd:"" help:"Check the database's integrity."`
	Version   versionCommand   `cmd:"" help:"Show the version."`
}

func (cli) Help() string {
	return `Examples:

    cradle demo
    cradle import library/
    cradle serve --db cradle.db`
}

// run is the whole program: it runs the command in args and returns the exit
// status.
func run(ctx context.Context, args []string, io streams, env func(string) (string, bool)) (status int) {
	var c cli
	a := &app{streams: io, ctx: ctx, global: &c.global}
	defer recoverExit(&status)
	parser, err := newParser(&c, a, env)
	if err != nil {
		return a.fail(err)
	}
	selected, err := parser.Parse(negativesApart(parser.Model, args))
	if err != nil {
		return a.fail(err)
	}
	a.fromEnv = fromEnvironment(selected)
	if err := selected.Run(); err != nil {
		return a.fail(err)
	}
	return done
}

// exited carries a status out of the parser, which would exit after printing
// help.
type exited int

func recoverExit(status *int) {
	if r := recover(); r != nil {
		code, ok := r.(exited)
		if !ok {
			panic(r)
		}
		*status = int(code)
	}
}

func newParser(c *cli, a *app, env func(string) (string, bool)) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("cradle"),
		kong.Description("Publishes life-cycle inventory data. Values are hidden until a team pulls them for credits."),
		kong.Writers(a.out, a.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Bind(a),
		kong.Vars{"event_types": strings.Join(event.Types, ", ")},
		kong.Resolvers(environment(env)),
		kong.ValueFormatter(withVariable),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		boolValues,
	)
}

// fail prints an error and returns the status for it.
func (a *app) fail(err error) int {
	var usage *kong.ParseError
	if errors.As(err, &usage) && isMisuse(usage) {
		fmt.Fprintf(a.err, "cradle: %s\n", sentence(misuse(usage)))
		return misused
	}
	var variable *variableError
	if errors.As(err, &variable) {
		err = variable // drops the flag's name that the parser prepends
	}
	var told alreadyTold
	if errors.As(err, &told) {
		return refused
	}
	var list *ingest.Errors
	if errors.As(err, &list) {
		fmt.Fprintln(a.err, list)
		return refused
	}
	if a.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	text := withoutCommand(oneLine(err.Error()), usage)
	if fault.As(err) == nil { // a fault's message may begin with a field's name
		text = sentence(text)
	}
	fmt.Fprintf(a.err, "cradle: %s\n", text)
	return refused
}

// sentence capitalises a message like those of faults, unless its first word is
// a name.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if text == "" || strings.ContainsFunc(first, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// isMisuse reports whether the command line cannot be understood, as opposed to
// having invalid values.
func isMisuse(err *kong.ParseError) bool {
	var wrong *valueError
	return err.ExitCode() != 1 && !errors.As(err, &wrong)
}

// misuse tells what was not understood and where to find help.
func misuse(err *kong.ParseError) string {
	text := withoutCommand(err.Error(), err)
	if name, ok := strings.CutPrefix(text, "unexpected argument "); ok && wantsCommand(err.Context) {
		text = "unknown command " + name
	}
	see := "; see "
	if strings.HasSuffix(text, "?") {
		see = " See "
	}
	return text + see + commandOf(err) + " --help"
}

// withoutCommand removes the command, which the parser prepends to some
// messages.
func withoutCommand(text string, err *kong.ParseError) string {
	if err == nil {
		return text
	}
	return strings.TrimPrefix(text, strings.TrimPrefix(commandOf(err), "cradle ")+": ")
}

// wantsCommand reports whether parsing stopped where a command is expected.
func wantsCommand(at *kong.Context) bool {
	return at.Selected() == nil || len(at.Selected().Children) > 0
}

func commandOf(err *kong.ParseError) string {
	if err.Context == nil || err.Context.Selected() == nil {
		return "cradle"
	}
	return err.Context.Selected().FullPath()
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", " ")), " ")
}

// alreadyTold is the failure of a command that has printed what is wrong.
type alreadyTold struct{}

func (alreadyTold) Error() string { return "failed" }
