package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// receiver accepts deliveries. It parses as little as possible because it shares
// the machine with the server that sends.
type receiver struct {
	listener net.Listener
	delay    time.Duration
	arrived  atomic.Int64
	first    atomic.Int64 // Unix nanoseconds
	last     atomic.Int64

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

func listen(delay time.Duration) (*receiver, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{listener: l, delay: delay, conns: map[net.Conn]struct{}{}}
	go r.accept()
	return r, nil
}

func (r *receiver) url() string { return "http://" + r.listener.Addr().String() + "/hooks" }

// close also ends deliveries that are waiting for their answer.
func (r *receiver) close() {
	r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for conn := range r.conns {
		conn.Close()
	}
}

func (r *receiver) accept() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		r.conns[conn] = struct{}{}
		r.mu.Unlock()
		go r.serve(conn)
	}
}

func (r *receiver) serve(conn net.Conn) {
	defer func() {
		conn.Close()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.conns, conn)
	}()
	in := bufio.NewReader(conn)
	for {
		if err := skipRequest(in); err != nil {
			return
		}
		now := time.Now().UnixNano()
		r.first.CompareAndSwap(0, now)
		r.last.Store(now)
		r.arrived.Add(1)
		time.Sleep(r.delay)
		if _, err := conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")); err != nil {
			return
		}
	}
}

func skipRequest(in *bufio.Reader) error {
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			_, err := in.Discard(length)
			return err
		}
		if name, value, ok := bytes.Cut(line, []byte(":")); ok && bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
}

// patience is how long nothing may arrive while something should.
const patience = 30 * time.Second

// timed calls begin and waits until the wanted deliveries have arrived. It
// returns their rate per second, from the first to the last.
func (r *receiver) timed(wanted int, begin func() error) (float64, error) {
	r.arrived.Store(0)
	r.first.Store(0)
	r.last.Store(time.Now().UnixNano())
	if err := begin(); err != nil {
		return 0, err
	}
	for r.arrived.Load() < int64(wanted) {
		if time.Now().UnixNano()-r.last.Load() > int64(patience) {
			return 0, fmt.Errorf("%d of %d deliveries arrived", r.arrived.Load(), wanted)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return float64(wanted) / time.Duration(r.last.Load()-r.first.Load()).Seconds(), nil
}
