package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	livePrefix   = "svc_live_"
	testPrefix   = "svc_test_"
	keyRandom    = 32
	keyAlphabet  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	shownOfAKey  = 18
	lengthOfAKey = len(livePrefix) + keyRandom
)

// NewSecret returns a new key's text.
func NewSecret(mode Mode) string {
	prefix := livePrefix
	if mode == Sandbox {
		prefix = testPrefix
	}
	return prefix + randomText(keyRandom)
}

// randomText draws uniformly from the alphabet.
func randomText(n int) string {
	out := make([]byte, 0, n)
	var random [64]byte
	for len(out) < n {
		rand.Read(random[:])
		for _, b := range random {
			if int(b) < 256-256%len(keyAlphabet) && len(out) < n {
				out = append(out, keyAlphabet[int(b)%len(keyAlphabet)])
			}
		}
	}
	return string(out)
}

// ParseSecret returns the mode of a key, or false if the text is not a key.
func ParseSecret(secret string) (Mode, bool) {
	if len(secret) != lengthOfAKey {
		return "", false
	}
	for i := len(livePrefix); i < len(secret); i++ {
		if strings.IndexByte(keyAlphabet, secret[i]) < 0 {
			return "", false
		}
	}
	switch secret[:len(livePrefix)] {
	case livePrefix:
		return Live, true
	case testPrefix:
		return Sandbox, true
	}
	return "", false
}

// ShownPrefix is the part of a key that may be stored and shown.
func ShownPrefix(secret string) string { return secret[:shownOfAKey] }

// HashSecret returns the stored form of a key.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
