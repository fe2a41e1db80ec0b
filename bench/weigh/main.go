// Command weigh is the server without its commands. The bench builds it with and
// without a library, to see what the library would add to the binary.
package main

import (
	"context"
	"fmt"
	"os"

	"cradle/internal/formats"
	"cradle/internal/server"
	"cradle/internal/store"
)

// use keeps what a build tag adds from being left out by the linker.
var use []func() any

func main() {
	fmt.Println(server.New(context.Background(), (*store.Store)(nil), server.Options{}))
	fmt.Println(formats.Open(os.Args[0], ""))
	for _, f := range use {
		fmt.Println(f())
	}
}
