package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const userAgent = "Svc-Webhooks/1.0"

// Sign returns the v1 signature of a body sent at a time: the HMAC-SHA256 of
// "<unix seconds>.<body>", keyed with the whole secret, in hexadecimal.
func Sign(secret string, at time.Time, body []byte) string {
	return hex.EncodeToString(mac([]byte(secret), strconv.FormatInt(at.Unix(), 10)+".", body))
}

// signStandard returns the signature that a Standard Webhooks library checks:
// keyed with the decoded secret, over "<id>.<unix seconds>.<body>", in base64.
func signStandard(secret, id string, at time.Time, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		key = []byte(secret)
	}
	return base64.StdEncoding.EncodeToString(mac(key, id+"."+strconv.FormatInt(at.Unix(), 10)+".", body))
}

func mac(key []byte, before string, body []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(before))
	m.Write(body)
	return m.Sum(nil)
}

// setHeaders sets the headers that a receiver verifies. While a secret is being
// rotated, both secrets sign.
func setHeaders(h http.Header, job Job, at time.Time) {
	seconds := strconv.FormatInt(at.Unix(), 10)
	own, standard := "t="+seconds, make([]string, len(job.Secrets))
	for i, secret := range job.Secrets {
		own += ",v1=" + Sign(secret, at, job.Body)
		standard[i] = "v1," + signStandard(secret, job.EventID, at, job.Body)
	}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", userAgent)
	h.Set("Svc-Event", job.EventType)
	h.Set("Svc-Event-Id", job.EventID)
	h.Set("Svc-Webhook-Id", job.Endpoint)
	h.Set("Svc-Signature", own)
	h.Set("webhook-id", job.EventID)
	h.Set("webhook-timestamp", seconds)
	h.Set("webhook-signature", strings.Join(standard, " "))
}
