package account

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

const (
	maxEmail       = 254
	maxName        = 200
	maxDescription = 2000
)

// normalEmail trims an e-mail address and refuses anything but a plain address.
func normalEmail(email string) (string, error) {
	email = strings.TrimSpace(email)
	if email == "" {
		return "", fault.Fieldf("email", "must not be empty")
	}
	if len(email) > maxEmail {
		return "", fault.Fieldf("email", "must have at most %d bytes", maxEmail)
	}
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || strings.ContainsFunc(email, unicode.IsControl) {
		return "", fault.Fieldf("email", "%q is not an e-mail address", email)
	}
	return email, nil
}

// CheckEmail refuses anything but a plain e-mail address.
func CheckEmail(email string) error {
	_, err := normalEmail(email)
	return err
}

// foldEmail is the form in which addresses are unique.
func foldEmail(email string) string { return lci.Fold(strings.TrimSpace(email)) }

// normalName trims a required one-line text.
func normalName(field, text string) (string, error) {
	text, err := OneLine(field, text, maxName)
	if err == nil && text == "" {
		err = fault.Fieldf(field, "must not be empty")
	}
	return text, err
}

// OneLine trims an optional one-line text, or returns a fault that names the
// field.
func OneLine(field, text string, most int) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case !utf8.ValidString(text):
		return "", fault.Fieldf(field, "must be valid UTF-8")
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", fault.Fieldf(field, "must not contain control characters")
	case utf8.RuneCountInString(text) > most:
		return "", fault.Fieldf(field, "must have at most %d characters", most)
	}
	return text, nil
}
