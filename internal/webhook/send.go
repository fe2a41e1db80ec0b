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
)

// A Job is a delivery that a worker has claimed.
type Job struct {
	Delivery  string
	Endpoint  string
	URL       string
	EventID   string
	EventType string
	Body      []byte
	Sealed    [][]byte // the secrets that sign, sealed
	Secrets   []string // and opened
	Number    int      // of the attempt to be made
	Try       int      // of its schedule
}

// IsTest says whether the job is a test, which counts neither way.
func (j Job) IsTest() bool { return j.EventType == Test }

const (
	answerTimeout = 15 * time.Second
	answerKept    = 4 << 10
)

// Sender makes attempts.
type Sender struct {
	client *http.Client
	now    func() time.Time
}

// NewSender sends to what the guard allows. It uses no proxy, follows no
// redirect and believes nothing that it is answered but the status.
func NewSender(guard *Guard, now func() time.Time) *Sender {
	dial := guard.dialer(net.Dialer{Timeout: answerTimeout, KeepAlive: 30 * time.Second})
	return &Sender{now: now, client: &http.Client{
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

// Send makes one attempt, which never takes longer than a receiver has to answer.
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
		return 0, "", "the endpoint's secret cannot be opened with this server's secret"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, job.URL, bytes.NewReader(job.Body))
	if err != nil {
		return 0, "", "the endpoint's address is malformed"
	}
	setHeaders(req.Header, job, at)
	res, err := s.client.Do(req)
	if err != nil {
		return 0, "", reasonOf(err)
	}
	defer res.Body.Close()
	kept, err := io.ReadAll(io.LimitReader(res.Body, answerKept))
	if err != nil && len(kept) == 0 && errors.Is(err, context.DeadlineExceeded) {
		return 0, "", reasonOf(err)
	}
	return res.StatusCode, printable(kept), ""
}

// reasonOf says why there was no answer, without the address: a reader knows it.
func reasonOf(err error) string {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Sprintf("no answer within %d s", int(answerTimeout.Seconds()))
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return shortened(err.Error())
}

// printable keeps an answer readable in any log: valid UTF-8 without control
// characters, which databases and terminals take badly.
func printable(answer []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(answer), "\uFFFD"))
}
