package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type file struct{ name, text string }

var library = []file{{"a.csv", "name\n"}, {"processes/b.json", `{"@id": 1}`}}

func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func folder(t testing.TB, files ...file) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func zipOf(t testing.TB, files ...file) []byte {
	t.Helper()
	return zipAs(t, func(*zip.FileHeader) {}, files...)
}

func zipAs(t testing.TB, mark func(*zip.FileHeader), files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		mark(header)
		w, err := z.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, f.text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		text := h.Linkname
		if h.Typeflag == tar.TypeReg {
			h.Size, h.Linkname = int64(len(text)), ""
		} else {
			text = ""
		}
		h.Mode = 0o600
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// regular is a tar's file; tarOf takes its text from the field for link targets.
func regular(f file) tar.Header {
	return tar.Header{Name: f.name, Typeflag: tar.TypeReg, Linkname: f.text}
}

func gzipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(content)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func contents(t testing.TB, src *Source) []file {
	t.Helper()
	var all []file
	for _, e := range src.Entries {
		text, err := e.ReadAll(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, file{e.Name, string(text)})
	}
	return all
}

func TestOpenFindsTheSameEverywhere(t *testing.T) {
	tarred := tarOf(t, tar.Header{Name: "processes/", Typeflag: tar.TypeDir}, regular(library[1]), regular(library[0]))
	for name, path := range map[string]string{
		"folder":                 folder(t, library...),
		"folder of a Mac":        folder(t, append(library, file{".DS_Store", "x"}, file{"processes/._b.json", "x"}, file{".git/a.csv", "x"})...),
		"zip":                    write(t, "library.data", zipOf(t, library...)),
		"zip of a Mac":           write(t, "library.zip", zipOf(t, append(library, file{"__MACOSX/._a.csv", "x"}, file{"processes/", ""})...)),
		"zip of old Windows":     write(t, "library.zip", zipOf(t, library[0], file{`processes\b.json`, library[1].text})),
		"tar":                    write(t, "library", tarred),
		"tar.gz":                 write(t, "library.tgz", gzipped(t, tarred)),
		"tar with leading ./":    write(t, "library.tar", tarOf(t, regular(file{"./a.csv", library[0].text}), regular(library[1]))),
		"gzip of several pieces": write(t, "library.tgz", append(gzipped(t, tarred[:700]), gzipped(t, tarred[700:])...)),
	} {
		t.Run(name, func(t *testing.T) {
			src, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			for range 2 { // entries can be read again
				if got := contents(t, src); !slices.Equal(got, library) {
					t.Errorf("got %v, want %v", got, library)
				}
			}
			if src.Size != 15 {
				t.Errorf("size %d", src.Size)
			}
		})
	}
}

func TestOpenSingleFile(t *testing.T) {
	for name, c := range map[string]struct {
		path, want string
	}{
		"plain":    {write(t, "a.csv", []byte("name\n")), "a.csv"},
		"gzipped":  {write(t, "a.csv.gz", gzipped(t, []byte("name\n"))), "a.csv"},
		"workbook": {write(t, "a.xlsx", workbook(t)), "a.xlsx"},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := Open(c.path)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			if len(src.Entries) != 1 || src.Entries[0].Name != c.want {
				t.Errorf("got %v", src.Entries)
			}
		})
	}
}

func workbook(t testing.TB) []byte {
	return zipOf(t, file{"[Content_Types].xml", "<Types/>"}, file{"xl/workbook.xml", "<workbook/>"})
}

func linked(t *testing.T, to string) string {
	t.Helper()
	dir := folder(t, library...)
	if err := os.Symlink(to, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpenFollowsLinksWithinTheFolder(t *testing.T) {
	src, err := Open(linked(t, "processes/b.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if got := contents(t, src); len(got) != 3 || got[1] != (file{"link", library[1].text}) {
		t.Errorf("got %v", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	small := Limits{Entry: 1_000, Total: 3_000, Entries: 20, Ratio: 10, RatioFrom: 100, Name: 100, Depth: 4}
	secret := write(t, "secret", []byte("x"))
	asZip := func(files ...file) string { return write(t, "library", zipOf(t, files...)) }
	marked := func(mark func(*zip.FileHeader)) string {
		return write(t, "library", zipAs(t, mark, file{"a.csv", ""}))
	}
	asTar := func(h tar.Header) string { return write(t, "library", tarOf(t, h)) }
	for _, c := range []struct{ name, path, want string }{
		{"nothing there", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"a device", os.DevNull, "is neither a folder nor a file"},
		{"broken zip", write(t, "a", []byte("PK\x03\x04")), "is a damaged zip: "},
		{"no zip by the name of one", write(t, "a.zip", nil), "is a damaged zip: "},
		{"broken gzip", write(t, "a.gz", []byte("\x1f\x8bxxxxxxxxxxxxxxx")), "is damaged: "},
		{"gzip cut short", write(t, "a.gz", gzipped(t, []byte("name"))[:15]), "is damaged: "},
		{"broken tar", write(t, "a.tar", append(tarOf(t, regular(library[0]))[:600], make([]byte, 500)...)), "is a damaged tar: "},
		{"path out of the zip", asZip(file{"../a.csv", ""}), "../a.csv: the path of the entry points outside"},
		{"a folder out of the zip", asZip(file{"../", ""}), "points outside"},
		{"path that comes back", asZip(file{"x/../a.csv", ""}), "points outside"},
		{"absolute path", asZip(file{"/etc/cron.d/x", ""}), "/etc/cron.d/x: the path"},
		{"drive", asZip(file{`C:\a.csv`, ""}), "C:/a.csv: the path"},
		{"backslashes", asZip(file{`a\..\..\a.csv`, ""}), "points outside the library"},
		{"path out of the tar", asTar(regular(file{"../a.csv", ""})), "points outside the library"},
		{"link out of the tar", asTar(tar.Header{Name: "a.csv", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}), "a.csv: is not a regular file"},
		{"hard link in a tar", asTar(tar.Header{Name: "a.csv", Typeflag: tar.TypeLink, Linkname: "b"}), "a.csv: is not a regular file"},
		{"link out of the folder", linked(t, secret), "link: cannot be read: "},
		{"relative link out of the folder", linked(t, "../../../../../../../../../../etc/passwd"), "link: cannot be read: "},
		{"link to nowhere", linked(t, "none"), "link: cannot be read: "},
		{"link to a folder", linked(t, "processes"), "link: is not a regular file"},
		{"twice", asZip(file{"a.csv", ""}, file{"a.csv", ""}), "a.csv: appears twice in the archive"},
		{"twice by its spelling", asZip(file{"x/a.csv", ""}, file{`x\a.csv`, ""}), "x/a.csv: appears twice in the archive"},
		{"large file", folder(t, file{"a.csv", strings.Repeat("x", 1_001)}), "a.csv: is larger than 1000 bytes"},
		{"large file in a zip", write(t, "a", zipAs(t, stored, file{"a.csv", strings.Repeat("x", 1_001)})), "a.csv: is larger than 1000 bytes"},
		{"large in all", folder(t, file{"a", strings.Repeat("x", 900)}, file{"b", strings.Repeat("x", 900)}, file{"c", strings.Repeat("x", 900)},
			file{"d", strings.Repeat("x", 900)}), "all files together are larger than 3000 bytes"},
		{"bomb", asZip(file{"a.csv", strings.Repeat("x", 900)}), "to 1, which is too much for a real file"},
		{"gzip bomb", write(t, "a.gz", gzipped(t, make([]byte, 1_000_000))), "which is too much for a real file of its size"},
		{"link in a zip", marked(func(h *zip.FileHeader) { h.SetMode(os.ModeSymlink) }), "a.csv: is not a regular file"},
		{"encrypted", marked(func(h *zip.FileHeader) { h.Flags |= 1 }), "a.csv: is encrypted"},
		{"many entries", asZip(make([]file, 21)...), "more than 20 files"},
		{"many files", folder(t, many(21)...), "more than 20 files"},
		{"long name", asZip(file{strings.Repeat("x", 101), ""}), "the name is longer than 100 bytes"},
		{"deep", asZip(file{"1/2/3/4/5/a.csv", ""}), "is more than 4 folders deep"},
		{"control characters", asZip(file{"../\x1b[2J", ""}), `../\x1b[2J: the path`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, err := small.Open(c.path)
			if err == nil {
				src.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to say %q", err, c.want)
			}
		})
	}
}

func stored(h *zip.FileHeader) { h.Method = zip.Store }

func many(n int) []file {
	files := make([]file, n)
	for i := range files {
		files[i] = file{strings.Repeat("x", i+1), ""}
	}
	return files
}

// The entries of such a zip share their bytes: each is well within the limits,
// and their number is unlimited.
func TestOpenRefusesOverlappingEntries(t *testing.T) {
	const text = 100_000
	once := zipOf(t, file{"000", strings.Repeat("0123456789abcdef", text/16)})
	at := bytes.Index(once, []byte("PK\x01\x02"))
	header := once[at : at+46+3]
	overlapping := slices.Clone(once[:at])
	for i := range 200 {
		another := slices.Clone(header)
		copy(another[46:], []byte{'0' + byte(i/100), '0' + byte(i/10%10), '0' + byte(i%10)})
		overlapping = append(overlapping, another...)
	}
	end := slices.Clone(once[len(once)-22:])
	end[8], end[10] = 200, 200
	length := 200 * len(header)
	end[12], end[13] = byte(length), byte(length>>8)
	limits := DefaultLimits
	limits.RatioFrom, limits.Ratio = 1<<20, 1_000
	_, err := limits.Open(write(t, "a.zip", append(overlapping, end...)))
	if err == nil || !strings.Contains(err.Error(), "the library is compressed") {
		t.Errorf("got %v", err)
	}
}

// The zip's own statement of its number of entries is not trusted.
func TestOpenCountsEntriesBeforeItMakesThem(t *testing.T) {
	limits := DefaultLimits
	limits.Entries = 10
	content := bytes.Repeat([]byte("PK\x01\x02"+strings.Repeat("\x00", 42)), 60_000)
	_, err := limits.Open(write(t, "a.zip", content))
	if err == nil || !strings.Contains(err.Error(), "more than 10 files") {
		t.Errorf("got %v", err)
	}
}

func TestEntryThatGrewIsNotReadToItsEnd(t *testing.T) {
	dir := folder(t, library...)
	src, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), make([]byte, 1_000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := src.Entries[0].ReadAll(1 << 20); err == nil || !strings.Contains(err.Error(), "is larger than the archive states") {
		t.Errorf("got %v", err)
	}
}

func TestEntrySwappedForALinkIsNotFollowed(t *testing.T) {
	dir := folder(t, library...)
	src, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	path := filepath.Join(dir, "a.csv")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(write(t, "secret", []byte("x")), path); err != nil {
		t.Fatal(err)
	}
	if text, err := src.Entries[0].ReadAll(1 << 20); err == nil {
		t.Errorf("read %q", text)
	}
}

func TestDigestTellsSourcesApart(t *testing.T) {
	digest := func(path string) string {
		src, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		d, err := src.Digest(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	one, same := folder(t, library...), folder(t, library...)
	if digest(one) != digest(same) {
		t.Error("the same folder has two digests")
	}
	if digest(folder(t, library...)) == digest(folder(t, library[0], file{"processes/b.json", "{}"})) {
		t.Error("two folders have the same digest")
	}
	if digest(folder(t, file{"a", "b"})) == digest(folder(t, file{"b", "a"})) {
		t.Error("names do not count")
	}
	if digest(write(t, "a.zip", zipOf(t, library...))) == digest(write(t, "a.zip", zipOf(t, library[0]))) {
		t.Error("two zips have the same digest")
	}
}

func TestUnzipKeepsTheLimits(t *testing.T) {
	limits := DefaultLimits
	limits.RatioFrom, limits.Ratio = 1_000, 10
	inner := zipOf(t, file{"xl/sheet.xml", strings.Repeat("x", 100_000)})
	src, err := limits.Open(write(t, "a.zip", zipAs(t, stored, file{"a.xlsx", string(inner)})))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if _, err := src.Entries[0].Unzip(); err == nil || !strings.Contains(err.Error(), "to 1, which is too much for a real") {
		t.Errorf("got %v", err)
	}
}

func TestGaugeTellsOnceInAWhile(t *testing.T) {
	told := 0
	var last int64
	g := NewGauge(1<<20, func(done, total int64) {
		if told++; done < last || total != 1<<20 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	})
	if _, err := io.Copy(io.Discard, g.Reader(t.Context(), io.LimitReader(zeros{}, 1<<20))); err != nil {
		t.Fatal(err)
	}
	g.Finish()
	if told > 210 || last != 1<<20 {
		t.Errorf("told %d times, the last %d", told, last)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return min(len(p), 512), nil }

func TestReadingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := io.ReadAll(NewGauge(1, nil).Reader(ctx, zeros{})); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// A damaged entry of an archive does not affect the others.
func TestDamagedEntry(t *testing.T) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, f := range library {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		entry.Write([]byte(f.text))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Replace(packed.Bytes(), []byte(library[0].text), bytes.Repeat([]byte("x"), len(library[0].text)), 1)
	src, err := Open(write(t, "library.zip", damaged))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	_, err = src.Entries[0].ReadAll(1 << 20)
	var damage *Damage
	if !errors.As(err, &damage) || damage.Message != "is damaged in the archive" {
		t.Errorf("got %v", err)
	}
	if text, err := src.Entries[1].ReadAll(1 << 20); err != nil || string(text) != library[1].text {
		t.Errorf("got %q, %v", text, err)
	}
}
