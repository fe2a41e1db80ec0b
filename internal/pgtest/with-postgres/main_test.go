//go:build unix

package main

import (
	"net/url"
	"os"
	"testing"

	"cradle/internal/pgtest"
)

func TestCommandFindsAServer(t *testing.T) {
	t.Setenv(pgtest.Env, "")
	status, err := run(false, []string{"sh", "-c", `test -n "$CRADLE_TEST_POSTGRES"`})
	if status != 0 || err != nil {
		t.Fatalf("status %d, %v", status, err)
	}
	server, err := url.Parse(os.Getenv(pgtest.Env))
	if err != nil {
		t.Fatal(err)
	}
	folder := server.Query().Get("host")
	if _, err := os.Stat(folder); folder == "" || err == nil {
		t.Errorf("the server's folder %q outlived the command", folder)
	}
}

func TestServerThatIsGivenIsUsed(t *testing.T) {
	t.Setenv(pgtest.Env, "postgres://somewhere/else")
	status, err := run(false, []string{"sh", "-c", `test "$CRADLE_TEST_POSTGRES" = postgres://somewhere/else`})
	if status != 0 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
}

func TestStatusOfTheCommandIsKept(t *testing.T) {
	t.Setenv(pgtest.Env, "postgres://unused")
	if status, err := run(false, []string{"sh", "-c", "exit 7"}); status != 7 || err != nil {
		t.Errorf("status %d, %v, want 7", status, err)
	}
	if _, err := run(false, []string{"/no/such/command"}); err == nil {
		t.Error("a command that is not there passed")
	}
	if _, err := run(false, []string{"sh", "-c", "kill -9 $$"}); err == nil {
		t.Error("a command that was killed passed")
	}
}
