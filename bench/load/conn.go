// Package load sends requests over a fixed number of connections, each of which
// waits for its answer before sending the next. It parses as little as possible
// because it shares the machine with the servers it measures.
package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Request is a request as it goes over the wire.
func Request(method, target, host string, header http.Header, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, target, host)
	_ = header.Write(&b)
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// Conn is a kept-alive connection to a server.
type Conn struct {
	conn net.Conn
	in   *bufio.Reader
}

// answerTimeout bounds how long a server may take for one answer.
const answerTimeout = 30 * time.Second

// Dial connects to a server.
func Dial(address string) (*Conn, error) {
	conn, err := net.DialTimeout("tcp", address, answerTimeout)
	if err != nil {
		return nil, err
	}
	return &Conn{conn, bufio.NewReaderSize(conn, 64<<10)}, nil
}

func (c *Conn) Close() error { return c.conn.Close() }

// Do sends a request and reads the answer. It returns the length of the body,
// and an error for every status but 200.
func (c *Conn) Do(request []byte) (int, error) {
	if err := c.conn.SetDeadline(time.Now().Add(answerTimeout)); err != nil {
		return 0, err
	}
	if _, err := c.conn.Write(request); err != nil {
		return 0, err
	}
	status, length, err := c.head()
	if err != nil {
		return 0, fmt.Errorf("read answer: %w", err)
	}
	if status != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(c.in, int64(max(0, length))))
		return 0, fmt.Errorf("answered %d: %s", status, text)
	}
	if length < 0 {
		return c.chunks()
	}
	return c.in.Discard(length)
}

// head reads an answer up to its body. The length is negative for a body in chunks.
func (c *Conn) head() (status, length int, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if len(line) < 12 {
		return 0, 0, errors.New("no status line")
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		if len(line) <= 2 {
			return status, length, nil
		}
		if value, ok := field(line, "content-length:"); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return 0, 0, err
			}
		} else if value, ok := field(line, "transfer-encoding:"); ok && value == "chunked" {
			length = -1
		}
	}
}

func field(line []byte, name string) (string, bool) {
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return "", false
	}
	return string(bytes.TrimSpace(line[len(name):])), true
}

func (c *Conn) chunks() (int, error) {
	total := 0
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return total, err
		}
		if _, err := c.in.Discard(int(size) + len("\r\n")); err != nil {
			return total, err
		}
		if total += int(size); size == 0 {
			return total, nil
		}
	}
}
