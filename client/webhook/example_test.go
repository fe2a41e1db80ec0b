package webhook_test

import (
	"errors"
	"fmt"
	"time"

	"cradle/client/webhook"
)

func ExampleVerify() {
	// What arrived, and the secret shown when the endpoint was added.
	body := []byte(`{"id":"evt_541ad3b4-8b14-4484-b873-5df777f85873","type":"webhook.test","created":1789459200,"livemode":false,` +
		`"teamId":"06a38ca9-d44a-4ea7-9dfe-c048ccb0701a","data":{"message":"This is a test of a webhook endpoint."}}`)
	header := "t=1789459200,v1=c009dbee21c3b9619c15cdf8c25694b49f172815a3cd6bd907419b69989cbd03"
	secret := "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	// Omit At in a receiver: the default is now.
	soon := webhook.At(time.Unix(1789459201, 0))

	fmt.Println(webhook.Verify(body, header, secret, soon))

	body[0] = ' '
	err := webhook.Verify(body, header, secret, soon)
	fmt.Println(err, errors.Is(err, webhook.ErrMismatch))
	// Output:
	// <nil>
	// webhook: the signature does not match the body and the secret true
}
