//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const (
	superuser = "cradle"
	// The port only names the socket file; no TCP port is opened. It is always
	// explicit because a PGPORT in the environment would change the default.
	port = "5432"
)

// A Cluster is a temporary PostgreSQL server. It listens only on a Unix socket
// in its own directory, so clusters never collide, and its DSN survives Stop and
// Start.
type Cluster struct {
	bin    string
	dir    string
	user   *syscall.Credential
	keeper *keeper
}

// An Option configures a cluster.
type Option func(*settings)

type settings struct{ durable bool }

// Durable keeps fsync on, as in production: for crash tests and benchmarks.
// Other tests are faster without.
func Durable() Option { return func(s *settings) { s.durable = true } }

// StartCluster creates a cluster and starts it. It is removed by Close, or when
// this process ends for any reason. It returns ErrNotInstalled if the machine
// has no PostgreSQL server.
func StartCluster(options ...Option) (*Cluster, error) {
	var s settings
	for _, option := range options {
		option(&s)
	}
	bin, err := findServer(packagedServers)
	if err != nil {
		return nil, err
	}
	user, err := serverUser()
	if err != nil {
		return nil, err
	}
	c := &Cluster{bin: bin, user: user}
	if err := c.makeDir(); err != nil {
		return nil, err
	}
	err = c.initialise(s)
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// DSN is the URL of an initially empty database of the cluster.
func (c *Cluster) DSN() string {
	query := url.Values{"host": {c.dir}, "port": {port}}
	return fmt.Sprintf("postgres://%s@/postgres?%s", superuser, query.Encode())
}

// Start starts the server after a Stop and waits until it answers.
func (c *Cluster) Start() error {
	err := c.run("pg_ctl", "start", "--wait", "--silent", "--pgdata", c.data(), "--log", c.log())
	if err == nil {
		return nil
	}
	log, _ := os.ReadFile(c.log())
	return fmt.Errorf("%w\n%s", err, log)
}

// Stop disconnects all clients and stops the server. The data stays.
func (c *Cluster) Stop() error {
	return c.run("pg_ctl", "stop", "--wait", "--silent", "--mode", "fast", "--pgdata", c.data())
}

// Close stops the server and removes everything.
func (c *Cluster) Close() error { return c.keeper.release() }

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }
func (c *Cluster) log() string  { return filepath.Join(c.dir, "log") }

// makeDir creates a directory owned by the server's user, and its keeper. It is
// in /tmp whatever TMPDIR is: the path of a socket is limited to about 100
// bytes, and the server's user must be able to reach it.
func (c *Cluster) makeDir() error {
	dir, err := os.MkdirTemp("/tmp", "cradle-postgres-")
	if err != nil {
		return err
	}
	c.dir = dir
	if c.user != nil {
		err = os.Chown(dir, int(c.user.Uid), int(c.user.Gid))
	}
	if err == nil {
		c.keeper, err = startKeeper(c)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// initialise creates the data directory. The collation is a linguistic one, as
// on most production clusters, to find queries that rely on byte order without
// stating it.
func (c *Cluster) initialise(s settings) error {
	err := c.run("initdb", "--pgdata", c.data(), "--username", superuser, "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C", "--locale-provider", "icu", "--icu-locale", "en-US",
		"--no-sync", "--no-instructions")
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(c.config(s))
	return errors.Join(err, file.Close())
}

func (c *Cluster) config(s settings) string {
	config := fmt.Sprintf(`
listen_addresses = ''
port = %s
unix_socket_directories = '%s'
max_connections = 200
`, port, c.dir)
	if s.durable {
		return config
	}
	// synchronous_commit stays on: without fsync it costs little, and a commit
	// survives the end of the server as it does in production.
	return config + `
fsync = off
full_page_writes = off
`
}

func (c *Cluster) run(name string, args ...string) error {
	out, err := c.command(filepath.Join(c.bin, name), args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	// A separate session keeps the test's Ctrl-C from reaching the server.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user, Setsid: true}
	return cmd
}
