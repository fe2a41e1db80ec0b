package account

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"cradle/internal/fault"
)

const (
	minPassword = 8    // characters
	maxPassword = 1024 // bytes
)

// effort is the cost of hashing a password.
type effort struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

// The figures are those OWASP recommends for argon2id.
var currentEffort = effort{memory: 19 * 1024, passes: 2, threads: 1}

const (
	saltBytes   = 16
	digestBytes = 32
)

// absentPassword is compared with when no password is stored, so that such a
// sign-in takes as long as any other.
var absentPassword = encodePassword(currentEffort, make([]byte, saltBytes), make([]byte, digestBytes))

// CheckPassword refuses a password that is not UTF-8, too short or too long.
func CheckPassword(password string) error {
	switch {
	case !utf8.ValidString(password):
		return fault.Fieldf("password", "must be valid UTF-8")
	case utf8.RuneCountInString(password) < minPassword:
		return fault.Fieldf("password", "must have at least %d characters", minPassword)
	case len(password) > maxPassword:
		return fault.Fieldf("password", "must have at most %d bytes", maxPassword)
	}
	return nil
}

// HashPassword returns the stored form of a password: a PHC string.
func HashPassword(password string) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	return encodePassword(currentEffort, salt, currentEffort.digest(password, salt, digestBytes))
}

// VerifyPassword reports whether password matches the stored one. If none is
// stored ("") it returns false after the same effort.
func VerifyPassword(stored, password string) bool {
	known := stored != ""
	if !known {
		stored = absentPassword
	}
	e, salt, want, err := decodePassword(stored)
	if err != nil {
		return false
	}
	got := e.digest(password, salt, len(want))
	return subtle.ConstantTimeCompare(got, want) == 1 && known
}

// digest normalises first: two systems may compose the same characters
// differently.
func (e effort) digest(password string, salt []byte, length int) []byte {
	return argon2.IDKey([]byte(norm.NFC.String(password)), salt, e.passes, e.memory, e.threads, uint32(length))
}

func encodePassword(e effort, salt, digest []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, e.memory, e.passes, e.threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(digest))
}

func decodePassword(stored string) (e effort, salt, digest []byte, err error) {
	fields := strings.Split(stored, "$")
	if len(fields) != 6 || fields[0] != "" || fields[1] != "argon2id" || fields[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return effort{}, nil, nil, fmt.Errorf("not an argon2id hash")
	}
	if _, err := fmt.Sscanf(fields[3], "m=%d,t=%d,p=%d", &e.memory, &e.passes, &e.threads); err != nil {
		return effort{}, nil, nil, fmt.Errorf("read argon2id parameters: %w", err)
	}
	if !e.bearable() {
		return effort{}, nil, nil, fmt.Errorf("argon2id parameters out of bounds")
	}
	if salt, err = base64.RawStdEncoding.DecodeString(fields[4]); err != nil {
		return effort{}, nil, nil, fmt.Errorf("read salt: %w", err)
	}
	if digest, err = base64.RawStdEncoding.DecodeString(fields[5]); err != nil {
		return effort{}, nil, nil, fmt.Errorf("read digest: %w", err)
	}
	if len(digest) < 16 || len(digest) > 128 {
		return effort{}, nil, nil, fmt.Errorf("argon2id digest of %d bytes", len(digest))
	}
	return e, salt, digest, nil
}

// bearable reports whether verifying a stored hash needs only a reasonable
// amount of memory.
func (e effort) bearable() bool {
	return e.memory >= 8 && e.memory <= 1<<20 && e.passes >= 1 && e.passes <= 100 && e.threads >= 1
}
