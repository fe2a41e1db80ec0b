// Package browser holds the tests of the portal in a real Chromium: one browser
// and one server for all of them. Pictures of the pages go to screenshots/.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience bounds every wait, so that a hang is a failure.
const patience = 20 * time.Second

// demo is what cradle demo prints.
type demo struct {
	URL, PortalURL, Email, Password, LiveKey, TestKey string
	Teams                                             []struct{ ID, Label string }
}

var (
	site  demo
	where struct{ binary, db string }
	first context.Context // of the browser
)

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "cradle-browser-")
	if err != nil {
		return told(err)
	}
	defer os.RemoveAll(dir)
	stop, err := startServer(dir)
	if err != nil {
		return told(err)
	}
	defer stop()
	end, err := startBrowser(dir)
	if err != nil {
		return told(fmt.Errorf("start Chromium (make setup installs it): %w", err))
	}
	defer end()
	if err := os.MkdirAll("screenshots", 0o755); err != nil {
		return told(err)
	}
	return m.Run()
}

func told(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func startServer(dir string) (stop func(), err error) {
	where.binary, where.db = filepath.Join(dir, "cradle"), filepath.Join(dir, "demo.db")
	if out, err := exec.Command("go", "build", "-o", where.binary, "cradle/cmd/cradle").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build cradle: %w\n%s", err, out)
	}
	cmd := exec.Command(where.binary, "demo", "--json", "--addr", "127.0.0.1:0", "--db", where.db, "--webhook-allow", "127.0.0.1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &site)
	}
	if err != nil {
		stop()
	}
	return stop, err
}

func startBrowser(dir string) (end func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.UserDataDir(filepath.Join(dir, "profile")), chromedp.Flag("force-color-profile", "srgb"))
	allocator, release := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		release()
		return nil, err
	}
	first = ctx
	return func() { cancel(); release() }, nil
}

// A tab is a window with its own cookies.
type tab struct {
	t   testing.TB
	ctx context.Context
}

// options of a tab.
type look struct {
	width    int64
	dark     bool
	noScript bool
}

const (
	desktop = 1280
	phone   = 360
)

func open(t testing.TB, l look) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(first, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 3*patience)
	t.Cleanup(func() { stop(); cancel() })
	b := &tab{t, ctx}
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	height := int64(900)
	if l.width == phone {
		height = 760
	}
	err := chromedp.Do(ctx, chromedp.EmulateViewport(l.width, height)) // a tab lives as long as the context of its first step
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	}
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: l.noScript})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// step is what is done in a tab.
type step = chromedp.Action[chromedp.Void]

func (b *tab) do(steps ...step) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// ask runs an action that returns a value.
func ask[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	answer, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer
}

// at opens a page of the portal.
func (b *tab) at(path string) *tab {
	b.t.Helper()
	b.do(chromedp.Navigate(site.PortalURL + path))
	return b
}

// click follows a link or sends a form, and waits for the page that comes.
func (b *tab) click(selector string) *tab {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)); err != nil {
		b.t.Fatalf("click %s: %v", selector, err)
	}
	return b
}

// fill writes into a field.
func (b *tab) fill(selector, text string) *tab {
	b.t.Helper()
	field := chromedp.CSS(selector)
	b.do(chromedp.Clear(field), chromedp.SendKeys(field, text))
	return b
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return ask(b, chromedp.Text(chromedp.CSS(selector)))
}

// says fails the test unless what is in a selector has all of the words.
func (b *tab) says(selector string, words ...string) *tab {
	b.t.Helper()
	text := b.text(selector)
	for _, word := range words {
		if !strings.Contains(text, word) {
			b.t.Errorf("%s does not say %q:\n%s", selector, word, text)
		}
	}
	return b
}

func (b *tab) signIn() *tab {
	b.t.Helper()
	return b.at("/sign-in").fill("#email", site.Email).fill("#password", site.Password).click("button.primary")
}

// picture saves a screenshot of the whole page.
func (b *tab) picture(name string) *tab {
	b.t.Helper()
	png := ask(b, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join("screenshots", name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
	return b
}

var axe = sync.OnceValues(func() (string, error) {
	script, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	return string(script), err
})

// accessible checks a page against WCAG 2 A and AA and best practices, or only
// the named rules.
func (b *tab) accessible(name string, rules ...string) *tab {
	b.t.Helper()
	script, err := axe()
	if err != nil {
		b.t.Fatalf("axe-core is missing (make setup installs it): %v", err)
	}
	options := "{}"
	if len(rules) > 0 {
		options = `{runOnly: ["` + strings.Join(rules, `", "`) + `"]}`
	}
	ask(b, chromedp.Evaluate[int](script+";0"))
	found := ask(b, chromedp.Evaluate[[]violation](`axe.run(document, `+options+`).then(r => r.violations.map(v =>
		({id: v.id, help: v.help, nodes: v.nodes.map(n => ({html: n.html, why: n.failureSummary}))})))`, chromedp.EvalAwaitPromise))
	for _, v := range found {
		b.t.Errorf("%s: %s (%s)", name, v.Help, v.ID)
		for i, n := range v.Nodes {
			if i < 3 {
				b.t.Errorf("    %s\n    %s", n.HTML, strings.ReplaceAll(n.Why, "\n", " "))
			}
		}
	}
	return b
}

// violation is something that axe found.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML string `json:"html"`
		Why  string `json:"why"`
	} `json:"nodes"`
}
