package webhook

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const docs = "../../docs/webhooks.md"

func readDocs(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blockUnder is the first code block under a heading of the documentation.
func blockUnder(t *testing.T, heading, language string) string {
	t.Helper()
	_, section, found := strings.Cut(readDocs(t), "\n### "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n### ")
	_, block, opened := strings.Cut(section, "\n```"+language+"\n")
	block, _, closed := strings.Cut(block, "\n```\n")
	if !found || !opened || !closed {
		t.Fatalf("%s has no %s block under %q", docs, language, heading)
	}
	return block + "\n"
}

func TestTheDocumentationShowsThePinnedVector(t *testing.T) {
	for _, part := range []string{"`" + vectorSecret + "`", "`" + vectorHeader + "`", "\n" + vectorBody + "\n"} {
		if !strings.Contains(readDocs(t), part) {
			t.Errorf("%s does not show %s", docs, part)
		}
	}
}

func TestTheDocumentationsEventsAreWellFormed(t *testing.T) {
	blocks := regexp.MustCompile("(?s)\n```json\n(.*?)\n```\n").FindAllStringSubmatch(readDocs(t), -1)
	if len(blocks) != 5 {
		t.Errorf("%d events are shown, want those of four pulls and the test", len(blocks))
	}
	for _, block := range blocks {
		var event struct {
			ID, Type, TeamID string
			Created          int64
			Livemode         *bool
			Data             map[string]any
		}
		if err := json.Unmarshal([]byte(block[1]), &event); err != nil {
			t.Errorf("%v:\n%s", err, block[1])
		}
		if event.ID == "" || event.Type == "" || event.TeamID == "" || event.Created == 0 || event.Livemode == nil || len(event.Data) == 0 {
			t.Errorf("incomplete:\n%s", block[1])
		}
	}
}

func TestStandardWebhooksVerifiesThePinnedVector(t *testing.T) {
	shown := regexp.MustCompile("`(v1,[A-Za-z0-9+/=]{44})`").FindStringSubmatch(readDocs(t))
	if shown == nil {
		t.Fatalf("%s shows no signature of Standard Webhooks", docs)
	}
	header := http.Header{}
	header.Set("webhook-id", "evt_541ad3b4-8b14-4484-b873-5df777f85873")
	header.Set("webhook-timestamp", strconv.Itoa(vectorTime))
	header.Set("webhook-signature", shown[1])
	standard, err := standardwebhooks.NewWebhook(vectorSecret)
	if err != nil {
		t.Fatal(err)
	}
	if err := standard.VerifyIgnoringTimestamp([]byte(vectorBody), header); err != nil {
		t.Error(err)
	}
	if err := standard.VerifyIgnoringTimestamp([]byte(vectorBody+" "), header); err == nil {
		t.Error("a changed body is verified")
	}
}

// delivery is one that a documented verifier must judge correctly.
type delivery struct {
	name, body, header, secret string
	now                        int64
	genuine                    bool
}

func deliveries() []delivery {
	const odd = `{"data":{"message":"größer als 5 µm – ☃"}}`
	now := time.Now().Unix()
	both := signed(vectorTime, "whsec_another", vectorBody) + ",v1=" + vectorHex
	return []delivery{
		{"the pinned vector", vectorBody, vectorHeader, vectorSecret, vectorTime + 10, true},
		{"a changed body", strings.Replace(vectorBody, "test of", "text of", 1), vectorHeader, vectorSecret, vectorTime + 10, false},
		{"a longer body", vectorBody + "\n", vectorHeader, vectorSecret, vectorTime + 10, false},
		{"another secret", vectorBody, vectorHeader, "whsec_another", vectorTime + 10, false},
		{"another time", vectorBody, "t=1789459201,v1=" + vectorHex, vectorSecret, vectorTime + 10, false},
		{"two signatures", vectorBody, both, vectorSecret, vectorTime + 10, true},
		{"two signatures, the other secret", vectorBody, both, "whsec_another", vectorTime + 10, true},
		{"another version beside it", vectorBody, vectorHeader + ",v2=what=ever", vectorSecret, vectorTime + 10, true},
		{"just in time", vectorBody, vectorHeader, vectorSecret, vectorTime + 300, true},
		{"a second late", vectorBody, vectorHeader, vectorSecret, vectorTime + 301, false},
		{"of the future", vectorBody, vectorHeader, vectorSecret, vectorTime - 301, false},
		{"characters beyond ASCII, now", odd, signed(now, vectorSecret, odd), vectorSecret, now, true},
		{"an empty body, now", "", signed(now, vectorSecret, ""), vectorSecret, now, true},
		{"changed now", odd + " ", signed(now, vectorSecret, odd), vectorSecret, now, false},
		{"no header", vectorBody, "", vectorSecret, vectorTime, false},
		{"nonsense", vectorBody, "nonsense", vectorSecret, vectorTime, false},
		{"no signature", vectorBody, "t=1789459200,v1=", vectorSecret, vectorTime, false},
		{"no time", vectorBody, "v1=" + vectorHex, vectorSecret, vectorTime, false},
	}
}

// program is documented code and how it is run here. Its driver takes body
// file, header, secret and time of each delivery, and prints a line for each
// with true or false.
type program struct {
	heading, language string
	needs             []string
	file, driver      string // the driver is added to the file, or is one beside it
	driverFile        string
	before, run       []string
}

const pythonDriver = `
import sys
given = sys.argv[1:]
for i in range(0, len(given), 4):
    with open(given[i], "rb") as file:
        print(verify(file.read(), given[i + 1], given[i + 2], float(given[i + 3])))
`

const nodeDriver = `
import { readFileSync } from "node:fs";
const given = process.argv.slice(2);
for (let i = 0; i < given.length; i += 4) {
  console.log(verify(readFileSync(given[i]), given[i + 1], given[i + 2], Number(given[i + 3])));
}
`

const javaDriver = `
public class Main {
    public static void main(String[] given) throws Exception {
        for (int i = 0; i < given.length; i += 4) {
            byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(given[i]));
            System.out.println(Webhooks.verify(body, given[i + 1], given[i + 2], java.time.Instant.ofEpochSecond(Long.parseLong(given[i + 3]))));
        }
    }
}
`

// The handler goes by the clock.
const goDriver = `
package main

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
)

func main() {
	for given := os.Args[1:]; len(given) > 0; given = given[4:] {
		body, err := os.ReadFile(given[0])
		if err != nil {
			panic(err)
		}
		r := httptest.NewRequest("POST", "/hooks", bytes.NewReader(body))
		r.Header.Set("Svc-Signature", given[1])
		w := httptest.NewRecorder()
		receive(given[2])(w, r)
		fmt.Println(w.Code == 204)
	}
}
`

// A script reads one delivery; the driver before it goes through all.
const shellDriver = `
while [ $# -gt 0 ]; do
	cp "$1" body.json; header=$2; secret=$3; shift 4
	. ./verify.sh | sed 's/^genuine$/true/; s/^not genuine$/false/'
done
`

func TestTheDocumentedVerifiers(t *testing.T) {
	byClock := func(d delivery) bool { return d.now > vectorTime+1000 || !d.genuine }
	untimed := func(d delivery) bool { return d.genuine || d.name != "a second late" && d.name != "of the future" }
	every := func(delivery) bool { return true }
	for _, c := range []struct {
		program
		judges func(delivery) bool
	}{
		{program{"Go", "go", []string{"go"}, "receive.go", goDriver, "driver.go", nil, []string{"go", "run", "receive.go", "driver.go"}}, byClock},
		{program{"Python", "python", []string{"python3"}, "verify.py", pythonDriver, "", nil, []string{"python3", "verify.py"}}, every},
		{program{"JavaScript", "js", []string{"node"}, "verify.mjs", nodeDriver, "", nil, []string{"node", "verify.mjs"}}, every},
		{program{"Java", "java", []string{"javac", "java"}, "Webhooks.java", javaDriver, "Main.java",
			[]string{"javac", "Webhooks.java", "Main.java"}, []string{"java", "-cp", ".", "Main"}}, every},
		{program{"Shell", "sh", []string{"sh", "openssl", "sed"}, "verify.sh", shellDriver, "driver.sh", nil, []string{"sh", "driver.sh"}}, untimed},
	} {
		t.Run(c.heading, func(t *testing.T) {
			t.Parallel()
			for _, tool := range c.needs {
				if _, err := exec.LookPath(tool); err != nil {
					t.Logf("NOT TESTED: the documented %s code, because %s is not on this machine", c.heading, tool)
					t.SkipNow()
				}
			}
			c.program.test(t, c.judges)
		})
	}
}

func (p program) test(t *testing.T, judges func(delivery) bool) {
	dir := t.TempDir()
	p.write(t, dir)
	var args []string
	var judged []delivery
	for i, d := range deliveries() {
		if !judges(d) {
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("body%d", i))
		if err := os.WriteFile(file, []byte(d.body), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file, d.header, d.secret, strconv.FormatInt(d.now, 10))
		judged = append(judged, d)
	}
	if len(p.before) > 0 {
		p.command(t, dir, p.before)
	}
	said := strings.Fields(strings.ToLower(p.command(t, dir, append(p.run, args...))))
	if len(said) != len(judged) {
		t.Fatalf("%d deliveries were judged, want %d: %q", len(said), len(judged), said)
	}
	for i, d := range judged {
		if said[i] != strconv.FormatBool(d.genuine) {
			t.Errorf("%s: judged %s", d.name, said[i])
		}
	}
}

func (p program) write(t *testing.T, dir string) {
	files := map[string]string{p.file: blockUnder(t, p.heading, p.language)}
	if p.driverFile == "" {
		files[p.file] += p.driver
	} else {
		files[p.driverFile] = p.driver
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// command runs one in the folder; Go's own in this module, where the package is.
func (p program) command(t *testing.T, dir string, args []string) string {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	if args[0] == "go" {
		cmd.Dir = "."
		for i, arg := range cmd.Args {
			if strings.HasSuffix(arg, ".go") {
				cmd.Args[i] = filepath.Join(dir, arg)
			}
		}
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, stderr.String())
	}
	return string(out)
}
