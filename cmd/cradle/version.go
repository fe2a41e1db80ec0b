package main

import (
	"runtime"
	"runtime/debug"
)

// version and commit are set when the binary is built.
var (
	version = "dev"
	commit  = ""
)

type versionCommand struct{}

func (versionCommand) Help() string {
	return `Example:

    cradle version --json`
}

func (versionCommand) Run(a *app) error {
	document := struct {
		Version string `json:"version"`
		Commit  string `json:"commit"`
		Go      string `json:"go"`
	}{version, builtFrom(), runtime.Version()}
	return a.print(document, "cradle %s (%s, %s)", document.Version, document.Commit, document.Go)
}

// builtFrom returns the commit set by the build, else the toolchain's.
func builtFrom() string {
	if commit != "" {
		return commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return "unknown"
}
