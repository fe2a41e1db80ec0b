package main

import (
	"fmt"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest/source"
)

// readMappings reads the files given with --mapping.
func readMappings(paths []string) ([]flowmatch.Mapping, error) {
	var all []flowmatch.Mapping
	for _, path := range paths {
		some, err := readMapping(path)
		if err != nil {
			return nil, fmt.Errorf("--mapping: %s: %w", path, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

func readMapping(path string) ([]flowmatch.Mapping, error) {
	src, err := source.Open(path)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if len(src.Entries) != 1 {
		return nil, fmt.Errorf("it must be a single file, but contains %s", src.Seen())
	}
	text, err := src.Entries[0].Text()
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return flowmatch.ReadMappings(text)
}
