package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// engine is where openLCA's engine is built, with what it needs.
var engine = filepath.Join(workspace, "openlca")

// openLCA lets openLCA's own engine calculate the JSON-LD exports, and the
// libraries' original files.
func openLCA(exports []export) error {
	if err := buildEngine(); err != nil {
		return err
	}
	var failed error
	for _, e := range exports {
		got, err := engineScores(e.path("openlca"), e.path("openlca.zip"))
		if err != nil {
			return err
		}
		want, err := cradleScores(e.path("bundle"))
		if err != nil {
			return err
		}
		failed = errors.Join(failed, compare("openLCA, JSON-LD of "+e.name, want, got))
	}
	return errors.Join(failed, openLCAOriginals(exports))
}

// buildEngine gets openLCA from Maven Central, unless it is already there.
func buildEngine() error {
	for _, tool := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is missing; run scripts/setup --interop", tool)
		}
	}
	build := []string{"--quiet", "--batch-mode", "--file", "interop/openlca/pom.xml", "package"}
	if command("mvn", append(build, "--offline")...) == nil {
		return nil
	}
	if err := command("mvn", build...); err != nil {
		return fmt.Errorf("openLCA cannot be had from Maven Central: %w", err)
	}
	return nil
}

// engineScores lets the engine import packs and calculate every process. It
// leaves its tables in a folder.
func engineScores(folder string, packs ...string) (scores, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(engine, "lib", "*") + ":" + filepath.Join(engine, "classes")
	// An import is too short for the optimising compiler to pay off.
	java := append([]string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path, "-Dderby.stream.error.file=" + filepath.Join(engine, "derby.log"), "Scores", folder}, packs...)
	if err := command("java", java...); err != nil {
		return nil, err
	}
	return foreignScores(filepath.Join(folder, "scores.csv"))
}
