package test

import (
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"cradle/internal/pgtest"
)

// manyProperties is a library with one material that has many things to pull,
// one credit each.
func manyProperties(n int) (library, []string) {
	l := library{materials: []material{{ID: steel, Name: "Steel"}}}
	var all []string
	for i := range n {
		id := uid("bbbbbbbb", i)
		all = append(all, id)
		l.properties = append(l.properties, property{ID: id, Material: steel, Name: "Property " + itoa(i), Value: itoa(i), Unit: "1"})
	}
	return l, all
}

// A shopper pulls one property after the other concurrently, and remembers what
// was confirmed.
type shopper struct {
	mu        sync.Mutex
	next      int
	tried     []string
	confirmed map[string]bool
	statuses  map[int]int // 0 counts requests that got no answer
}

func newShopper() *shopper {
	return &shopper{confirmed: map[string]bool{}, statuses: map[int]int{}}
}

func (b *shopper) take(all []string) (id string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == len(all) {
		return "", false
	}
	b.next++
	b.tried = append(b.tried, all[b.next-1])
	return all[b.next-1], true
}

func (b *shopper) note(id string, status int) (confirmed int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.statuses[status]++
	if status == http.StatusOK {
		b.confirmed[id] = true
	}
	return len(b.confirmed)
}

// shop pulls until an answer fails to come or is a refusal, or nothing is left;
// disaster happens once after a number of confirmed pulls.
func (b *shopper) shop(c *client, all []string, after int, disaster func()) {
	var once sync.Once
	after += len(b.confirmed)
	together(6, func(int) {
		for {
			id, ok := b.take(all)
			if !ok {
				return
			}
			got, err := b.pull(c, id)
			if err != nil {
				got.status = 0
			}
			if b.note(id, got.status) >= after {
				once.Do(disaster)
			}
			if got.status != http.StatusOK {
				return
			}
		}
	})
}

// pull uses an idempotency key so that a retry is the same purchase.
func (b *shopper) pull(c *client, id string) (answer, error) {
	return c.try("POST", "/public/materials/"+steel+"/properties/pull", request("propertyIds", []string{id}, 1),
		"Content-Type", "application/json", idempotencyKey, id)
}

// retry retries what was not confirmed: whatever happened to it, it must succeed
// now, and be paid once.
func (b *shopper) retry(t *testing.T, c *client) {
	t.Helper()
	for _, id := range b.tried {
		if b.confirmed[id] {
			continue
		}
		got, err := b.pull(c, id)
		if err != nil {
			t.Fatal(err)
		}
		got.is(200)
		b.confirmed[id] = true
	}
}

// checkShopping compares what is revealed and what was paid with what was
// confirmed: nothing confirmed is lost, nothing is revealed unpaid or paid
// twice.
func (b *shopper) checkShopping(t *testing.T, s *service, c *client, credits int) {
	t.Helper()
	revealed := 0
	for _, p := range c.get("/public/materials/" + steel).is(200).object()["properties"].(list) {
		p := p.(obj)
		if p["revealed"] == true {
			revealed++
		} else if id := p["id"].(string); b.confirmed[id] {
			t.Errorf("the pull of %s was confirmed and is lost", id)
		}
	}
	w := s.credits(t, c.team).Live
	sum := 0
	for _, e := range w.Entries {
		sum += e.Amount
	}
	if w.Balance != credits-revealed || sum != w.Balance {
		t.Errorf("%d of %d properties are revealed, the balance is %d and the ledger's sum %d", revealed, credits, w.Balance, sum)
	}
	s.check(t)
}

func TestKilledDuringPulls(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		const credits = 300
		l, all := manyProperties(credits)
		s := newService(t, e, l)
		team := s.addTeam(t, ada, credits)
		b := newShopper()
		for range 3 {
			b.shop(s.as(t, team), all, 25, s.kill)
			if s.running() {
				t.Fatal("the server is still there")
			}
			s.server = s.serve(t)
			b.checkShopping(t, s, s.as(t, team), credits)
			b.retry(t, s.as(t, team))
			b.checkShopping(t, s, s.as(t, team), credits)
		}
		if b.statuses[0] == 0 {
			t.Error("no request was under way when the server was killed")
		}
		delete(b.statuses, 0)
		delete(b.statuses, http.StatusOK)
		if len(b.statuses) > 0 {
			t.Errorf("other answers, by status: %v", b.statuses)
		}
	})
}

// While PostgreSQL is down every answer is a 503, and nothing is half done; once
// it is back the service works as before.
func TestPostgresGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	const credits = 200
	cluster := pgtest.Server(t)
	l, all := manyProperties(credits)
	s := newService(t, engine{"postgres", func(testing.TB) string { return cluster.DSN() }}, l)
	team := s.addTeam(t, ada, credits)
	c := s.as(t, team)
	c.http.Timeout = 15 * time.Second // far more than a refusal takes
	b := newShopper()
	b.shop(c, all, 20, func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	delete(b.statuses, http.StatusOK)
	if len(b.statuses) != 1 || b.statuses[http.StatusServiceUnavailable] == 0 {
		t.Errorf("while PostgreSQL stopped, by status: %v", b.statuses)
	}
	pullPath, pullBody := "/public/materials/"+steel+"/properties/pull", request("propertyIds", all[len(all)-1:], 1)
	for _, got := range []answer{c.get("/public/me"), c.get("/public/materials"), c.get("/public/materials/" + steel), c.get("/public/nothing"),
		c.post(pullPath, pullBody), c.post(pullPath+"?quote=true", pullBody), c.post(pullPath, pullBody, idempotencyKey, "later")} {
		got.refuses(503)
	}
	open := newClient(t, s.url, "", "")
	if got := open.get("/healthz"); got.status != 200 {
		t.Errorf("/healthz answered %d: the process is well", got.status)
	}
	if got := open.get("/readyz"); got.status != 503 {
		t.Errorf("/readyz answered %d", got.status)
	}
	if got := s.run(t, "credits", "show", team, "--json"); got.status != 1 || got.stdout != "" || got.stderr == "" {
		t.Errorf("a command without its database: %+v", got)
	}

	if err := cluster.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the service is ready again", func() bool { return open.get("/readyz").status == 200 })
	eventually(t, "it answers again", func() bool { return c.get("/public/me").status == 200 })
	b.checkShopping(t, s, c, credits)
	b.retry(t, c)
	if got := c.post(pullPath, pullBody, idempotencyKey, "later").is(200); isReplay(got) {
		t.Error("a pull that was refused with 503 is replayed")
	}
	b.confirmed[all[len(all)-1]] = true
	b.checkShopping(t, s, c, credits)
}

// A backup of a running service is complete, whatever happens meanwhile.
func TestBackupOfARunningService(t *testing.T) {
	t.Parallel()
	const credits = 100
	l, all := manyProperties(credits)
	s := newService(t, engines[0], l)
	team := s.addTeam(t, ada, credits)
	b := newShopper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.shop(s.as(t, team), all, credits+1, nil)
	}()
	for range 3 {
		path := filepath.Join(t.TempDir(), "copy.db")
		command[obj](t, s.installation, "backup", path)
		copied := &installation{db: path}
		copied.check(t)
		if w := copied.credits(t, team).Live; w.Balance != credits-(len(w.Entries)-1) {
			t.Errorf("the copy has %d credits after %d entries", w.Balance, len(w.Entries))
		}
	}
	<-done
	b.checkShopping(t, s, s.as(t, team), credits)
	s.refused(t, "backup", s.db)
}
