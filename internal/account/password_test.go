package account

import (
	"strings"
	"testing"
)

func TestPasswordIsVerifiedAgainstItsHash(t *testing.T) {
	stored := HashPassword("correct horse")
	if !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored as %s", stored)
	}
	if stored == HashPassword("correct horse") {
		t.Error("two hashes of one password are alike")
	}
	if !VerifyPassword(stored, "correct horse") {
		t.Error("the password is refused")
	}
	if !VerifyPassword(HashPassword("Zu\u0308rich 1234"), "Z\u00fcrich 1234") {
		t.Error("the same word composed otherwise is refused")
	}
	for name, c := range map[string][2]string{
		"another password":  {stored, "correct horsf"},
		"no password":       {stored, ""},
		"nothing stored":    {"", ""},
		"another algorithm": {strings.Replace(stored, "argon2id", "argon2i", 1), "correct horse"},
		"too much memory":   {strings.Replace(stored, "m=19456", "m=4194304", 1), "correct horse"},
		"no passes":         {strings.Replace(stored, "t=2", "t=0", 1), "correct horse"},
		"an empty digest":   {stored[:strings.LastIndexByte(stored, '$')+1], ""},
		"a broken salt":     {strings.Replace(stored, "p=1$", "p=1$%", 1), "correct horse"},
	} {
		if VerifyPassword(c[0], c[1]) {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestPasswordNobodyShouldHaveIsRefused(t *testing.T) {
	for _, password := range []string{"", "seven77", "\xff\xff\xff\xff\xff\xff\xff\xff", strings.Repeat("x", 1025)} {
		if CheckPassword(password) == nil {
			t.Errorf("%.20q is accepted", password)
		}
	}
	if err := CheckPassword("ächtzehn"); err != nil {
		t.Error(err)
	}
}
