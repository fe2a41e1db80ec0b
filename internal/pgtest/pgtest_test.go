//go:build unix

package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"cradle/internal/pgtest"
)

// helperEnv makes this test binary start a cluster and wait to be killed.
const helperEnv = "CRADLE_PGTEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) != "" {
		startAndHang()
	}
	os.Exit(m.Run())
}

func startAndHang() {
	c, err := pgtest.StartCluster()
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(c.DSN() + "\n")
	time.Sleep(time.Hour)
}

func TestDatabasesAreFreshAndApart(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		dsn := pgtest.Database(t)
		wg.Go(func() {
			if _, err := query(dsn, "CREATE TABLE only_here (id bigint)"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestDatabaseIsDroppedThoughInUse(t *testing.T) {
	var dsn string
	t.Run("use", func(t *testing.T) {
		dsn = pgtest.Database(t)
		conn, err := pgx.Connect(context.Background(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		// Left open: the drop must not wait for it.
		_ = conn
	})
	if _, err := query(dsn, "SELECT 1"); err == nil || !strings.Contains(err.Error(), "3D000") {
		t.Errorf("after the test: %v, want that the database does not exist", err)
	}
}

func TestServerSettings(t *testing.T) {
	quick, durable := pgtest.Server(t), pgtest.Server(t, pgtest.Durable())
	for _, test := range []struct {
		name    string
		cluster *pgtest.Cluster
		setting string
		want    string
	}{
		{"room for many connections", quick, "max_connections", "200"},
		{"closed to the network", quick, "listen_addresses", ""},
		{"quick by default", quick, "fsync", "off"},
		{"durable on demand", durable, "fsync", "on"},
		{"commits are written before they are told", quick, "synchronous_commit", "on"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := query(test.cluster.DSN(), "SHOW "+test.setting)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("%s = %q, want %q", test.setting, got, test.want)
			}
		})
	}
}

func TestServerStopsAndStartsWithItsData(t *testing.T) {
	c := pgtest.Server(t)
	conn, err := pgx.Connect(context.Background(), c.DSN())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(context.Background(), "CREATE TABLE kept AS SELECT 'here' AS word"); err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := conn.Ping(context.Background()); err == nil {
		t.Error("a connection outlived the server")
	}
	if _, err := query(c.DSN(), "SELECT 1"); err == nil {
		t.Error("a stopped server takes connections")
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if got, err := query(c.DSN(), "SELECT word FROM kept"); got != "here" {
		t.Errorf("after the restart: %q, %v", got, err)
	}
}

func TestClusterStaysWhenOnlyItsDSNIsKept(t *testing.T) {
	dsn := pgtest.Server(noCleanup{t}).DSN()
	runtime.GC() // finalizers are queued by the first and done by the second
	runtime.GC()
	time.Sleep(100 * time.Millisecond)
	if _, err := query(dsn, "SELECT 1"); err != nil {
		t.Error(err)
	}
}

// noCleanup makes a test helper leave its server behind, like the shared server
// that lives until the process ends.
type noCleanup struct{ testing.TB }

func (noCleanup) Cleanup(func()) {}

func TestClusterGoesWhenItsProcessIsKilled(t *testing.T) {
	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), helperEnv+"=1")
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	if readErr == nil {
		_, readErr = query(strings.TrimSpace(line), "SELECT 1")
	}
	_ = helper.Process.Kill()
	_ = helper.Wait()
	if readErr != nil {
		t.Fatal(readErr)
	}
	awaitGone(t, directory(t, strings.TrimSpace(line)))
}

func directory(t *testing.T, dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("host")
}

func awaitGone(t *testing.T, dir string) {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	t.Errorf("%s is still there", dir)
}

// query returns the first column of the first row as text, if there is one.
func query(dsn, statement string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	result, err := conn.PgConn().Exec(ctx, statement).ReadAll()
	if err != nil || len(result[0].Rows) == 0 {
		return "", err
	}
	return string(result[0].Rows[0][0]), nil
}
