package account

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"

	"cradle/internal/lci"
)

// ErrSeal means that a sealed text was made with another secret or for another
// record, or was changed.
var ErrSeal = errors.New("the sealed text does not open with this server's secret")

// sealForm is the first byte of every sealed text, to allow for other formats.
const sealForm = 1

// A Sealer encrypts small secrets that must be shown again with AES-256-GCM,
// each bound to the record that it belongs to.
type Sealer struct {
	aead cipher.AEAD
}

// NewSealer derives a separate key for each purpose from the server's secret.
func NewSealer(secret []byte, purpose string) (*Sealer, error) {
	if len(secret) == 0 {
		return nil, errors.New("the server's secret is empty")
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "cradle/"+purpose, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &Sealer{aead}, nil
}

// Seal encrypts text for one record.
func (s *Sealer) Seal(owner lci.ID, text string) []byte {
	return s.aead.Seal([]byte{sealForm}, nil, []byte(text), owner[:])
}

// Open returns what Seal was given for the same record, or ErrSeal.
func (s *Sealer) Open(owner lci.ID, sealed []byte) (string, error) {
	if len(sealed) == 0 || sealed[0] != sealForm {
		return "", ErrSeal
	}
	text, err := s.aead.Open(nil, nil, sealed[1:], owner[:])
	if err != nil {
		return "", ErrSeal
	}
	return string(text), nil
}
