package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	sending "cradle/internal/webhook"
)

// The pinned vector: docs/webhooks.md shows the same.
const (
	vectorSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	vectorTime   = 1789459200
	vectorHex    = "c009dbee21c3b9619c15cdf8c25694b49f172815a3cd6bd907419b69989cbd03"
	vectorHeader = "t=1789459200,v1=" + vectorHex
	vectorBody   = `{"id":"evt_541ad3b4-8b14-4484-b873-5df777f85873","type":"webhook.test","created":1789459200,"livemode":false,` +
		`"teamId":"06a38ca9-d44a-4ea7-9dfe-c048ccb0701a","data":{"message":"This is a test of a webhook endpoint."}}`
)

var vectorNow = time.Unix(vectorTime, 0)

// signed is a header computed by this test.
func signed(at int64, secret, body string) string {
	m := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(m, "%d.%s", at, body)
	return fmt.Sprintf("t=%d,v1=%s", at, hex.EncodeToString(m.Sum(nil)))
}

func TestThePinnedVector(t *testing.T) {
	if err := Verify([]byte(vectorBody), vectorHeader, vectorSecret, At(vectorNow)); err != nil {
		t.Error(err)
	}
	if got := "t=" + strconv.Itoa(vectorTime) + ",v1=" + sending.Sign(vectorSecret, vectorNow, []byte(vectorBody)); got != vectorHeader {
		t.Errorf("the service signs it %s", got)
	}
}

func TestVerify(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	late := func(d time.Duration) []Option { return []Option{At(vectorNow.Add(d))} }
	for _, c := range []struct {
		name, body, header, secret string
		options                    []Option
		want                       error
	}{
		{"genuine", vectorBody, vectorHeader, vectorSecret, nil, nil},
		{"an empty body", "", signed(vectorTime, vectorSecret, ""), vectorSecret, nil, nil},
		{"hexadecimal in capitals", vectorBody, "t=1789459200,v1=" + strings.ToUpper(vectorHex), vectorSecret, nil, nil},
		{"spaces between parts", vectorBody, " t=1789459200, v1=" + vectorHex + " ", vectorSecret, nil, nil},
		{"parts in another order", vectorBody, "v1=" + vectorHex + ",t=1789459200", vectorSecret, nil, nil},
		{"another version beside it", vectorBody, vectorHeader + ",v2=anything=at,all=", vectorSecret, nil, nil},
		{"the second of two signatures", vectorBody, "t=1789459200,v1=" + zeros + ",v1=" + vectorHex, vectorSecret, nil, nil},
		{"the first of two signatures", vectorBody, vectorHeader + ",v1=" + zeros, vectorSecret, nil, nil},
		{"beside a signature that is no hexadecimal", vectorBody, "t=1789459200,v1=nonsense,v1=" + vectorHex, vectorSecret, nil, nil},
		{"as old as tolerated", vectorBody, vectorHeader, vectorSecret, late(5 * time.Minute), nil},
		{"as new as tolerated", vectorBody, vectorHeader, vectorSecret, late(-5 * time.Minute), nil},
		{"old, and tolerated", vectorBody, vectorHeader, vectorSecret, append(late(time.Hour), Tolerance(time.Hour)), nil},

		{"no secret", vectorBody, vectorHeader, "", nil, ErrNoSecret},
		{"no header", vectorBody, "", vectorSecret, nil, ErrNoSignature},
		{"a header of spaces", vectorBody, "  ", vectorSecret, nil, ErrNoSignature},
		{"no time", vectorBody, "v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"no signature", vectorBody, "t=1789459200", vectorSecret, nil, ErrMalformed},
		{"only of another version", vectorBody, "t=1789459200,v0=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"two times", vectorBody, vectorHeader + ",t=1789459200", vectorSecret, nil, ErrMalformed},
		{"a time that is no number", vectorBody, "t=now,v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"a time with a sign", vectorBody, "t=+1789459200,v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"a time before 1970", vectorBody, "t=-5,v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"a time with zeros before it", vectorBody, "t=01789459200,v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"a time too long for a number", vectorBody, "t=99999999999999999999,v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"a time too late for a calendar", vectorBody, "t=9223372036854775807,v1=" + vectorHex, vectorSecret, nil, ErrMalformed},
		{"a part without a value", vectorBody, vectorHeader + ",v1", vectorSecret, nil, ErrMalformed},
		{"a changed body", vectorBody + " ", vectorHeader, vectorSecret, nil, ErrMismatch},
		{"another secret", vectorBody, vectorHeader, vectorSecret + "=", nil, ErrMismatch},
		{"another time", vectorBody, "t=1789459201,v1=" + vectorHex, vectorSecret, nil, ErrMismatch},
		{"a signature cut short", vectorBody, vectorHeader[:len(vectorHeader)-2], vectorSecret, nil, ErrMismatch},
		{"an empty signature", vectorBody, "t=1789459200,v1=", vectorSecret, nil, ErrMismatch},
		{"old", vectorBody, vectorHeader, vectorSecret, late(5*time.Minute + time.Second), ErrTooOld},
		{"of the future", vectorBody, vectorHeader, vectorSecret, late(-5*time.Minute - time.Second), ErrTooNew},
		{"old and changed", vectorBody + " ", vectorHeader, vectorSecret, late(time.Hour), ErrMismatch},
		{"from the first second", vectorBody, signed(0, vectorSecret, vectorBody), vectorSecret, nil, ErrTooOld},
		{"for the last second", vectorBody, signed(latest, vectorSecret, vectorBody), vectorSecret, nil, ErrTooNew},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Verify([]byte(c.body), c.header, c.secret, append([]Option{At(vectorNow)}, c.options...)...)
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestTheClockIsUsedUnlessTold(t *testing.T) {
	if err := Verify([]byte("x"), signed(time.Now().Unix(), vectorSecret, "x"), vectorSecret); err != nil {
		t.Error(err)
	}
	if err := Verify([]byte("x"), signed(time.Now().Add(-time.Hour).Unix(), vectorSecret, "x"), vectorSecret); !errors.Is(err, ErrTooOld) {
		t.Errorf("an hour later: %v", err)
	}
}

// Whatever the header, parsing it does not panic, and only the right signature
// is accepted.
func FuzzVerify(f *testing.F) {
	f.Add(vectorHeader)
	f.Add("")
	f.Add("t=1789459200,v1=" + vectorHex + ",v1=00")
	f.Add("t=1,t=2,v1=")
	f.Add("v1=" + vectorHex + ", t=1789459200,v2==")
	f.Fuzz(func(t *testing.T, header string) {
		err := Verify([]byte(vectorBody), header, vectorSecret, At(vectorNow))
		if err == nil && !strings.Contains(strings.ToLower(header), "v1="+vectorHex) {
			t.Errorf("believed %q", header)
		}
		if err != nil && !isOneOf(err, ErrNoSignature, ErrMalformed, ErrMismatch, ErrTooOld, ErrTooNew) {
			t.Errorf("%q fails with %v", header, err)
		}
		if err := Verify([]byte(vectorBody+" "), header, vectorSecret, At(vectorNow)); err == nil {
			t.Errorf("believed %q of a changed body", header)
		}
	})
}

func isOneOf(err error, kinds ...error) bool {
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
