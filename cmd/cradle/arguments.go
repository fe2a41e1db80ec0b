package main

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

var negativeNumber = regexp.MustCompile(`^-\.?[0-9]`)

// negativesApart rewrites a command line so that -5 is a number and not a flag:
// as the value of the flag it follows, or after -- as the last argument.
func negativesApart(model *kong.Application, args []string) []string {
	takesValue := valueFlags(model.Node)
	var flags, numbers []string
	for i, arg := range args {
		switch {
		case arg == "--":
			return append(append(append(flags, "--"), numbers...), args[i+1:]...)
		case !negativeNumber.MatchString(arg):
			flags = append(flags, arg)
		case i > 0 && takesValue[args[i-1]]:
			flags[len(flags)-1] += "=" + arg
		default:
			numbers = append(numbers, arg)
		}
	}
	if len(numbers) == 0 {
		return flags
	}
	return append(append(flags, "--"), numbers...)
}

// valueFlags are the flags that take a value.
func valueFlags(node *kong.Node) map[string]bool {
	flags := map[string]bool{}
	for _, f := range node.Flags {
		if !f.IsBool() {
			flags["--"+f.Name] = true
		}
	}
	for _, child := range node.Children {
		for name := range valueFlags(child) {
			flags[name] = true
		}
	}
	return flags
}

// variable is the environment variable that mirrors a flag.
func variable(flag string) string {
	return "CRADLE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment gives flags that are not on the command line the value of their
// variable. An empty variable counts as unset; errors name the variable.
func environment(lookup func(string) (string, bool)) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		value, ok := lookup(variable(flag.Name))
		if !ok || value == "" || flag.Name == "help" {
			return nil, nil
		}
		if err := wrongFor(flag, value); err != nil {
			return nil, &variableError{variable(flag.Name), err}
		}
		return value, nil
	})
}

// variableError is an invalid value of a variable.
type variableError struct {
	name  string
	cause error
}

func (e *variableError) Error() string { return e.name + ": " + e.cause.Error() }

// wrongFor returns why a flag cannot have a value.
func wrongFor(flag *kong.Flag, value string) error {
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	unused := reflect.New(flag.Target.Type()).Elem()
	return flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, unused)
}

// fromEnvironment are the flags set by their variable.
func fromEnvironment(parsed *kong.Context) map[string]bool {
	flags := map[string]bool{}
	for _, p := range parsed.Path {
		if p.Resolved {
			flags[p.Flag.Name] = true
		}
	}
	return flags
}

// named is how a flag was given: by its variable if the value is from there.
func (a *app) named(flag string) string {
	if a.fromEnv[flag] {
		return variable(flag)
	}
	return "--" + flag
}

// withVariable adds a flag's variable to its help.
func withVariable(value *kong.Value) string {
	if value.Flag == nil || value.Name == "help" {
		return value.Help
	}
	return strings.TrimSuffix(value.Help, ".") + " ($" + variable(value.Name) + ")."
}
