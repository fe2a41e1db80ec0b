package account

import (
	"bytes"
	"errors"
	"testing"

	"cradle/internal/lci"
)

func sealer(t *testing.T, secret, purpose string) *Sealer {
	t.Helper()
	s, err := NewSealer([]byte(secret), purpose)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSealedTextOpensOnlyForItsRecordSecretAndPurpose(t *testing.T) {
	s, owner := sealer(t, "secret", "test keys"), lci.NewID()
	sealed := s.Seal(owner, "svc_test_abc")
	if bytes.Contains(sealed, []byte("svc_test")) || bytes.Equal(sealed, s.Seal(owner, "svc_test_abc")) {
		t.Error("the text shows")
	}
	if text, err := s.Open(owner, sealed); err != nil || text != "svc_test_abc" {
		t.Errorf("opened as %q, %v", text, err)
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	otherForm := bytes.Clone(sealed)
	otherForm[0]++
	for name, open := range map[string]func() (string, error){
		"another record":  func() (string, error) { return s.Open(lci.NewID(), sealed) },
		"another secret":  func() (string, error) { return sealer(t, "other", "test keys").Open(owner, sealed) },
		"another purpose": func() (string, error) { return sealer(t, "secret", "webhooks").Open(owner, sealed) },
		"a changed text":  func() (string, error) { return s.Open(owner, changed) },
		"another form":    func() (string, error) { return s.Open(owner, otherForm) },
		"a cut text":      func() (string, error) { return s.Open(owner, sealed[:5]) },
		"nothing":         func() (string, error) { return s.Open(owner, nil) },
	} {
		if text, err := open(); !errors.Is(err, ErrSeal) {
			t.Errorf("%s: opened as %q, %v", name, text, err)
		}
	}
	if _, err := NewSealer(nil, "test keys"); err == nil {
		t.Error("an empty secret is accepted")
	}
}
