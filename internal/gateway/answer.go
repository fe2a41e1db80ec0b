package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"cradle/internal/fault"
)

// statuses maps kinds of faults to HTTP statuses, for all APIs.
var statuses = map[fault.Kind]int{
	fault.Internal:         http.StatusInternalServerError,
	fault.Invalid:          http.StatusBadRequest,
	fault.Unauthenticated:  http.StatusUnauthorized,
	fault.Forbidden:        http.StatusForbidden,
	fault.NotFound:         http.StatusNotFound,
	fault.MethodNotAllowed: http.StatusMethodNotAllowed,
	fault.Conflict:         http.StatusConflict,
	fault.TooLarge:         http.StatusRequestEntityTooLarge,
	fault.UnsupportedMedia: http.StatusUnsupportedMediaType,
	fault.Unprocessable:    http.StatusUnprocessableEntity,
	fault.RateLimited:      http.StatusTooManyRequests,
	fault.Unavailable:      http.StatusServiceUnavailable,
}

// StatusOf returns the HTTP status of a fault.
func StatusOf(f *fault.Error) int { return statuses[f.Kind] }

// statusClientGone is logged for a request whose client did not wait.
const statusClientGone = 499

var (
	jsonType     = []string{"application/json"}
	cacheControl = []string{"private, no-cache"}
	vary         = []string{"x-api-key, x-team-id, Svc-Version, Accept-Encoding"}
)

func (c *Call) commonHeaders() {
	h := c.writer.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = cacheControl
	if more := h["Vary"]; more == nil {
		h["Vary"] = vary
	} else { // of a handler around this one
		h["Vary"] = []string{vary[0] + ", " + strings.Join(more, ", ")}
	}
	h["Svc-Version"] = []string{string(c.Version)}
	h["Svc-Request-Id"] = []string{c.RequestID}
}

// Header returns the answer's headers.
func (c *Call) Header() http.Header { return c.writer.Header() }

// Sum identifies the content of an answer: equal sums mean equal bytes.
type Sum [16]byte

// SumOf returns the sum of some content.
func SumOf(content []byte) Sum {
	full := sha256.Sum256(content)
	return Sum(full[:16])
}

// Content is the body of a read, written only if it is needed. Shared means that
// the body is the same for every viewer, so that its compressed form may be
// cached for all.
type Content struct {
	Sum    Sum
	Shared bool
	Append func(to []byte) []byte
}

// ContentOf returns a Content with the given body.
func ContentOf(body []byte) Content {
	return Content{Sum: SumOf(body), Append: func(to []byte) []byte { return append(to, body...) }}
}

var bodies = sync.Pool{New: func() any { b := make([]byte, 0, 32<<10); return &b }}

// with hands the body to use, which must not keep it.
func (content Content) with(use func(body []byte)) {
	b := bodies.Get().(*[]byte)
	*b = content.Append((*b)[:0])
	use(*b)
	bodies.Put(b)
}

// Read answers a read: 200 with an ETag, or 304 if the client has it already.
func (c *Call) Read(content Content) error {
	encoding := negotiate(c.Request.Header.Get("Accept-Encoding"))
	etag := c.etag(content.Sum, encoding)
	c.writer.Header()["Etag"] = []string{etag}
	if matches(c.Request.Header.Values("If-None-Match"), etag) {
		c.writer.Header().Del("Content-Type")
		c.status = http.StatusNotModified
		c.writer.WriteHeader(c.status)
		return nil
	}
	if encoding == "" {
		content.with(func(body []byte) { c.write(http.StatusOK, body) })
		return nil
	}
	c.writer.Header()["Content-Encoding"] = []string{encoding}
	c.write(http.StatusOK, c.gateway.compressed.compressed(c.Viewer, content, encoding))
	return nil
}

// File answers with a file: 200 with an ETag, or 304 if the client has it
// already.
func (c *Call) File(content io.Reader, mediaType, name string, sum Sum) error {
	etag := c.etag(sum, "")
	h := c.writer.Header()
	h["Etag"] = []string{etag}
	c.status = http.StatusOK
	if matches(c.Request.Header.Values("If-None-Match"), etag) {
		h.Del("Content-Type")
		c.status = http.StatusNotModified
		c.writer.WriteHeader(c.status)
		return nil
	}
	h["Content-Type"] = []string{mediaType}
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	c.writer.WriteHeader(c.status)
	if c.Request.Method == http.MethodHead {
		return nil
	}
	_, err := io.Copy(c.writer, content)
	return err
}

// etag is made of content, media type, version, team, mode and encoding.
func (c *Call) etag(sum Sum, encoding string) string {
	made := make([]byte, 0, 128)
	made = append(made, sum[:]...)
	made = append(made, c.Version...)
	made = append(made, c.Viewer.Team[:]...)
	made = append(made, c.Viewer.Mode...)
	made = append(made, encoding...)
	made = append(made, c.writer.Header().Get("Content-Type")...)
	full := sha256.Sum256(made)
	out := make([]byte, 34)
	out[0], out[33] = '"', '"'
	hex.Encode(out[1:33], full[:16])
	return string(out)
}

// matches reports whether an If-None-Match header names the ETag.
func matches(headers []string, etag string) bool {
	for _, header := range headers {
		for tag := range strings.SplitSeq(header, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}

// Answer answers a read sent as POST, which has no ETag.
func (c *Call) Answer(body []byte) {
	encoding := negotiate(c.Request.Header.Get("Accept-Encoding"))
	if encoding == "" {
		c.write(http.StatusOK, body)
		return
	}
	c.writer.Header()["Content-Encoding"] = []string{encoding}
	c.write(http.StatusOK, c.gateway.compressed.compressed(c.Viewer, ContentOf(body), encoding))
}

// JSON answers a request other than a read.
func (c *Call) JSON(status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c.Send(status, text)
	return nil
}

// Send answers with a JSON body.
func (c *Call) Send(status int, body []byte) {
	if encoding := negotiate(c.Request.Header.Get("Accept-Encoding")); encoding != "" {
		c.writer.Header()["Content-Encoding"] = []string{encoding}
		body = compress(encoding, body)
	}
	c.write(status, body)
}

func (c *Call) write(status int, body []byte) {
	c.status = status
	c.writer.Header()["Content-Length"] = []string{itoa(len(body))}
	c.writer.WriteHeader(status)
	c.writer.Write(body)
}

type errorBody struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
}

// refuse writes an error in the envelope. Only a fault's message is shown.
func (c *Call) refuse(err error) {
	if c.status != 0 {
		return
	}
	if errors.Is(err, context.Canceled) && errors.Is(c.Request.Context().Err(), context.Canceled) {
		c.status = statusClientGone
		return
	}
	f, status := c.Fault(err)
	h := c.writer.Header()
	h["Content-Type"] = jsonType
	h.Del("Etag")
	h["Svc-Error-Code"] = []string{f.Code}
	if f.Kind == fault.Unavailable {
		h.Set("Retry-After", "1")
	}
	body, _ := json.Marshal(errorBody{status, f.Message})
	c.Send(status, body)
}

// Fault returns what a client may be told about an error, and the status. It
// logs whatever it withholds.
func (c *Call) Fault(err error) (*fault.Error, int) {
	f := fault.As(err)
	switch {
	case f == nil && errors.Is(err, context.DeadlineExceeded):
		f = fault.New(fault.Unavailable, "unavailable", "The request took too long and was cancelled; nothing was changed, try again shortly")
	case f == nil:
		f = fault.New(fault.Internal, "internal", "The request failed; please report it with the request id %s", c.RequestID)
	}
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		c.gateway.Log.Error("request failed", "requestId", c.RequestID, "method", c.Method, "path", clip(c.Path), "error", err)
	}
	return f, statuses[f.Kind]
}

func itoa(n int) string { return strconv.Itoa(n) }

// seconds rounds up to whole seconds, at least one.
func seconds(d time.Duration) string { return itoa(max(1, int(math.Ceil(d.Seconds())))) }

// longest is how much of a client's text is quoted or logged.
const longest = 1000

func clip(s string) string {
	if len(s) > longest {
		s = s[:longest]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// printable makes a client's text safe to quote in a message and to store: it
// removes control characters, among them NUL, which PostgreSQL refuses.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, clip(s))
}
