package main

import (
	"strings"
	"testing"
)

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		want  want
		value float64
		is    string
	}{
		{atLeast(0.5), 0.49, "NO"},
		{atLeast(0.5), 0.5, "yes"},
		{atLeast(0.5), 0.9, "yes"},
		{atMost(2), 1, "yes"},
		{atMost(2), 2, "yes"},
		{atMost(2), 2.1, "NO"},
		{want{}, 7, ""},
	} {
		if got := test.want.verdict(test.value); got != test.is {
			t.Errorf("%v of %v: %q, want %q", test.want, test.value, got, test.is)
		}
	}
}

func TestReportIsATable(t *testing.T) {
	var r report
	r.add(ratio{section: "Lists", what: "same page", figure: "10/s", beside: "20/s", value: 0.5, want: atLeast(0.25)})
	const last = "| Lists   | same page | 10/s   | 20/s   | 0.50  | ≥ 0.25 | yes |\n\n"
	if !strings.HasSuffix(r.text(), last) {
		t.Errorf("got\n%s", r.text())
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(test.values); got != test.want {
			t.Errorf("of %v: %v, want %v", test.values, got, test.want)
		}
	}
}
