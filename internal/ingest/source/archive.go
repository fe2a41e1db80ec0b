package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/flate"
)

const (
	tarMagic    = "ustar"
	tarMagicAt  = 257
	tarMagicEnd = tarMagicAt + len(tarMagic)
)

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) // the second is empty
}

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

func isTar(head []byte) bool {
	return len(head) >= tarMagicEnd && string(head[tarMagicAt:tarMagicEnd]) == tarMagic
}

// openZip opens a zip; a workbook is a single file.
func (l Limits) openZip(name string, f io.ReaderAt, size int64) (*Source, error) {
	src, err := l.unzip(name, f, size)
	if err != nil || !src.isWorkbook() {
		return src, err
	}
	return l.single(filepath.Base(name), f, size)
}

func (l Limits) unzip(name string, f io.ReaderAt, size int64) (*Source, error) {
	s := newSurvey(l, size)
	if err := s.countHeaders(f, size); err != nil {
		return nil, err
	}
	r, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s is a damaged zip: %w", name, err)
	}
	r.RegisterDecompressor(zip.Deflate, flate.NewReader)
	if !s.full(len(r.File)) {
		for _, file := range r.File {
			s.addZipped(file)
		}
	}
	return s.source(name)
}

// countHeaders refuses a zip with too many entries before package zip allocates
// them all. The number that the zip states may be wrong.
func (s *survey) countHeaders(f io.ReaderAt, size int64) error {
	const header, shortest = "PK\x01\x02", 46
	if size/shortest <= int64(s.limits.Entries) {
		return nil
	}
	in, kept, n := io.NewSectionReader(f, 0, size), 0, 0
	buf := make([]byte, 1<<20)
	for {
		read, err := in.Read(buf[kept:])
		n += bytes.Count(buf[:kept+read], []byte(header))
		if s.full(n) {
			return s.errors.Err()
		}
		tail := min(kept+read, len(header)-1)
		copy(buf, buf[kept+read-tail:kept+read])
		kept = tail
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *survey) addZipped(file *zip.File) {
	const encrypted = 0x1
	name := plainName(file.Name)
	if strings.HasSuffix(name, "/") { // a folder
		s.admits(name + "_")
		return
	}
	if !s.admits(name) {
		return
	}
	size, packed := file.UncompressedSize64, max(file.CompressedSize64, 1)
	switch {
	case !file.Mode().IsRegular():
		s.refuse(name, "is not a regular file")
	case file.Flags&encrypted != 0:
		s.refuse(name, "is encrypted")
	case file.Method != zip.Store && file.Method != zip.Deflate:
		s.refuse(name, "uses an unsupported compression (method %d); compress it with deflate", file.Method)
	case size > uint64(s.limits.RatioFrom) && size/packed > uint64(s.limits.Ratio):
		s.refuse(name, "is compressed %d to 1, which is too much for a real file", size/packed)
	default:
		s.add(name, int64(min(size, 1<<62)), file.Open)
	}
}

// openGzip unpacks a gzipped file into a temporary file, so that it can be read
// again and its size is known.
func (l Limits) openGzip(name string, f *os.File, size int64) (*Source, error) {
	spool, err := newSpool()
	if err != nil {
		return nil, err
	}
	src, err := l.unpack(name, f, size, spool)
	if err != nil {
		spool.Close()
		return nil, err
	}
	src.closers = append(src.closers, spool)
	return src, nil
}

func (l Limits) unpack(name string, f *os.File, packed int64, spool *spool) (*Source, error) {
	in, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	}
	limit := min(l.Total, max(l.RatioFrom, packed*l.Ratio))
	size, err := io.Copy(spool, io.LimitReader(in, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	case size > limit:
		return nil, fmt.Errorf("%s contains more than %d bytes, which is too much for a real file of its size", name, limit)
	}
	head := make([]byte, tarMagicEnd)
	n, err := spool.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if isTar(head[:n]) {
		return l.openTar(name, spool.File, size)
	}
	base := filepath.Base(name)
	if ext := filepath.Ext(base); strings.EqualFold(ext, ".gz") {
		base = strings.TrimSuffix(base, ext)
	}
	return l.single(base, spool, size)
}

// A spool is a file that is removed when it is closed.
type spool struct{ *os.File }

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "cradle-import-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // if an open file can be removed, a crash leaves nothing behind
	return &spool{f}, nil
}

func (s *spool) Close() error {
	err := s.File.Close()
	if gone := os.Remove(s.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		return errors.Join(err, gone)
	}
	return err
}

// openTar lists a tar's entries; each is a section of the file.
func (l Limits) openTar(name string, f *os.File, size int64) (*Source, error) {
	s := newSurvey(l, size)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	r := tar.NewReader(f)
	for n := 0; ; n++ {
		header, err := r.Next()
		if err == io.EOF || err == nil && s.full(n) {
			return s.source(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is a damaged tar: %w", name, err)
		}
		at, err := f.Seek(0, io.SeekCurrent) // where the entry's content begins
		if err != nil {
			return nil, err
		}
		s.addTarred(header, f, at)
	}
}

func (s *survey) addTarred(header *tar.Header, f io.ReaderAt, at int64) {
	name := strings.TrimPrefix(plainName(header.Name), "./")
	switch header.Typeflag {
	case tar.TypeXGlobalHeader:
		return
	case tar.TypeDir:
		if name = strings.TrimSuffix(name, "/"); name != "" {
			s.admits(name + "/_")
		}
		return
	}
	if !s.admits(name) {
		return
	}
	if header.Typeflag != tar.TypeReg || isSparse(header) {
		s.refuse(name, "is not a regular file")
		return
	}
	s.add(name, header.Size, section(f, at, header.Size))
}

func isSparse(header *tar.Header) bool {
	for key := range header.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}
