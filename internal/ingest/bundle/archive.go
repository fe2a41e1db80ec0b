package bundle

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/ingest"
)

// A file is one of a bundle's CSV files, wherever it lies.
type file struct {
	size int64
	open func() (io.ReadCloser, error)
}

// limits keep a hostile or mistaken file from being read for hours. Memory does
// not depend on them.
type limits struct {
	fileSize  int64 // bytes of one CSV file
	entries   int   // of a zip
	ratio     int64 // how many times smaller a file may be in a zip…
	ratioFrom int64 // …when it is larger than this
}

var defaultLimits = limits{fileSize: 4 << 30, entries: 10_000, ratio: 200, ratioFrom: 64 << 20}

// maxUnknown is how many unknown files are named; the rest is counted.
const maxUnknown = 100

// find looks for the files of a bundle at path; it may find none.
func find(path string, limits limits) (*Bundle, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return findInFolder(os.DirFS(path), limits)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a folder nor a file", path)
	}
	zipped, err := isZip(path)
	if err != nil {
		return nil, err
	}
	if zipped || isZipName(path) {
		return findInZip(path, limits)
	}
	s := newSurvey(limits)
	if name := filepath.Base(path); isBundleFile(name) {
		s.addFile(name, path, info.Size())
	} else {
		s.unknown(name)
	}
	return s.bundle(nil)
}

func isZip(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var magic [4]byte
	n, err := io.ReadFull(f, magic[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	switch string(magic[:n]) {
	case "PK\x03\x04", "PK\x05\x06": // the second is a zip with nothing in it
		return true, nil
	}
	return false, nil
}

func findInFolder(folder fs.FS, limits limits) (*Bundle, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	s := newSurvey(limits)
	for _, e := range entries {
		if !isBundleFile(e.Name()) {
			s.unknown(e.Name())
			continue
		}
		info, err := fs.Stat(folder, e.Name())
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			s.refuse(e.Name(), "is not a regular file")
			continue
		}
		s.add(e.Name(), info.Size(), func() (io.ReadCloser, error) { return folder.Open(e.Name()) })
	}
	return s.bundle(nil)
}

func findInZip(name string, limits limits) (*Bundle, error) {
	r, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s is a damaged zip: %w", name, err)
	}
	b, err := surveyZip(&r.Reader, r, limits)
	if err != nil {
		r.Close()
		return nil, err
	}
	return b, nil
}

func surveyZip(r *zip.Reader, closer io.Closer, limits limits) (*Bundle, error) {
	s := newSurvey(limits)
	if len(r.File) > limits.entries {
		s.refuse("", fmt.Sprintf("the zip has %d entries; a bundle has eleven files", len(r.File)))
		return s.bundle(closer)
	}
	top := s.topFolder(r.File)
	for _, entry := range r.File {
		folder, base := path.Split(entry.Name)
		switch {
		case base == "": // a folder
		case !isInside(entry.Name):
			s.refuse(printable(entry.Name), "the path of the zip entry leads out of the bundle")
		case folder == top && isBundleFile(base):
			s.addEntry(base, entry)
		default:
			s.unknown(entry.Name)
		}
	}
	return s.bundle(closer)
}

func isInside(name string) bool {
	return fs.ValidPath(name) && filepath.IsLocal(name) && !strings.Contains(name, `\`)
}

// A survey collects what is found of a bundle, good and bad.
type survey struct {
	limits   limits
	files    map[string]file
	warnings []ingest.Warning
	unnamed  int // unknown files beyond maxUnknown
	errors   ingest.Errors
}

func newSurvey(limits limits) *survey {
	return &survey{limits: limits, files: make(map[string]file)}
}

func (s *survey) bundle(closer io.Closer) (*Bundle, error) {
	if err := s.errors.Err(); err != nil {
		return nil, err
	}
	if s.unnamed > 0 {
		s.warnings = append(s.warnings, ingest.Warning{
			Message: fmt.Sprintf("%d more files are not part of a bundle and are ignored", s.unnamed)})
	}
	return &Bundle{files: s.files, warnings: s.warnings, closer: closer}, nil
}

func (s *survey) refuse(file, message string) {
	s.errors.Add(ingest.Error{File: file, Message: message})
}

// unknown warns of a file that no table describes. What operating systems
// leave behind holds nothing that could be missed.
func (s *survey) unknown(name string) {
	if strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "__MACOSX/") {
		return
	}
	if len(s.warnings) == maxUnknown {
		s.unnamed++
		return
	}
	s.warnings = append(s.warnings, ingest.Warning{
		File: printable(name), Message: "is not part of a bundle and is ignored"})
}

func (s *survey) addFile(name, path string, size int64) {
	s.add(name, size, func() (io.ReadCloser, error) { return os.Open(path) })
}

func (s *survey) addEntry(name string, entry *zip.File) {
	const encrypted = 0x1
	size, packed := entry.UncompressedSize64, max(entry.CompressedSize64, 1)
	switch {
	case !entry.Mode().IsRegular():
		s.refuse(name, "is not a regular file")
	case entry.Flags&encrypted != 0:
		s.refuse(name, "is encrypted")
	case size > uint64(s.limits.ratioFrom) && size/packed > uint64(s.limits.ratio):
		s.refuse(name, fmt.Sprintf("is packed %d to 1, which no real table is", size/packed))
	default:
		// A larger size than declared is an error of package zip as it is read.
		s.add(name, int64(min(size, 1<<62)), entry.Open)
	}
}

func (s *survey) add(name string, size int64, open func() (io.ReadCloser, error)) {
	if size > s.limits.fileSize {
		s.refuse(name, fmt.Sprintf("is larger than %d bytes; split the library", s.limits.fileSize))
		return
	}
	if _, twice := s.files[name]; twice {
		s.refuse(name, "is in the zip twice")
		return
	}
	s.files[name] = file{size: size, open: open}
}

// topFolder returns the folder of the zip that holds the bundle, with its
// slash: "" where the files lie at the top.
func (s *survey) topFolder(entries []*zip.File) string {
	var folders []string
	for _, e := range entries {
		folder, base := path.Split(e.Name)
		if isBundleFile(base) && strings.Count(folder, "/") <= 1 && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	if len(folders) == 0 || slices.Contains(folders, "") {
		return ""
	}
	if len(folders) > 1 {
		s.refuse("", "the zip holds more than one bundle, in "+printable(strings.Join(folders, ", ")))
	}
	return folders[0]
}

// printable keeps control characters of a name away from terminals.
func printable(name string) string {
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}
