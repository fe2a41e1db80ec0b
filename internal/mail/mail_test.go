package mail

import (
	"net/mail"
	"strings"
	"testing"
	"time"
)

func TestServersAreReadFromAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"smtp://mail.example.org":                  "mail.example.org:587",
		"smtps://mail.example.org":                 "mail.example.org:465",
		"smtp://user:p%40ss@mail.example.org:2525": "mail.example.org:2525",
		"http://mail.example.org":                  "",
		"smtp://":                                  "",
		"mail.example.org":                         "",
		"smtp://mail.example.org/path":             "",
	} {
		s, err := New(address, "Cradle <cradle@example.org>")
		if (err == nil) != (want != "") || err == nil && s.address != want {
			t.Errorf("%s: %+v, %v", address, s, err)
		}
	}
	if _, err := New("smtp://mail.example.org", "nobody"); err == nil {
		t.Error("a sender without an address is taken")
	}
}

func TestNoTextBeginsAHeader(t *testing.T) {
	from, to := mail.Address{Name: "Cradle", Address: "cradle@example.org"}, mail.Address{Address: "a@example.org"}
	text := string(message(from, to, "Team\r\nBcc: evil@example.org", "Hello\r\n.\r\nRCPT TO:<x@y.z>\r\n", time.Unix(0, 0)))
	parsed, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Header.Get("Bcc") != "" || len(parsed.Header) != 7 {
		t.Errorf("a text became a header: %v", parsed.Header)
	}
	if strings.Contains(text, "RCPT") {
		t.Error("the text is not encoded")
	}
}

func TestFailuresAreTold(t *testing.T) {
	s, err := New("smtp://127.0.0.1:1", "cradle@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), "a@example.org", "x", "y"); err == nil {
		t.Error("a server that is not there took a mail")
	}
	if err := s.Send(t.Context(), "a@example.org\r\nb@example.org", "x", "y"); err == nil || !strings.Contains(err.Error(), "recipient") {
		t.Errorf("two recipients: %v", err)
	}
}
