package bundle

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

// A file is one of a bundle's CSV files.
type file struct {
	size int64
	open func() (io.ReadCloser, error)
}

// maxUnknown is how many unknown files are listed; the rest are only counted.
const maxUnknown = 100

// find looks for the files of a bundle in a source; it may find none.
func find(src *source.Source) (*Bundle, error) {
	b := &Bundle{files: map[string]file{}, closer: src}
	top, err := topFolder(src.Entries)
	if err != nil {
		return nil, err
	}
	unnamed := 0
	for _, e := range src.Entries {
		switch folder, base := path.Split(e.Name); {
		case folder == top && isBundleFile(base):
			b.files[base] = file{size: e.Size, open: e.Open}
		case len(b.warnings) == maxUnknown:
			unnamed++
		default:
			b.warn(source.Printable(e.Name), "is not part of a bundle and is ignored")
		}
	}
	if unnamed > 0 {
		b.warn("", fmt.Sprintf("%d more files are not part of a bundle and are ignored", unnamed))
	}
	return b, nil
}

func (b *Bundle) warn(file, message string) {
	b.warnings = append(b.warnings, ingest.Warning{File: file, Message: message})
}

// topFolder returns the folder with the bundle, with its slash: "" if the files
// are at the top.
func topFolder(entries []*source.Entry) (string, error) {
	var folders []string
	for _, e := range entries {
		folder, base := path.Split(e.Name)
		if isBundleFile(base) && strings.Count(folder, "/") <= 1 && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	if len(folders) == 0 || slices.Contains(folders, "") {
		return "", nil
	}
	if len(folders) > 1 {
		return "", fmt.Errorf("there is more than one bundle, in %s", source.Printable(strings.Join(folders, ", ")))
	}
	return folders[0], nil
}
