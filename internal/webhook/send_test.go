package webhook

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cradle/internal/event"
)

func jobTo(url string) Job {
	return Job{Delivery: "dlv_1", Endpoint: "wh_1", URL: url, EventID: "evt_1", EventType: event.DatapointPulled, Body: []byte(`{"a":1}`),
		Secrets: []string{NewSecret()}, Number: 1, Try: 1}
}

func localSender(t testing.TB) *Sender { return NewSender(guardFor(t, "127.0.0.1"), time.Now) }

// rawReceiver answers each request with the given bytes, then closes the
// connection or, if it hangs, waits for the sender to.
func rawReceiver(t *testing.T, answer string, hangs bool) (url string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				if req, err := http.ReadRequest(in); err == nil {
					io.Copy(io.Discard, req.Body)
					io.WriteString(conn, answer)
				}
				if hangs {
					io.Copy(io.Discard, in)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name     string
		answer   string
		status   int
		response string
		failure  string // a part of it
	}{
		{"success", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok", ""},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\n", 204, "", ""},
		{"success, closed before its end", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", 200, "half", ""},
		{"failure", "HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\nbad\n", 500, "bad\n", ""},
		{"gone", "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", 410, "", ""},
		{"continued first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", ""},
		{"closed without an answer", "", 0, "", "EOF"},
		{"closed within the headers", "HTTP/1.1 200 OK\r\nContent-Type: te", 0, "", "EOF"},
		{"no HTTP", "220 mail.example.org ESMTP\r\n", 0, "", "malformed HTTP"},
		{"a header with bytes that no database takes", "HTTP/1.1 200 OK\r\nbad\x00\xff\x1b[31m\r\n\r\n", 0, "", "malformed MIME header"},
		{"headers without end", "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", 0, "", "exceeded"},
		{"control characters", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\na\x00b\x1b[31mc\r\n\td\xffe\xc2\x9bf\x7fg", 200, "ab[31mc\n\td\uFFFDefg", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := localSender(t).Send(t.Context(), jobTo(rawReceiver(t, c.answer, false)))
			if got.Status != c.status || got.Response != c.response || (got.Error == "") != (c.failure == "") || !strings.Contains(got.Error, c.failure) {
				t.Errorf("%+v", got)
			}
			if !utf8.ValidString(got.Error) || strings.ContainsAny(got.Error, "\x00\x1b") {
				t.Errorf("the error is %q", got.Error)
			}
		})
	}
}

// After a protocol switch the connection belongs to the receiver, and the
// request's timeout does not end reading from it.
func TestSwitchOfProtocolsDoesNotHang(t *testing.T) {
	url := rawReceiver(t, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n", true)
	if got := localSender(t).Send(t.Context(), jobTo(url)); got.Status != 101 || got.Succeeded() {
		t.Errorf("%+v", got)
	}
}

func TestHangingReceiverIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got := localSender(t).Send(ctx, jobTo(rawReceiver(t, "", true)))
	if got.Status != 0 || got.Error != "no response within 15 s" {
		t.Errorf("without an answer: %+v", got)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got = localSender(t).Send(ctx, jobTo(rawReceiver(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", true)))
	if got.Status != 200 {
		t.Errorf("within its body: %+v", got)
	}
}

// An endless answer is read only as far as it is stored.
func TestLongAnswerIsCut(t *testing.T) {
	gone := make(chan int64, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent int64
		for chunk := bytes.Repeat([]byte("x"), 64<<10); ; {
			n, err := w.Write(chunk)
			if sent += int64(n); err != nil {
				gone <- sent
				return
			}
		}
	}))
	defer receiver.Close()
	got := localSender(t).Send(t.Context(), jobTo(receiver.URL))
	if got.Status != 200 || got.Response != strings.Repeat("x", 4096) {
		t.Errorf("status %d, error %q, %d bytes kept", got.Status, got.Error, len(got.Response))
	}
	if sent := <-gone; sent > 64<<20 {
		t.Errorf("%d bytes were taken", sent)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		receiver := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		if got := localSender(t).Send(t.Context(), jobTo(receiver.URL)); got.Status != status || got.Succeeded() {
			t.Errorf("%d: %+v", status, got)
		}
		receiver.Close()
	}
}

// Addresses are checked at each attempt: these were allowed when the endpoint
// was added, and no longer are.
func TestRefusedAddressesAreNotSentTo(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was sent to") }))
	defer receiver.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was sent to") }))
	defer secure.Close()
	byName := strings.Replace(secure.URL, "127.0.0.1", "localhost", 1)
	for _, url := range []string{receiver.URL, secure.URL, byName, "http://example.org/", "https://user@example.org/", "https://127.1/", "no address"} {
		got := NewSender(guardFor(t), time.Now).Send(t.Context(), jobTo(url))
		if got.Status != 0 || !strings.HasPrefix(got.Error, "url must ") {
			t.Errorf("%s: %+v", url, got)
		}
	}
}

func TestUntrustedCertificateIsAFailure(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was sent to") }))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	if got := localSender(t).Send(t.Context(), jobTo(secure.URL)); got.Status != 0 || !strings.Contains(got.Error, "x509") {
		t.Errorf("%+v", got)
	}
}

// A failure may quote the receiver, here from a certificate; PostgreSQL would
// refuse a whole batch of attempts because of one byte.
func TestFailuresAreKeptClean(t *testing.T) {
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.TLS = &tls.Config{Certificates: []tls.Certificate{certificateFor(t, "a\x00\x1b[31mb")}}
	secure.StartTLS()
	defer secure.Close()
	s := NewSender(guardFor(t, "localhost"), time.Now)
	got := s.Send(t.Context(), jobTo(strings.Replace(secure.URL, "127.0.0.1", "localhost", 1)))
	if want := "x509: certificate is valid for a[31mb, not localhost"; got.Error != want {
		t.Errorf("%q, want %q", got.Error, want)
	}
}

func certificateFor(t testing.TB, name string) tls.Certificate {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
}

func TestNoProxyIsTakenFromTheEnvironment(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	defer receiver.Close()
	s := NewSender(guardFor(t, "receiver.example"), time.Now)
	var dialled []string
	s.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return (&net.Dialer{}).DialContext(ctx, network, receiver.Listener.Addr().String())
	}
	if got := s.Send(t.Context(), jobTo("http://receiver.example/hooks")); got.Status != 200 || len(dialled) != 1 || dialled[0] != "receiver.example:80" {
		t.Errorf("%+v, by way of %q", got, dialled)
	}
}

func TestRequestIsExactlyWhatReceiversExpect(t *testing.T) {
	type request struct {
		line   string
		header http.Header
		body   string
	}
	requests := make(chan request, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- request{r.Method + " " + r.RequestURI, r.Header, string(body)}
	}))
	defer receiver.Close()
	job, at := jobTo(receiver.URL+"/hooks?a=b"), time.Unix(1747000000, 5e8)
	s := NewSender(guardFor(t, "127.0.0.1"), func() time.Time { return at })
	if got := s.Send(t.Context(), job); got.Status != 200 || got.Number != 1 || !got.Time.Equal(at) || got.Duration != 0 {
		t.Errorf("%+v", got)
	}
	got := <-requests
	want := http.Header{"Content-Length": {fmt.Sprint(len(job.Body))}}
	setHeaders(want, job, at)
	if got.line != "POST /hooks?a=b" || got.body != string(job.Body) || fmt.Sprint(got.header) != fmt.Sprint(want) {
		t.Errorf("%+v\nwant %v", got, want)
	}
}

// A team that reads the log must not learn the resolver's address.
func TestUnknownNameDoesNotTellTheResolver(t *testing.T) {
	err := &url.Error{Op: "Post", Err: &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "a.example", Server: "10.0.0.53:53", IsNotFound: true}}}
	if got, want := reasonOf(err), "the name a.example was not found: no such host"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestUnreadableSecretIsAFailure(t *testing.T) {
	job := jobTo("http://127.0.0.1:1/")
	job.Secrets = nil
	if got := localSender(t).Send(t.Context(), job); got.Status != 0 || !strings.Contains(got.Error, "secret cannot be decrypted") {
		t.Errorf("%+v", got)
	}
}
