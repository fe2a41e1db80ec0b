package bundle

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
)

// Whatever is in a file, checking it does not panic; what is accepted can be
// read, written and read again.
func FuzzBundle(f *testing.F) {
	for i, t := range tables {
		f.Add(uint8(i), []byte(mill[t.name()]))
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		files := mill.with(tables[int(which)%len(tables)].name())
		files[tables[int(which)%len(tables)].name()] = string(data)
		b := files.bundle()
		if _, err := b.Check(context.Background(), &catalogue{}, nil); err != nil {
			return
		}
		first := load(t, b)
		path := filepath.Join(t.TempDir(), "library")
		write(t, path, first)
		if second := reload(t, path); !reflect.DeepEqual(first, second) {
			t.Errorf("read\n%+v\nthen\n%+v", first, second)
		}
	})
}
