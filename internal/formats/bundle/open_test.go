package bundle

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

type entry struct{ name, text string }

func zipped(t *testing.T, entries ...entry) string {
	t.Helper()
	// A zip is recognised by its content.
	path := filepath.Join(t.TempDir(), "library.data")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, e := range entries {
		w, err := z.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func (t texts) entries(folder string) []entry {
	var list []entry
	for name, text := range t {
		list = append(list, entry{folder + name, text})
	}
	return list
}

func TestOpenFindsTheSameEverywhere(t *testing.T) {
	want := load(t, mill.bundle())
	for name, path := range map[string]string{
		"folder":           mill.folder(t),
		"zip":              zipped(t, mill.entries("")...),
		"zip with folder":  zipped(t, append(mill.entries("library/"), entry{"library/", ""})...),
		"zip from a Mac":   zipped(t, append(mill.entries("library/"), entry{"__MACOSX/library/._methods.csv", "x"})...),
		"zip with strange": zipped(t, append(mill.entries(""), entry{"old/methods.csv", "x"})...),
	} {
		t.Run(name, func(t *testing.T) {
			b, err := OpenPath(path)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			if got := load(t, b); !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%+v\nwant\n%+v", got, want)
			}
		})
	}
}

func TestOpenSingleFile(t *testing.T) {
	path := filepath.Join(mill.folder(t), "materials.csv")
	b, err := OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := load(t, b); len(got.materials) != 1 || len(got.methods) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestOpenWarnsOfUnknownFiles(t *testing.T) {
	files := mill.with("notes.txt", "x").with(".hidden", "x").with("Materials.csv", "name")
	b, err := OpenPath(files.folder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	warnings, err := b.Check(context.Background(), &catalogue{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []ingest.Warning{
		{File: "Materials.csv", Message: "is not part of a bundle and is ignored"},
		{File: "notes.txt", Message: "is not part of a bundle and is ignored"},
	}
	if fmt.Sprint(warnings) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", warnings, want)
	}
}

func TestOpenCountsTooManyUnknownFiles(t *testing.T) {
	entries := mill.entries("")
	for i := range maxUnknown + 7 {
		entries = append(entries, entry{fmt.Sprintf("%03d.txt", i), ""})
	}
	lib, err := OpenPath(zipped(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	b := lib.(*Bundle)
	if last := b.warnings[len(b.warnings)-1].Message; len(b.warnings) != maxUnknown+1 || !strings.HasPrefix(last, "7 more files") {
		t.Errorf("%d warnings, the last %q", len(b.warnings), last)
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := mill.folder(t)
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"nothing there", filepath.Join(folder, "none"), "no such file"},
		{"empty folder", filepath.Join(folder, "sub"), "is not a bundle: it contains none of flows.csv, "},
		{"empty zip", zipped(t), "is not a bundle"},
		{"wrong case", texts{"Materials.CSV": "name\n"}.folder(t), "impacts.csv; rename Materials.CSV to materials.csv"},
		{"wrong case in a zip", zipped(t, entry{"a/Materials.csv", "name\n"}), "; rename Materials.csv to materials.csv"},
		{"wrong case by itself", texts{"Materials.csv": "name\n"}.folder(t) + "/Materials.csv", "; rename Materials.csv to materials.csv"},
		{"another file", texts{"a.csv": "name\n"}.folder(t) + "/a.csv", "is not a bundle"},
		{"two bundles", zipped(t, entry{"a/materials.csv", "name\n"}, entry{"b/materials.csv", "name\n"}), "there is more than one bundle, in a/, b/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := OpenPath(c.path)
			if err == nil {
				b.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to say %q", err, c.want)
			}
		})
	}
}

func TestDetectLeavesOthersAlone(t *testing.T) {
	for name, path := range map[string]string{
		"nothing":       t.TempDir(),
		"other zip":     zipped(t, entry{"processes/a.json", "{}"}),
		"deeper bundle": zipped(t, entry{"a/b/materials.csv", "name\n"}),
		"other folder":  texts{"a.csv": ""}.folder(t),
		"other file":    texts{"a.csv": ""}.folder(t) + "/a.csv",
	} {
		src, err := source.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		if Detect(src) {
			t.Errorf("%s is detected", name)
		}
	}
}

func TestDamagedZip(t *testing.T) {
	path := zipped(t, mill.entries("")...)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 40; i < 80; i++ {
		data[i] ^= 0x55
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := OpenPath(path)
	if err != nil {
		return
	}
	defer b.Close()
	if _, err := b.Check(context.Background(), &catalogue{}, nil); err == nil {
		t.Error("accepted")
	}
}
