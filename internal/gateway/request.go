package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"cradle/internal/fault"
	"cradle/internal/purchase"
)

// ParseQuery parses a query string. A semicolon is an ordinary character.
func ParseQuery(raw string) (url.Values, error) {
	return url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
}

// Body reads a request's JSON body of up to most bytes.
func (c *Call) Body(most int64) ([]byte, error) {
	if err := c.checkMedia(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.writer, c.Request.Body, most))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, fault.New(fault.TooLarge, "body_too_large", "The body is larger than %d bytes", most)
	}
	if err != nil {
		return nil, fault.Invalidf("The body could not be read completely")
	}
	return body, nil
}

// checkMedia refuses a body that is not plain JSON.
func (c *Call) checkMedia() error {
	if kind := c.Request.Header.Get("Content-Type"); kind != "" {
		if media, _, err := mime.ParseMediaType(kind); err != nil || media != "application/json" {
			return fault.New(fault.UnsupportedMedia, "unsupported_media_type", "Content-Type must be application/json")
		}
	}
	for _, encoding := range c.Request.Header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			c.writer.Header().Set("Accept-Encoding", "identity")
			return fault.New(fault.UnsupportedMedia, "unsupported_media_type", "Content-Encoding is not supported: send the body uncompressed")
		}
	}
	return nil
}

// Idempotency returns the request's idempotency key, or nil.
func (c *Call) Idempotency(body []byte) (*purchase.Idempotency, error) {
	values, given := c.Request.Header["Idempotency-Key"]
	if !given {
		return nil, nil
	}
	if len(values) != 1 || len(values[0]) < 1 || len(values[0]) > 255 || !visible(values[0]) {
		return nil, fault.Fieldf("Idempotency-Key", "must be 1 to 255 visible characters")
	}
	digest := sha256.New()
	for _, part := range []string{c.Request.URL.EscapedPath(), c.Request.URL.RawQuery, string(c.Version), string(body)} {
		fmt.Fprintf(digest, "%d:%s", len(part), part)
	}
	return &purchase.Idempotency{Key: c.Viewer.Key, Team: c.Viewer.Team, Value: values[0], Digest: hex.EncodeToString(digest.Sum(nil))}, nil
}

func visible(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
