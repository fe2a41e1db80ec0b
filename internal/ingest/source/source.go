// Package source opens the path of an import: a folder, a zip, a tar, a gzipped
// or a single file, always as one list of entries. It detects an entry's content
// from its first bytes, and the encoding of its text, and protects against
// hostile or mistaken files that would take hours to read.
package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Source is an opened path. Its entries can be read any number of times and
// concurrently, until it is closed.
type Source struct {
	Path    string   // as given
	Entries []*Entry // by name, without files that operating systems leave behind
	Size    int64    // of all entries, unpacked
	Passed  Passed   // what was left out

	raw     []byte // of an archive within an entry, for its digest
	archive string // the file that holds the entries, "" if they are files themselves
	closers []io.Closer
}

// Passed counts the files and folders that operating systems and tools leave
// beside a library, such as .DS_Store and __MACOSX.
type Passed struct {
	Count int
	First string // the name of one of them
}

// An Entry is one file of a source.
type Entry struct {
	Name string // within the source, with slashes; use Printable to show it in a terminal
	Size int64  // of its content, unpacked; no more can be read

	open    func() (io.ReadCloser, error)
	limits  Limits
	once    sync.Once
	content Content
	failure error // of sniffing
}

// Open opens the source at path with the default limits. Reasons to refuse it
// are returned as *ingest.Errors.
func Open(path string) (*Source, error) { return DefaultLimits.Open(path) }

// OpenFS opens a file system like a folder.
func OpenFS(folder fs.FS) (*Source, error) { return DefaultLimits.openFolder(".", folder) }

// Open opens the source at path.
func (l Limits) Open(path string) (*Source, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return l.openPath(path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is neither a folder nor a file", path)
	}
	return l.openFile(path)
}

func (l Limits) openPath(path string) (*Source, error) {
	root, err := os.OpenRoot(path) // links cannot lead out of it
	if err != nil {
		return nil, err
	}
	src, err := l.openFolder(path, root.FS())
	if err != nil {
		root.Close()
		return nil, err
	}
	src.closers = append(src.closers, root)
	return src, nil
}

// openFile opens a file according to its first bytes.
func (l Limits) openFile(path string) (*Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	src, err := l.openPacked(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	src.Path, src.archive = path, path
	src.closers = append(src.closers, f)
	return src, nil
}

func (l Limits) openPacked(path string, f *os.File) (*Source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, tarMagicEnd)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	head = head[:n]
	switch {
	case isZip(head) || strings.EqualFold(filepath.Ext(path), ".zip"):
		return l.openZip(path, f, info.Size())
	case isGzip(head):
		return l.openGzip(path, f, info.Size())
	case isTar(head):
		return l.openTar(path, f, info.Size())
	}
	return l.single(filepath.Base(path), f, info.Size())
}

// single is a source of one file.
func (l Limits) single(name string, f io.ReaderAt, size int64) (*Source, error) {
	s := newSurvey(l, size)
	s.add(name, size, section(f, 0, size))
	return s.source(name)
}

func section(f io.ReaderAt, from, size int64) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(f, from, size)), nil }
}

// Close closes the source's files, including entries that are still open.
func (s *Source) Close() error {
	var errs []error
	for _, c := range slices.Backward(s.closers) {
		errs = append(errs, c.Close())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// Digest identifies the content of a source: for an archive the digest of its
// bytes, for a folder that of its files' names and contents.
func (s *Source) Digest(ctx context.Context) (string, error) {
	h := sha256.New()
	copyAll := func(in io.Reader) error {
		_, err := io.Copy(h, withContext(ctx, in))
		return err
	}
	switch {
	case s.raw != nil:
		h.Write(s.raw)
	case s.archive != "":
		f, err := os.Open(s.archive)
		if err != nil {
			return "", err
		}
		defer f.Close()
		if err := copyAll(f); err != nil {
			return "", err
		}
	default:
		for _, e := range s.Entries {
			fmt.Fprintf(h, "%d %s %d\n", len(e.Name), e.Name, e.Size)
			in, err := e.Open()
			if err != nil {
				return "", err
			}
			err = copyAll(in)
			in.Close()
			if err != nil {
				return "", fmt.Errorf("read %s: %w", Printable(e.Name), err)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Open opens the entry's content. No more than its size can be read.
func (e *Entry) Open() (io.ReadCloser, error) {
	in, err := e.open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", Printable(e.Name), err)
	}
	return &bounded{ReadCloser: in, left: e.Size}, nil
}

// ReadAll returns the entry's content. It refuses more than max bytes.
func (e *Entry) ReadAll(max int64) ([]byte, error) {
	if e.Size > max {
		return nil, fmt.Errorf("%s is larger than %d bytes", Printable(e.Name), max)
	}
	in, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content := bytes.NewBuffer(make([]byte, 0, e.Size+bytes.MinRead))
	if _, err := content.ReadFrom(in); err != nil {
		return nil, fmt.Errorf("read %s: %w", Printable(e.Name), err)
	}
	return content.Bytes(), nil
}

// Base is the last element of the entry's name.
func (e *Entry) Base() string { return path.Base(e.Name) }

// Folder is the name of the entry's folder, "" at the top.
func (e *Entry) Folder() string {
	if folder := path.Base(path.Dir(e.Name)); folder != "." {
		return folder
	}
	return ""
}

// Ext is the ending of the entry's name in lower case: ".json".
func (e *Entry) Ext() string { return strings.ToLower(path.Ext(e.Name)) }
