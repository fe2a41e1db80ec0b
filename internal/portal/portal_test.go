package portal

import (
	"strings"
	"testing"
	"time"

	"cradle/internal/library"
	"cradle/internal/requestlog"
)

func TestNumbersReadWell(t *testing.T) {
	value := func(n float64) string { return shortValue(&n) }
	for got, want := range map[string]string{
		number(0): "0", number(999): "999", number(1000): "1,000", number(int64(-1234567)): "−1,234,567",
		signed(5): "+5", creditsText(1): "1 credit", creditsText(6): "6 credits",
		value(7850): "7850", value(0.1): "0.1", value(59600000.123456789): "59600000", value(1e-7): "1e-07", value(-0.75): "-0.75",
		value(2.16421987): "2.16422", value(0): "0", shortValue(nil): "",
		percent(1, 0): "0 %", percent(1, 8): "12.5 %", initial("Öl"): "Ö",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMomentsReadWell(t *testing.T) {
	now := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	for before, want := range map[time.Duration]string{
		time.Second: "just now", 30 * time.Second: "30 seconds ago", time.Minute: "1 minute ago", 3 * time.Hour: "3 hours ago",
		72 * time.Hour: "3 days ago", 100 * 24 * time.Hour: "31 Jan 2026", -2 * time.Hour: "in 2 hours",
	} {
		if got := ago(now, now.Add(-before)); got != want {
			t.Errorf("%v before now is %q, want %q", before, got, want)
		}
	}
}

func TestOnlyThePortalIsLedTo(t *testing.T) {
	for address, want := range map[string]string{
		"/portal": "/portal", "/portal/logs?status=4": "/portal/logs?status=4", "": "/portal", "/portalx": "/portal", "//evil.example/portal": "/portal",
		"https://evil.example/portal/": "/portal", `/portal\..\evil`: "/portal", "/portal/\r\nX: y": "/portal", "portal/keys": "/portal",
	} {
		if got := local(address); got != want {
			t.Errorf("%q leads to %q, want %q", address, got, want)
		}
	}
}

func TestChartsHaveEveryDay(t *testing.T) {
	today := 20_000
	counts := byDay([]requestlog.Day{{Day: today, Requests: 3, Errors: 1}, {Day: today, Requests: 2, Pulls: 1, Credits: 4}, {Day: today - chartDays, Requests: 9}}, today)
	c := newUsageChart(counts)
	if len(c.Bars) != chartDays || c.Requests != 5 || c.Errors != 1 || c.Pulls != 1 || c.Credits != 4 {
		t.Errorf("%d bars, %d requests, %d errors, %d pulls", len(c.Bars), c.Requests, c.Errors, c.Pulls)
	}
	last := c.Bars[chartDays-1]
	if last.Y < chartTop-1 || last.Height <= 0 || last.ErrorHeight <= 0 || last.X+last.Width > chartWidth {
		t.Errorf("the last bar is outside the chart: %+v", last)
	}
}

func TestBarsCompareWithinAUnit(t *testing.T) {
	n := func(f float64) *float64 { return &f }
	rows := measured([]impactGroup{{Rows: []impactRow{{Unit: "kg", Value: n(3)}, {Unit: "kg", Value: n(-1)}, {Unit: "MJ", Value: n(500)}, {Unit: "kg"}}}})[0].Rows
	if rows[0].From != 25 || rows[0].Bar != 75 || rows[1].From != 0 || rows[1].Bar != 25 || !rows[1].Negative || rows[2].Bar != 100 || rows[3].Bar != 0 {
		t.Errorf("%+v", rows)
	}
}

func TestHiddenFlowsAreNotDrawn(t *testing.T) {
	hidden := library.Process{Outputs: []library.Exchange{{Name: "Steel", Product: true}}}
	if newFlowChart(hidden) != nil {
		t.Error("a diagram of what is hidden")
	}
}

func TestDocumentationIsThere(t *testing.T) {
	for _, language := range []string{"Go", "Python", "JavaScript", "Java", "Shell"} {
		if !strings.Contains(string(verifyText), "<h3>"+language+"</h3>") {
			t.Errorf("nothing on verifying in %s", language)
		}
	}
	if !strings.Contains(string(versionsText), "obsidian") || strings.Contains(string(versionsText), "```") {
		t.Errorf("versions: %s", versionsText)
	}
}

func TestSpreadsheetsGetNoFormulas(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "@x": "'@x", "Steel": "Steel", "": ""} {
		if got := plain(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
