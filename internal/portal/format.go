package portal

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"cradle/internal/purchase"
	"cradle/internal/webhook"
)

// functions are those that templates may call.
var functions = template.FuncMap{
	"asset":   assetPath,
	"number":  number,
	"signed":  signed,
	"credits": creditsText,
	"when":    when,
	"exact":   exact,
	"value":   shortValue,
	"full":    fullValue,
	"ms":      milliseconds,
	"dict":    dict,
	"percent": percent,
	"join":    strings.Join,
	"title":   titled,
	"initial": initial,
	"isLink":  isLink,
	"last":    lastAttempt,
}

// dict makes a map of names and values, for a template that needs several.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("a name without a value")
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("%v is no name", pairs[i])
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}

// number formats an integer in groups of three digits.
func number(n any) string {
	var whole int64
	switch n := n.(type) {
	case int:
		whole = int64(n)
	case int64:
		whole = n
	}
	if whole < 0 {
		return "−" + number(-whole)
	}
	text := strconv.FormatInt(whole, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func signed(n int64) string {
	if n > 0 {
		return "+" + number(n)
	}
	return number(n)
}

func creditsText(n int64) string {
	if n == 1 || n == -1 {
		return number(n) + " credit"
	}
	return number(n) + " credits"
}

// exact formats a time in full.
func exact(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04:05 UTC") }

// when formats a relative time, with the exact time as a tooltip.
func when(moment any) template.HTML {
	at, ok := moment.(time.Time)
	if !ok {
		at = *moment.(*time.Time)
	}
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`,
		at.UTC().Format("2006-01-02T15:04:05.000Z"), exact(at), ago(time.Now(), at)))
}

// ago formats a relative time.
func ago(now, at time.Time) string {
	if at.After(now.Add(time.Second)) {
		return "in " + span(at.Sub(now))
	}
	passed := now.Sub(at)
	if passed < 5*time.Second {
		return "just now"
	}
	if passed > 45*24*time.Hour {
		return at.UTC().Format("2 Jan 2006")
	}
	return span(passed) + " ago"
}

func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return plural(int(d.Seconds()), "second")
	case d < time.Hour:
		return plural(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return plural(int(d.Hours()), "hour")
	}
	return plural(int(d.Hours())/24, "day")
}

func plural(n int, word string) string {
	n = max(n, 1)
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// shortValue shows a number of the catalogue to six digits.
func shortValue(n *float64) string {
	if n == nil {
		return ""
	}
	size := math.Abs(*n)
	if size != 0 && (size < 1e-4 || size >= 1e9) {
		return strconv.FormatFloat(*n, 'g', 6, 64)
	}
	text := strconv.FormatFloat(*n, 'f', max(0, 5-exponent(size)), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func exponent(size float64) int {
	if size == 0 {
		return 0
	}
	return int(math.Floor(math.Log10(size)))
}

// fullValue shows a number of the catalogue with all digits.
func fullValue(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'g', -1, 64)
}

func milliseconds(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	switch {
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	case ms < 1000:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "0 %"
	}
	return strconv.FormatFloat(float64(part)*100/float64(whole), 'f', 1, 64) + " %"
}

func titled(word any) string {
	text := fmt.Sprint(word)
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// afterwards tells what a pull costs and the balance after it.
func afterwards(q purchase.Quote) string {
	return creditsText(q.Credits) + ", " + number(q.BalanceAfter) + " credits left"
}

func initial(name string) string {
	for _, r := range name {
		return string(unicode.ToUpper(r))
	}
	return ""
}

// isLink reports whether a source is a URL.
func isLink(source string) bool {
	return strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://")
}

// lastAttempt is the latest attempt, or nil.
func lastAttempt(log []webhook.Attempt) *webhook.Attempt {
	if len(log) == 0 {
		return nil
	}
	return &log[len(log)-1]
}
