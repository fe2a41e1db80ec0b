package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

func parserForTest(t *testing.T) *kong.Kong {
	t.Helper()
	var c cli
	parser, err := newParser(&c, &app{global: &c.global}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

func TestEveryCommandShowsAnExample(t *testing.T) {
	var look func(node *kong.Node)
	look = func(node *kong.Node) {
		for _, child := range node.Children {
			look(child)
		}
		if !strings.Contains(node.Detail, "\n    "+node.FullPath()) {
			t.Errorf("the help of %q has no example", node.FullPath())
		}
		if node.Help == "" {
			t.Errorf("%q has no help", node.FullPath())
		}
		for _, flag := range node.Flags {
			if flag.Help == "" {
				t.Errorf("%s of %q has no help", flag.Name, node.FullPath())
			}
		}
	}
	look(parserForTest(t).Model.Node)
}

func TestHelpShowsDefaults(t *testing.T) {
	var look func(node *kong.Node)
	look = func(node *kong.Node) {
		for _, child := range node.Children {
			look(child)
		}
		for _, flag := range node.Flags {
			if flag.HasDefault && flag.FormatPlaceHolder() != flag.Default {
				t.Errorf("%q shows %s, the default is %s", node.FullPath(), flag, flag.Default)
			}
		}
	}
	look(parserForTest(t).Model.Node)
}

func TestNegativeNumberIsNoFlag(t *testing.T) {
	model := parserForTest(t).Model
	for _, c := range []struct{ given, want string }{
		{"credits grant T 5", "credits grant T 5"},
		{"credits grant T -5", "credits grant T -- -5"},
		{"credits grant T -5 --sandbox", "credits grant T --sandbox -- -5"},
		{"credits grant T --sandbox -5", "credits grant T --sandbox -- -5"},
		{"credits grant --reason -3 T -5", "credits grant --reason=-3 T -- -5"},
		{"credits grant T -- -5", "credits grant T -- -5"},
		{"logs --since -5m", "logs --since=-5m"},
		{"version -x", "version -x"},
	} {
		got := negativesApart(model, strings.Fields(c.given))
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q became %q", c.given, strings.Join(got, " "))
		}
	}
}

func TestDurationsMayBeDays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "1h30m": 90 * time.Minute, "7d": 168 * time.Hour,
		"": 0, "d": 0, "-1d": 0, "0": 0, "1w": 0, "999999999d": 0,
	} {
		var d durationValue
		err := d.UnmarshalText([]byte(text))
		if (err == nil) != (want > 0) || time.Duration(d) != want {
			t.Errorf("%q: %v, %v", text, time.Duration(d), err)
		}
	}
}

func TestURLOfAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:80": "http://127.0.0.1:80", "0.0.0.0:8080": "http://127.0.0.1:8080", "[::]:8080": "http://127.0.0.1:8080", "[::1]:1": "http://[::1]:1",
	} {
		if got := localURL(address, false); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
}
