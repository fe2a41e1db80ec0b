package account

import (
	"strings"
	"testing"
)

func TestNewSecretIsPrefixAnd32Characters(t *testing.T) {
	for mode, prefix := range map[Mode]string{Live: "svc_live_", Sandbox: "svc_test_"} {
		seen := map[string]bool{}
		for range 100 {
			secret := NewSecret(mode)
			if !strings.HasPrefix(secret, prefix) || len(secret) != len(prefix)+32 || strings.Trim(secret[len(prefix):], keyAlphabet) != "" || seen[secret] {
				t.Fatalf("%s key %q", mode, secret)
			}
			seen[secret] = true
			if parsed, ok := ParseSecret(secret); !ok || parsed != mode {
				t.Errorf("%q is read as %s, %v", secret, parsed, ok)
			}
			if ShownPrefix(secret) != secret[:18] {
				t.Errorf("%q shows %q", secret, ShownPrefix(secret))
			}
		}
	}
}

func TestEveryCharacterOfAKeyIsDrawnAsOften(t *testing.T) {
	counts := map[rune]int{}
	const drawn = 62 * 1000
	for _, r := range randomText(drawn) {
		counts[r]++
	}
	for _, r := range keyAlphabet {
		if n := counts[r]; n < 800 || n > 1200 { // over six standard deviations
			t.Errorf("%c was drawn %d times of about 1000", r, n)
		}
	}
}

// The literal must not change: databases hold such hashes.
func TestHashOfASecretIsItsSHA256(t *testing.T) {
	if got, want := HashSecret("svc_live_"+strings.Repeat("a", 32)), "caa65eedeee479f4536cb1d9b4a8dd8e9699d0bab42c11c0788e2067604f0957"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
