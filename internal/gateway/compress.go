package gateway

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"cradle/internal/account"
	"cradle/internal/cache"
)

// negotiate returns the supported encoding that the client prefers, "" for none.
// On a tie zstd wins because it is cheaper.
func negotiate(header string) string {
	if header == "" {
		return ""
	}
	best, encoding := 0.0, ""
	for _, known := range []string{"zstd", "gzip"} {
		if q := quality(header, known); q > best {
			best, encoding = q, known
		}
	}
	if quality(header, "identity") > best {
		return ""
	}
	return encoding
}

// quality returns the weight that an Accept-Encoding header gives an encoding.
func quality(header, encoding string) float64 {
	others := 0.0
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, encoding):
			return weight(parameters)
		case name == "*" && encoding != "identity":
			others = weight(parameters)
		}
	}
	return others
}

func weight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		q, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0
		}
		return q
	}
	return 1
}

var zstdEncoders = sync.Pool{New: func() any {
	e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	return e
}}

var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzipLevel)
	return w
}}

const gzipLevel = 4

func compress(encoding string, body []byte) []byte {
	if encoding == "zstd" {
		e := zstdEncoders.Get().(*zstd.Encoder)
		defer zstdEncoders.Put(e)
		return e.EncodeAll(body, nil)
	}
	var out bytes.Buffer
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(&out)
	w.Write(body)
	w.Close()
	return out.Bytes()
}

// compressor remembers compressed answers.
type compressor struct {
	answers *cache.Cache[compressedKey, []byte]
}

// compressedKey identifies an answer; owner is empty if it is the same for all.
type compressedKey struct {
	sum      Sum
	encoding string
	owner    account.Wallet
}

func newCompressor(memory int) *compressor {
	return &compressor{cache.New(memory, func(_ compressedKey, body []byte) int { return len(body) })}
}

func (c *compressor) compressed(v account.Viewer, content Content, encoding string) []byte {
	key := compressedKey{sum: content.Sum, encoding: encoding}
	if !content.Shared {
		key.owner = v.Wallet()
	}
	if body, ok := c.answers.Get(key); ok {
		return body
	}
	var small []byte
	content.with(func(body []byte) { small = compress(encoding, body) })
	c.answers.Put(key, small)
	return small
}
