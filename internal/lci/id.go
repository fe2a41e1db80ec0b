package lci

import (
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"
)

// ID identifies a record: a UUID. The zero ID means "none"; its text is "".
type ID [16]byte

// ParseID parses a UUID written 8-4-4-4-12 in hexadecimal of either case, and no
// other form.
func ParseID(s string) (ID, bool) { return parseID(s) }

func parseID[T string | []byte](s T) (ID, bool) {
	var id ID
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, false
	}
	at := 0
	for i := 0; i < 36; i += 2 {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			i++
		}
		hi, ok1 := hexDigit(s[i])
		lo, ok2 := hexDigit(s[i+1])
		if !ok1 || !ok2 {
			return ID{}, false
		}
		id[at] = hi<<4 | lo
		at++
	}
	return id, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// NewID returns a random (version 4) ID.
func NewID() ID {
	var id ID
	rand.Read(id[:])
	return id.stamped(4)
}

// NewIDAt returns an ID (version 7) that sorts by its time, to the millisecond,
// and is otherwise random. Rows that are written all the time have such ids, so
// that each new one is stored next to the last.
func NewIDAt(at time.Time) ID {
	var id ID
	rand.Read(id[6:])
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	return id.stamped(7)
}

// DerivedID returns the ID of a record derived from its natural key: the same
// parts always give the same ID.
func DerivedID(kind string, parts ...string) ID {
	key := append(make([]byte, 0, 256), "cradle:"...)
	key = append(key, kind...)
	for _, p := range parts {
		key = append(key, 0)
		key = strconv.AppendInt(key, int64(len(p)), 10)
		key = append(key, 0)
		key = append(key, p...)
	}
	sum := sha256.Sum256(key)
	id := ID(sum[:16])
	return id.stamped(8)
}

func (id ID) stamped(version byte) ID {
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	return id
}

// IsZero reports whether the ID is the zero ID.
func (id ID) IsZero() bool { return id == ID{} }

// Compare orders IDs like their texts.
func (id ID) Compare(other ID) int {
	for i := range id {
		if id[i] != other[i] {
			if id[i] < other[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	return string(id.Append(make([]byte, 0, 36)))
}

// Append appends the ID's text to b.
func (id ID) Append(b []byte) []byte {
	var t [36]byte
	hex.Encode(t[0:8], id[0:4])
	hex.Encode(t[9:13], id[4:6])
	hex.Encode(t[14:18], id[6:8])
	hex.Encode(t[19:23], id[8:10])
	hex.Encode(t[24:36], id[10:16])
	t[8], t[13], t[18], t[23] = '-', '-', '-', '-'
	return append(b, t[:]...)
}

func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText wrote: "" is the zero ID.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = ID{}
		return nil
	}
	parsed, ok := parseID(text)
	if !ok {
		return fmt.Errorf("%q is not a UUID", text)
	}
	*id = parsed
	return nil
}

// Value stores the ID as its text; the zero ID as NULL.
func (id ID) Value() (driver.Value, error) {
	if id.IsZero() {
		return nil, nil
	}
	return id.String(), nil
}

// Scan reads what Value stored.
func (id *ID) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*id = ID{}
		return nil
	case string:
		return id.UnmarshalText([]byte(v))
	case []byte:
		return id.UnmarshalText(v)
	}
	return fmt.Errorf("an id cannot be read from %T", src)
}
