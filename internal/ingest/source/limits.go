package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"cradle/internal/ingest"
)

// Limits protect against a hostile or mistaken source that would take hours to
// read or fill the memory. They also apply while entries are read.
type Limits struct {
	Entry     int64 // bytes of one entry
	Total     int64 // bytes of all entries
	Entries   int   // number of entries
	Ratio     int64 // how many times smaller entries may be in an archive…
	RatioFrom int64 // …when they are larger than this
	Name      int   // bytes of an entry's name
	Depth     int   // folders in it
}

// DefaultLimits leave room for the largest known libraries.
var DefaultLimits = Limits{
	Entry: 4 << 30, Total: 16 << 30, Entries: 300_000, Ratio: 200, RatioFrom: 64 << 20, Name: 1_000, Depth: 32,
}

// errMore means that a file has grown, or that an archive states a wrong size.
var errMore = errors.New("is larger than the archive states")

// bounded reads at most an entry's size.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errMore
	}
	return n, damage(err)
}

// A survey collects the entries of a source, and errors.
type survey struct {
	limits  Limits
	packed  int64 // bytes of the file that holds the entries, 0 if each is its own file
	total   int64
	entries []*Entry
	names   map[string]bool
	passed  Passed
	errors  ingest.Errors
}

func newSurvey(limits Limits, packed int64) *survey {
	return &survey{limits: limits, packed: packed, names: map[string]bool{}}
}

func (s *survey) refuse(name, format string, args ...any) {
	s.errors.Add(ingest.Error{File: Printable(name), Message: fmt.Sprintf(format, args...)})
}

// admits reports whether an entry with the name is read, and refuses invalid
// names.
func (s *survey) admits(name string) bool {
	switch {
	case isLeftBehind(name):
		if s.passed.Count++; s.passed.Count == 1 {
			s.passed.First = strings.TrimSuffix(name, "/_")
		}
		return false
	case len(name) > s.limits.Name:
		s.refuse(name[:50]+"…", "the name is longer than %d bytes", s.limits.Name)
	case !isInside(name):
		s.refuse(name, "the path of the entry points outside the library")
	case strings.Count(name, "/") > s.limits.Depth:
		s.refuse(name, "is more than %d folders deep", s.limits.Depth)
	case s.names[name]:
		s.refuse(name, "appears twice in the archive")
	default:
		return true
	}
	return false
}

var drive = regexp.MustCompile(`^[A-Za-z]:`)

func isInside(name string) bool { return fs.ValidPath(name) && name != "." && !drive.MatchString(name) }

// isLeftBehind reports whether a file is one that operating systems and tools
// put beside a library.
func isLeftBehind(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != "." && part != ".." || part == "__MACOSX" {
			return true
		}
	}
	base := path.Base(name)
	return base == "Thumbs.db" || base == "desktop.ini"
}

// add adds an admitted entry.
func (s *survey) add(name string, size int64, open func() (io.ReadCloser, error)) {
	if size > s.limits.Entry {
		s.refuse(name, "is larger than %d bytes; split the library", s.limits.Entry)
		return
	}
	s.names[name] = true
	s.total += size
	s.entries = append(s.entries, &Entry{Name: name, Size: size, open: open, limits: s.limits})
}

// full reports whether there are too many entries, and refuses them.
func (s *survey) full(n int) bool {
	if n <= s.limits.Entries {
		return false
	}
	s.refuse("", "there are more than %d files; split the library", s.limits.Entries)
	return true
}

func (s *survey) source(path string) (*Source, error) {
	if s.total > s.limits.Total {
		s.refuse("", "all files together are larger than %d bytes; split the library", s.limits.Total)
	}
	// Entries of an archive may overlap, so that each one looks harmless.
	if ratio := s.total / max(s.packed, 1); s.packed > 0 && s.total > s.limits.RatioFrom && ratio > s.limits.Ratio {
		s.refuse("", "the library is compressed %d to 1, which is too much for a real one", ratio)
	}
	if err := s.errors.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(s.entries, func(a, b *Entry) int { return strings.Compare(a.Name, b.Name) })
	return &Source{Path: path, Entries: s.entries, Size: s.total, Passed: s.passed}, nil
}

// Printable removes control characters, which must not reach a terminal.
func Printable(name string) string {
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}

// plainName decodes a name in an archive: old zips use the encoding of their
// time, and those made on Windows may have backslashes.
func plainName(name string) string {
	if !utf8.ValidString(name) {
		name, _ = charmap.CodePage437.NewDecoder().String(name)
	}
	return strings.ReplaceAll(name, `\`, "/")
}
