//go:build unix

package pgtest

import (
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// keeperScript waits for the end of its standard input, which the kernel closes
// when this process ends, even if killed; then it removes the cluster.
const keeperScript = `
cat >/dev/null
if [ -e "$2/data/postmaster.pid" ]; then
	"$1/pg_ctl" stop --wait --silent --mode immediate --pgdata "$2/data"
fi
cd / && rm -rf "$2"
`

// A keeper is a child process that outlives its parent just long enough to stop
// the parent's server.
type keeper struct {
	cmd  *exec.Cmd
	life io.Closer
}

// held keeps keepers from the garbage collector, which would close their pipes
// under a cluster that is known by its DSN alone.
var held sync.Map

func startKeeper(c *Cluster) (*keeper, error) {
	cmd := c.command("/bin/sh", "-c", keeperScript, "keeper", c.bin, c.dir)
	life, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the keeper of a PostgreSQL cluster: %w", err)
	}
	k := &keeper{cmd: cmd, life: life}
	held.Store(k, nil)
	return k, nil
}

func (k *keeper) release() error {
	held.Delete(k)
	_ = k.life.Close()
	if err := k.cmd.Wait(); err != nil {
		return fmt.Errorf("clear a PostgreSQL cluster away: %w", err)
	}
	return nil
}
