package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode"

	"cradle/internal/event"
)

// A Job is a claimed delivery.
type Job struct {
	Delivery  string
	Endpoint  string
	URL       string
	EventID   string
	EventType string
	Body      []byte
	Sealed    [][]byte // the signing secrets, sealed
	Secrets   []string // the signing secrets, opened
	Number    int      // of the attempt to be made
	Try       int      // of its schedule
}

// IsTest reports whether the job is a test, which does not count as success or
// failure.
func (j Job) IsTest() bool { return j.EventType == event.WebhookTest }

const (
	answerTimeout = 15 * time.Second
	answerKept    = 4 << 10
)

// Sender makes attempts.
type Sender struct {
	guard  *Guard
	client *http.Client
	now    func() time.Time
}

// NewSender returns a sender to addresses that the guard allows. It uses no
// proxy, follows no redirect and trusts nothing in an answer but the status.
func NewSender(guard *Guard, now func() time.Time) *Sender {
	dial := guard.dialer(net.Dialer{Timeout: answerTimeout, KeepAlive: 30 * time.Second})
	return &Sender{guard: guard, now: now, client: &http.Client{
		Transport: &http.Transport{
			DialContext:            dial,
			TLSHandshakeTimeout:    answerTimeout,
			ResponseHeaderTimeout:  answerTimeout,
			MaxIdleConns:           1000,
			MaxIdleConnsPerHost:    perEndpoint,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: 16 << 10,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send makes one attempt, bounded by the receiver's time to answer.
func (s *Sender) Send(ctx context.Context, job Job) Attempt {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	a := Attempt{Number: job.Number, Time: s.now()}
	a.Status, a.Response, a.Error = s.exchange(ctx, job, a.Time)
	a.Duration = max(0, s.now().Sub(a.Time))
	return a
}

func (s *Sender) exchange(ctx context.Context, job Job, at time.Time) (status int, response, failure string) {
	if len(job.Secrets) == 0 {
		return 0, "", "the endpoint's secret cannot be decrypted with this server's secret"
	}
	// What was allowed when the endpoint was added may not be allowed now.
	if err := s.guard.CheckURL(job.URL); err != nil {
		return 0, "", shortened(err.Error())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, job.URL, bytes.NewReader(job.Body))
	if err != nil {
		return 0, "", "the endpoint's URL is malformed"
	}
	setHeaders(req.Header, job, at)
	res, err := s.client.Do(req)
	if err != nil {
		return 0, "", reasonOf(err)
	}
	defer res.Body.Close()
	return res.StatusCode, printable(beginning(res)), ""
}

// beginning reads the first bytes of an answer. It ignores errors: the receiver
// has answered, and only the status matters.
func beginning(res *http.Response) []byte {
	// After a protocol switch the body is the connection, which no timeout ends.
	if res.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	kept, _ := io.ReadAll(io.LimitReader(res.Body, answerKept))
	return kept
}

// reasonOf returns why there was no answer, without the address, which the
// reader knows. It may quote what the receiver sent.
func reasonOf(err error) string {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Sprintf("no response within %d s", int(answerTimeout.Seconds()))
	}
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return shortened("the name " + lookup.Name + " was not found: " + lookup.Err) // without the resolver's address
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return shortened(printable([]byte(err.Error())))
}

// printable makes a text safe for any log: valid UTF-8 without control and
// format characters, which databases and terminals handle badly.
func printable(text []byte) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(string(text), "\uFFFD"))
}
