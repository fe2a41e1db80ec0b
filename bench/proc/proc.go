// Package proc runs servers as separate processes and measures their use of the
// machine.
package proc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Server is a running process that listens.
type Server struct {
	URL   string
	Start time.Duration // until it said that it answers
	cmd   *exec.Cmd
	gone  chan struct{} // closed when the process has ended
	end   error         // how, once gone is closed
}

// startTimeout bounds how long a server may take until it answers.
const startTimeout = 5 * time.Minute

// Serve starts a command and waits for the line {"url": …} that it prints once
// it answers. The process ends with Stop, with ctx, or with this process.
func Serve(ctx context.Context, cmd *exec.Cmd) (*Server, error) {
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd, gone: make(chan struct{})}
	line := make(chan string, 1)
	began := time.Now()
	err = start(cmd, func() {
		r := bufio.NewReader(out)
		first, _ := r.ReadString('\n')
		line <- first
		_, _ = io.Copy(io.Discard, r)
		s.end = cmd.Wait()
		close(s.gone)
	})
	if err != nil {
		return nil, err
	}
	select {
	case first := <-line:
		s.Start = time.Since(began)
		if s.URL, err = readURL(first); err == nil {
			return s, nil
		}
	case <-time.After(startTimeout):
		err = errors.New("does not answer")
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, errors.Join(fmt.Errorf("start %s: %w", cmd, err), s.Stop())
}

// start starts a command, which ends with this process in any case, and runs
// attend. The kernel watches the thread that started the command, so that thread
// is kept until attend returns.
func start(cmd *exec.Cmd, attend func()) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			attend()
		}
	}()
	return <-started
}

func readURL(line string) (string, error) {
	var said struct{ URL string }
	if err := json.Unmarshal([]byte(line), &said); err != nil || said.URL == "" {
		return "", fmt.Errorf("said %q instead of its address", strings.TrimSpace(line))
	}
	return said.URL, nil
}

// Address is the host and port that the server listens on.
func (s *Server) Address() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return s.URL
	}
	return u.Host
}

// Stop asks the process to end, and kills it after a while. Calling it again
// does nothing.
func (s *Server) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.gone:
		return ended(s.end)
	case <-time.After(time.Minute):
		_ = s.cmd.Process.Kill()
		<-s.gone
		return errors.Join(fmt.Errorf("%s did not stop", s.cmd), ended(s.end))
	}
}

// Alive returns how the process has ended, nil while it runs.
func (s *Server) Alive() error {
	select {
	case <-s.gone:
		return fmt.Errorf("%s has ended: %v", s.cmd, s.cmd.ProcessState)
	case <-time.After(endTimeout):
		return nil
	}
}

// endTimeout is how long it takes to notice that a process has ended.
const endTimeout = 200 * time.Millisecond

// ended ignores the exit of a process without a handler for the signal.
func ended(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGTERM {
			return nil
		}
	}
	return err
}

// Memory returns the bytes that the process has in memory now.
func (s *Server) Memory() (int64, error) { return memory(s.cmd.Process.Pid, "VmRSS:") }

func memory(pid int, field string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, field); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("the kernel does not tell %s", field)
}

// watchEvery is how often a command's memory is sampled. The kernel's figure at
// its end would include the parent's memory.
const watchEvery = 20 * time.Millisecond

// Output runs a command and returns its output and the most memory it used, in
// bytes.
func Output(cmd *exec.Cmd) (out []byte, peak int64, err error) {
	var printed, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &complaints
	done := make(chan error, 1)
	if err := start(cmd, func() { done <- cmd.Wait() }); err != nil {
		return nil, 0, err
	}
	watch := time.NewTicker(watchEvery)
	defer watch.Stop()
	for {
		select {
		case <-watch.C:
			if now, err := memory(cmd.Process.Pid, "VmHWM:"); err == nil {
				peak = max(peak, now)
			}
		case err := <-done:
			if err != nil {
				err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(complaints.Bytes()))
			}
			return printed.Bytes(), peak, err
		}
	}
}

// ticksPerSecond is Linux's USER_HZ, the same on every machine it runs on.
const ticksPerSecond = 100

// CPU returns the processor time that the process has used so far.
func (s *Server) CPU() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may hold anything; utime and stime are the 12th
	// and 13th fields behind it.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return 0, errors.New("the kernel does not tell the processor time")
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticksPerSecond, errors.Join(err1, err2)
}
