package markdown

import "testing"

func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		"a <b> `c<d`\n\n- [x](y)":               "<p>a &lt;b&gt; <code>c&lt;d</code></p><ul><li>x</li></ul>",
		"### Go\n\n```go\nif a < b {\n\n}\n```": `<h3>Go</h3><pre class="code" tabindex="0"><code>if a &lt; b {` + "\n\n}</code></pre>",
	} {
		if got := HTML(text); string(got) != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestSection(t *testing.T) {
	if got := Section("# A\n\n## B\nb\n\n## C\nc\n", "B"); got != "b\n" {
		t.Errorf("got %q", got)
	}
}
