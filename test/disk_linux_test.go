package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A full disk refuses pulls with 503 and leaves nothing half done; reads go on,
// and so do pulls once there is room again. The disk is simulated by a limit on
// file sizes: the kernel refuses the write.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	const credits = 400
	l, all := manyProperties(credits)
	s := newService(t, engines[0], l)
	team := s.addTeam(t, ada, credits)
	c := s.as(t, team)
	b := newShopper()
	b.shop(c, all[:10], credits, nil)

	limitFiles(t, s.cmd.Process.Pid, largestFile(t, filepath.Dir(s.db))+64<<10)
	b.shop(c, all, credits, nil)
	delete(b.statuses, 200)
	if len(b.statuses) != 1 || b.statuses[503] == 0 {
		t.Errorf("with a full disk, by status: %v", b.statuses)
	}
	c.get("/public/me").is(200)
	c.get("/public/materials").is(200)
	got, err := b.pull(c, all[credits-1])
	if err != nil {
		t.Fatal(err)
	}
	got.refuses(503)

	limitFiles(t, s.cmd.Process.Pid, unix.RLIM_INFINITY)
	b.retry(t, c)
	b.checkShopping(t, s, c, credits)
}

func limitFiles(t *testing.T, pid int, most uint64) {
	t.Helper()
	limit := unix.Rlimit{Cur: most, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		t.Fatal(err)
	}
}

func largestFile(t *testing.T, folder string) (size uint64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() {
			size = max(size, uint64(info.Size()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}
