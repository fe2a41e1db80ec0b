//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// ErrNotInstalled means that the machine has no PostgreSQL server.
var ErrNotInstalled = errors.New("no PostgreSQL server is installed: run scripts/setup, or set " + Env)

// packagedServers is where Debian's packages put servers, outside of PATH.
const packagedServers = "/usr/lib/postgresql/*/bin/initdb"

// findServer returns the folder of initdb and postgres: the one in PATH, else
// the newest packaged one.
func findServer(packaged string) (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		return realFolder(initdb)
	}
	found, _ := filepath.Glob(packaged)
	newest, best := "", -1
	for _, initdb := range found {
		version, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(initdb))))
		if err == nil && version > best {
			newest, best = initdb, version
		}
	}
	if newest == "" {
		return "", ErrNotInstalled
	}
	return filepath.Dir(newest), nil
}

// realFolder resolves links, because a link to initdb may be alone in its
// folder.
func realFolder(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	return filepath.Dir(path), err
}

// serverUser returns the user to run PostgreSQL as: nil for the current user, or
// nobody if that is root, which PostgreSQL refuses.
func serverUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}
