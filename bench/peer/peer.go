// Package peer holds the servers that Cradle is compared with. Each runs as a
// separate process and prints {"url": …} once it answers.
package peer

import (
	"fmt"
	"net"
)

// listen takes a free port of the loopback interface.
func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

func announce(on net.Listener) { fmt.Printf("{\"url\":\"http://%s\"}\n", on.Addr()) }
