package main

import (
	"bytes"
	"errors"
	"os"
)

// The output of the last recorded run is between these lines of a document.
const (
	recordBegins = "<!-- figures: written by make bench -->\n"
	recordEnds   = "<!-- end of figures -->\n"
)

// record replaces the figures in a document.
func record(document string, figures []byte) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	before, rest, begins := bytes.Cut(text, []byte(recordBegins))
	_, after, ends := bytes.Cut(rest, []byte(recordEnds))
	if !begins || !ends {
		return errors.New(document + " has no place for figures")
	}
	written := bytes.Join([][]byte{before, []byte(recordBegins), figures, []byte(recordEnds), after}, nil)
	return os.WriteFile(document, written, 0o644)
}
