package mail

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
)

// postOffice accepts one mail over a connection and reports what it received.
func postOffice(conn net.Conn, secure *tls.Config, offers string, given chan<- []string) {
	var lines []string
	defer func() { conn.Close(); given <- lines }()
	text := textproto.NewConn(conn)
	_ = text.PrintfLine("220 here")
	for {
		line, err := text.ReadLine()
		if err != nil {
			return
		}
		lines = append(lines, line)
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "EHLO":
			_ = text.PrintfLine("250-here\r\n250 %s", offers)
		case "STARTTLS":
			if offers != verb {
				_ = text.PrintfLine("502 not here")
				continue
			}
			_ = text.PrintfLine("220 go on")
			conn, offers = tls.Server(conn, secure), "AUTH PLAIN"
			text = textproto.NewConn(conn)
		case "AUTH":
			_ = text.PrintfLine("235 welcome")
		case "DATA":
			_ = text.PrintfLine("354 go on")
			body, _ := text.ReadDotLines()
			lines = append(lines, body...)
			_ = text.PrintfLine("250 taken")
		case "QUIT":
			_ = text.PrintfLine("221 bye")
			return
		default:
			_ = text.PrintfLine("250 fine")
		}
	}
}

func TestMailIsHandedInEncrypted(t *testing.T) {
	https := httptest.NewTLSServer(nil) // for its certificate
	defer https.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(https.Certificate())
	secure := &tls.Config{Certificates: https.TLS.Certificates}
	for name, c := range map[string]struct {
		scheme, offers string
		trusted        *x509.CertPool
		arrives        bool
	}{
		"encrypted from the first byte":         {"smtps", "AUTH PLAIN", trusted, true},
		"encrypted when asked":                  {"smtp", "STARTTLS", trusted, true},
		"a server that does not encrypt":        {"smtp", "AUTH PLAIN", trusted, false},
		"a certificate that nobody vouches for": {"smtp", "STARTTLS", x509.NewCertPool(), false},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			given := make(chan []string, 1)
			go func() {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				if c.scheme == "smtps" {
					conn = tls.Server(conn, secure)
				}
				postOffice(conn, secure, c.offers, given)
			}()
			s, err := New(c.scheme+"://ada:secret@"+listener.Addr().String(), "Cradle <cradle@example.org>")
			if err != nil {
				t.Fatal(err)
			}
			s.trusted = c.trusted
			err = s.Send(t.Context(), "bob@example.org", "Grüße", "https://example.org/portal/invitation/abc")
			said := strings.Join(<-given, "\n")
			if (err == nil) != c.arrives {
				t.Fatalf("%v; the server was told\n%s", err, said)
			}
			if !c.arrives {
				if strings.Contains(said, "AUTH") || strings.Contains(said, "bob@") {
					t.Errorf("told in the clear:\n%s", said)
				}
				return
			}
			for _, want := range []string{"MAIL FROM:<cradle@example.org>", "RCPT TO:<bob@example.org>", "AUTH PLAIN "} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is missing in\n%s", want, said)
				}
			}
			if text, _ := base64.StdEncoding.DecodeString(lastLine(said)); !strings.Contains(string(text), "/portal/invitation/abc") {
				t.Errorf("the text is %q", text)
			}
		})
	}
}

// lastLine is the last line of a mail's text.
func lastLine(said string) string {
	before, _, _ := strings.Cut(said, "\nQUIT")
	last := ""
	for scanner := bufio.NewScanner(strings.NewReader(before)); scanner.Scan(); {
		if line := scanner.Text(); line != "" {
			last = line
		}
	}
	return last
}
