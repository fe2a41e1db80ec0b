package inventory

import "testing"

func TestStatedVersion(t *testing.T) {
	for text, want := range map[string]string{"": "", "unspecified": "", " 01.00.002 ": "01.00.002", "3.9.0.1": "3.9.0.1", "2.0": "2.0"} {
		if got := statedVersion(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestMomentsSortByTime(t *testing.T) {
	earlier := ""
	for _, text := range []string{
		"unknown", "2009", "2015-05-08", "2015-05-08T14:22:03", "2015-05-08T14:22:03.5Z", "2015-05-08T10:22:04-05:00", "2015-05-08T15:22:05.123456+00:00", "2015-05-09+02:00",
	} {
		got := moment(text)
		if got == "" && text != "unknown" || got != "" && got <= earlier {
			t.Errorf("%q: got %q, after %q", text, got, earlier)
		}
		earlier = got
	}
}
