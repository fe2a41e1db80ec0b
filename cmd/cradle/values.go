package main

import (
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"cradle/internal/account"
	"cradle/internal/formats"
	"cradle/internal/lci"
)

// valueError is an invalid value on an otherwise valid command line.
type valueError struct{ message string }

func (e *valueError) Error() string { return e.message }

func wrongValue(format string, args ...any) error {
	return &valueError{fmt.Sprintf(format, args...)}
}

// boolValues makes the parser refuse an invalid boolean like any other invalid
// value.
var boolValues = kong.KindMapper(reflect.Bool, boolMapper{})

type boolMapper struct{}

func (boolMapper) IsBool() bool { return true }

func (boolMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		target.SetBool(true)
		return nil
	}
	text := ctx.Scan.Pop().String()
	on, err := strconv.ParseBool(text)
	if err != nil {
		return wrongValue("%q is neither true nor false", text)
	}
	target.SetBool(on)
	return nil
}

// idValue is the id of a team or of a key.
type idValue lci.ID

func (v *idValue) UnmarshalText(text []byte) error {
	id, ok := lci.ParseID(string(text))
	if !ok || id.IsZero() {
		return wrongValue("%q is not an id; ids are UUIDs", text)
	}
	*v = idValue(id)
	return nil
}

func (v idValue) id() lci.ID { return lci.ID(v) }

func idsOf(values []idValue) []lci.ID {
	ids := make([]lci.ID, len(values))
	for i, v := range values {
		ids[i] = v.id()
	}
	return ids
}

// amountValue is a number of credits, which may be negative.
type amountValue int64

func (v *amountValue) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return wrongValue("%q is not a whole number of credits", text)
	}
	*v = amountValue(n)
	return nil
}

// countValue is a whole number of at least 0.
type countValue int64

func (v *countValue) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil || n < 0 {
		return wrongValue("%q is not a whole number between 0 and 2147483647", text)
	}
	*v = countValue(n)
	return nil
}

// shareValue is a fraction.
type shareValue float64

func (v *shareValue) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(n >= 0 && n <= 1) {
		return wrongValue("%q is not a number from 0 to 1", text)
	}
	*v = shareValue(n)
	return nil
}

// rateValue is a number of requests per second.
type rateValue float64

func (v *rateValue) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(n >= 0 && n <= 1e9) {
		return wrongValue("%q is not a number of requests per second", text)
	}
	*v = rateValue(n)
	return nil
}

// durationValue is a length of time: 90s, 1h30m, 7d.
type durationValue time.Duration

func (v *durationValue) UnmarshalText(text []byte) error {
	d, err := parseDuration(string(text))
	if err != nil || d <= 0 {
		return wrongValue("%q is not a duration such as 90s, 1h or 7d", text)
	}
	*v = durationValue(d)
	return nil
}

func parseDuration(text string) (time.Duration, error) {
	days, ok := strings.CutSuffix(text, "d")
	if !ok {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseInt(days, 10, 32)
	if err != nil || n > 100*365 {
		return 0, fmt.Errorf("%q is not a number of days", days)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// networkValue is a network or a single address.
type networkValue netip.Prefix

func (v *networkValue) UnmarshalText(text []byte) error {
	prefix, err := netip.ParsePrefix(string(text))
	if address, aErr := netip.ParseAddr(string(text)); aErr == nil {
		prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
	}
	if err != nil {
		return wrongValue("%q is neither an address nor a range such as 10.0.0.0/8", text)
	}
	*v = networkValue(prefix)
	return nil
}

// roleValue is a role in a team, "" when none was given.
type roleValue account.Role

func (v *roleValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, string(account.Owner), string(account.Member))
}

// formatValue is the format of a library, "" to detect it.
type formatValue string

func (v *formatValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, formatNames()...)
}

// exportFormatValue is a format to export to.
type exportFormatValue string

func (v *exportFormatValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, formats.ExportNames()...)
}

// logFormatValue is the format of the service's own log.
type logFormatValue string

func (v *logFormatValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, "text", "json")
}

// sandboxValue is which numbers test keys see.
type sandboxValue string

func (v *sandboxValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, "real", "synthetic")
}

func choose(into *string, text []byte, choices ...string) error {
	for _, choice := range choices {
		if string(text) == choice {
			*into = choice
			return nil
		}
	}
	return wrongValue("%q must be one of %s", text, strings.Join(choices, ", "))
}
