package webhook

import (
	"encoding/base64"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"cradle/internal/event"
)

// The vectors were made with another implementation of HMAC. The last is the
// example that Standard Webhooks libraries are tested with.
var vectors = []struct {
	secret, id    string
	at            int64
	body          string
	own, standard string
}{
	{
		"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "evt_00000000-0000-4000-8000-000000000001", 1747000000,
		`{"id":"evt_00000000-0000-4000-8000-000000000001","type":"webhook.test","data":{"message":"Grüße"}}`,
		"15c57f7a12f2afb7087d3c98a8e1591265ae5b4e1df8b2ff277712d616483e45", "RqKczMpLOzITi2Tg8h+8e5G1cKGhtDkImAQ83dTc4Pg=",
	},
	{
		"whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=", "evt_00000000-0000-4000-8000-000000000001", 1747000000,
		`{"id":"evt_00000000-0000-4000-8000-000000000001","type":"webhook.test","data":{"message":"Grüße"}}`,
		"c8914307909c0e6efb3afc92c216439ceb34e1cafc033a767c3dbe413ba8065b", "gWwgMQrGdgnRr4659w28S1oBEaujVoG170dhElml12Y=",
	},
	{
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
		`{"test": 2432232314}`,
		"2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	},
}

func TestSignaturesArePinned(t *testing.T) {
	for _, v := range vectors {
		at := time.Unix(v.at, 999_999_999)
		if got := Sign(v.secret, at, []byte(v.body)); got != v.own {
			t.Errorf("%s: v1 %s, want %s", v.id, got, v.own)
		}
		if got := signStandard(v.secret, v.id, at, []byte(v.body)); got != v.standard {
			t.Errorf("%s: the standard signature is %s, want %s", v.id, got, v.standard)
		}
	}
}

func TestHeadersCarryOneSignaturePerSecret(t *testing.T) {
	first, second := vectors[0], vectors[1]
	job := Job{Endpoint: "wh_1", EventID: first.id, EventType: event.WebhookTest, Body: []byte(first.body), Secrets: []string{first.secret, second.secret}}
	got := http.Header{}
	setHeaders(got, job, time.Unix(first.at, 0))
	want := http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"Svc-Webhooks/1.0"},
		"Svc-Event":         {"webhook.test"},
		"Svc-Event-Id":      {first.id},
		"Svc-Webhook-Id":    {"wh_1"},
		"Svc-Signature":     {"t=1747000000,v1=" + first.own + ",v1=" + second.own},
		"Webhook-Id":        {first.id},
		"Webhook-Timestamp": {"1747000000"},
		"Webhook-Signature": {"v1," + first.standard + " v1," + second.standard},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("headers %v\nwant %v", got, want)
	}
}

func TestSecretsAreLongRandomAndReadable(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		secret := NewSecret()
		encoded, ok := strings.CutPrefix(secret, "whsec_")
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !ok || err != nil || len(key) != 32 || seen[secret] {
			t.Fatalf("secret %q: %v", secret, err)
		}
		seen[secret] = true
	}
}
