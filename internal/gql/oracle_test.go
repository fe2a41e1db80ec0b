package gql

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// Tests are skipped where graphql-js is not installed, unless this is set to
// "required", as make test does.
const oracleEnv = "CRADLE_GRAPHQL_ORACLE"

// oracle is a graphql-js process that answers one line at a time.
type oracle struct {
	t       testing.TB
	in      io.WriteCloser
	answers *bufio.Reader
}

func newOracle(t testing.TB) *oracle {
	t.Helper()
	_, missing := os.Stat("testdata/oracle/node_modules/graphql")
	node, err := exec.LookPath("node")
	if err != nil || missing != nil {
		if os.Getenv(oracleEnv) == "required" {
			t.Fatalf("graphql-js is missing; scripts/setup installs it (%v, %v)", err, missing)
		}
		t.Skip("NOT COMPARED WITH graphql-js, which is missing: scripts/setup installs it")
	}
	cmd := exec.Command(node, "testdata/oracle/oracle.mjs")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &oracle{t, in, bufio.NewReader(out)}
}

func (o *oracle) send(request any) {
	line, err := json.Marshal(request)
	if err != nil {
		o.t.Error(err)
	}
	if _, err := o.in.Write(append(line, '\n')); err != nil {
		o.t.Error(err)
	}
}

func (o *oracle) read(into any) {
	o.t.Helper()
	line, err := o.answers.ReadBytes('\n')
	if err != nil {
		o.t.Fatalf("graphql-js ended: %v", err)
	}
	if err := json.Unmarshal(line, into); err != nil {
		o.t.Fatalf("%v: %s", err, line)
	}
}

// randomRequests is how many requests one run compares.
const randomRequests = 3000

// Random requests get the same answers as from graphql-js: data, errors with
// their locations and paths, and whether they are executed at all.
func TestAgainstGraphQLJS(t *testing.T) {
	o := newOracle(t)
	s := heroes()
	seed := rand.Uint64()
	if given, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		seed = given
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), schema: s.ast}
	requests := make([]asked, randomRequests)
	for i := range requests {
		requests[i] = g.request()
	}
	go func() {
		for _, r := range requests {
			o.send(r)
		}
	}()
	wrong, carriedOut := 0, 0
	for _, r := range requests {
		var want answered
		o.read(&want)
		if want.Refused == "" {
			carriedOut++
		}
		if problem := differs(s.answer(t, r), want); problem != "" {
			t.Errorf("SEED=%d\n%s\nvariables %s operation %q\n%s", seed, r.Query, r.Variables, r.OperationName, problem)
			if wrong++; wrong == 5 {
				t.Fatal("and so on")
			}
		}
	}
	if carriedOut < randomRequests/4 {
		t.Errorf("only %d of %d requests were carried out: the generator makes too many mistakes", carriedOut, randomRequests)
	}
	t.Logf("%d of %d requests were carried out", carriedOut, randomRequests)
}

// golden are requests that each show one feature, with graphql-js's answers,
// written by oracle.mjs.
type golden struct {
	Name string `json:"name"`
	asked
	Answer answered `json:"answer"`
}

func readGolden(t testing.TB) []golden {
	t.Helper()
	text, err := os.ReadFile("testdata/oracle/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAnswersOfGraphQLJS(t *testing.T) {
	s := heroes()
	for _, c := range readGolden(t) {
		t.Run(c.Name, func(t *testing.T) {
			if problem := differs(s.answer(t, c.asked), c.Answer); problem != "" {
				t.Errorf("%s\nvariables %s\n%s", c.Query, c.Variables, problem)
			}
		})
	}
}

func TestGoldenAnswersAreCurrent(t *testing.T) {
	o := newOracle(t)
	for _, c := range readGolden(t) {
		o.send(c.asked)
		var now answered
		o.read(&now)
		if problem := differs(c.Answer, now); problem != "" {
			t.Errorf("%s: graphql-js answers otherwise now: %s", c.Name, problem)
		}
	}
}

// A client that introspects gets the same schema as from the text.
func checkIntrospection(t *testing.T, o *oracle, s *Schema, sdl string) {
	var full struct{ Query string }
	o.send(map[string]string{"ask": "introspection"})
	o.read(&full)
	got := s.answer(t, asked{Query: full.Query})
	if got.Refused != "" || got.Errors != nil {
		t.Fatalf("got %+v", got)
	}
	o.send(map[string]any{"ask": "schemas", "sdl": sdl, "introspection": got.Data})
	var printed struct{ Text, Introspected string }
	o.read(&printed)
	if printed.Text == "" || printed.Text != printed.Introspected {
		t.Errorf("the schema's text says\n%s\nits introspection\n%s", printed.Text, printed.Introspected)
	}
}

func TestIntrospectionThroughGraphQLJS(t *testing.T) {
	checkIntrospection(t, newOracle(t), heroes(), heroSchema)
}
