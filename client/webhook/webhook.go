// Package webhook is for receivers of Cradle's webhooks: it verifies that a
// delivery was signed by the service and not forged or changed. It needs nothing
// but the standard library.
//
// A handler reads the raw body, verifies it and only then looks into it:
//
//	func receive(w http.ResponseWriter, r *http.Request) {
//		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
//		if err != nil {
//			http.Error(w, "unreadable", http.StatusBadRequest)
//			return
//		}
//		if err := webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), secret); err != nil {
//			http.Error(w, err.Error(), http.StatusBadRequest)
//			return
//		}
//		// Drop it if r.Header.Get("Svc-Event-Id") was seen before; else keep it,
//		// answer, and work on it afterwards.
//		w.WriteHeader(http.StatusNoContent)
//	}
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header that carries the signature.
const SignatureHeader = "Svc-Signature"

// DefaultTolerance is how far the time of a signature may be from now.
const DefaultTolerance = 5 * time.Minute

// Why a delivery is refused. Verify's errors wrap one of these.
var (
	ErrNoSecret    = errors.New("webhook: no secret to verify with")
	ErrNoSignature = errors.New("webhook: the request has no signature")
	ErrMalformed   = errors.New("webhook: the signature header is malformed")
	ErrMismatch    = errors.New("webhook: the signature does not match the body and the secret")
	ErrTooOld      = errors.New("webhook: the signature is too old")
	ErrTooNew      = errors.New("webhook: the signature is of the future")
)

// An Option configures Verify.
type Option func(*settings)

type settings struct {
	tolerance time.Duration
	now       time.Time
}

// Tolerance sets how far the time of a signature may be from now, either way.
func Tolerance(d time.Duration) Option { return func(s *settings) { s.tolerance = d } }

// At verifies as of the given time: for tests, and for stored deliveries.
func At(now time.Time) Option { return func(s *settings) { s.now = now } }

// Verify returns nil if body was signed with secret within the tolerance. body
// is the request's body, byte for byte; header is the value of its Svc-Signature
// header; secret is the whole whsec_… text. While a secret is being rotated the
// header has several signatures, and one that matches is enough.
//
// Otherwise it returns an error that wraps ErrNoSecret, ErrNoSignature,
// ErrMalformed, ErrMismatch, ErrTooOld or ErrTooNew. The last two are only
// returned for genuine signatures: a replayed request, or clocks that do not
// agree.
func Verify(body []byte, header, secret string, options ...Option) error {
	s := settings{tolerance: DefaultTolerance, now: time.Now()}
	for _, set := range options {
		set(&s)
	}
	if secret == "" {
		return ErrNoSecret
	}
	claimed, err := parse(header)
	if err != nil {
		return err
	}
	if !claimed.matches(body, secret) {
		return ErrMismatch
	}
	switch age := s.now.Sub(claimed.time()); {
	case age > s.tolerance:
		return fmt.Errorf("%w: it was made %s ago", ErrTooOld, age.Round(time.Second))
	case age < -s.tolerance:
		return fmt.Errorf("%w: it will be made in %s", ErrTooNew, -age.Round(time.Second))
	}
	return nil
}

// claim is a parsed signature header.
type claim struct {
	seconds    int64
	signatures []string // of version 1, in hexadecimal
}

func (c claim) time() time.Time { return time.Unix(c.seconds, 0) }

// latest bounds times to the year 9999.
const latest = 253402300799

// parse parses t=<unix seconds>,v1=<hex>[,v1=<hex>…]. It ignores other parts,
// which are for future verifiers.
func parse(header string) (claim, error) {
	if strings.TrimSpace(header) == "" {
		return claim{}, ErrNoSignature
	}
	c := claim{seconds: -1}
	for part := range strings.SplitSeq(header, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case !found:
			return claim{}, fmt.Errorf("%w: a part of it is not name=value", ErrMalformed)
		case name == "t":
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil || c.seconds >= 0 || seconds < 0 || seconds > latest || strconv.FormatInt(seconds, 10) != value {
				return claim{}, fmt.Errorf("%w: t is not one time in seconds", ErrMalformed)
			}
			c.seconds = seconds
		case name == "v1":
			c.signatures = append(c.signatures, value)
		}
	}
	switch {
	case c.seconds < 0:
		return claim{}, fmt.Errorf("%w: it has no t", ErrMalformed)
	case len(c.signatures) == 0:
		return claim{}, fmt.Errorf("%w: it has no v1", ErrMalformed)
	}
	return c, nil
}

// matches compares every signature in constant time.
func (c claim) matches(body []byte, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strconv.FormatInt(c.seconds, 10) + "."))
	mac.Write(body)
	want, found := mac.Sum(nil), false
	for _, text := range c.signatures {
		got, err := hex.DecodeString(text)
		if err == nil && hmac.Equal(got, want) {
			found = true
		}
	}
	return found
}
