package test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// buying is a pull of one new item with GraphQL.
func buying(p pull) pulling {
	record := map[string]string{"properties": steel, "process": rolling, "impacts": rolling}[p.name]
	return pulling{pull: p, record: record, ids: []string{p.id}, most: -1}
}

func testGraphQLPulls(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) {
		field, query, variables := buying(p).operation()
		t.Run("reveals, debits and is seen by the next request", func(t *testing.T) {
			c := s.buyer(t, p.cost)
			buying(p).graphql(c).data()
			if got := s.balance(t, c); got != 0 {
				t.Errorf("balance %d, want 0", got)
			}
			s.contents.with(p.items...).checkReads(t, c)
		})
		t.Run("too few credits", func(t *testing.T) {
			c := s.buyer(t, p.cost-1)
			buying(p).graphql(c).fails(field, p.poor).blames("")
			s.contents.checkReads(t, c)
		})
		t.Run("maxCredits", func(t *testing.T) {
			c := s.buyer(t, 100)
			over := buying(p)
			over.most = p.cost - 1
			over.graphql(c).fails(field, 403, "maxCredits").blames("maxCredits")
			over.most = -1
			variables["input"].(obj)["maxCredits"] = -1
			c.graphql(query, variables).fails(field, 400, "maxCredits").blames("maxCredits")
			variables["input"].(obj)["maxCredits"] = nil
			c.graphql(query, variables).data()
		})
		if p.userCount {
			t.Run("userCount", func(t *testing.T) {
				c := s.buyer(t, 100)
				for _, bad := range []int{-1, -2147483648} {
					wrong := buying(p)
					wrong.users = bad
					wrong.graphql(c).fails(field, 400, "userCount")
				}
				zero := obj{"input": obj{"userCount": 0, p.field: []string{p.id}, pullFields[p.name].record: buying(p).record}}
				c.graphql(query, zero).fails(field, 400, "userCount").blames("userCount")
				three := buying(p)
				three.users = 3
				three.graphql(c).data()
				if got := s.balance(t, c); got != 100-3*p.cost {
					t.Errorf("balance %d, want %d", got, 100-3*p.cost)
				}
			})
		}
	})
	t.Run("several in one operation, one after the other", func(t *testing.T) {
		c := s.buyer(t, 7)
		mutation := fmt.Sprintf(`mutation {
			a: pullProperties(input: {materialId: "%[1]s", propertyIds: ["%[2]s"]}) { creditsDebited }
			b: pullProperties(input: {materialId: "%[1]s", propertyIds: ["%[2]s", "%[3]s"]}) { creditsDebited }
			c: pullProcess(input: {processId: "%[4]s", referenceProductIds: ["%[5]s"]}) { revealedCount }
		}`, steel, density, strength, rolling, coil)
		got := c.graphql(mutation, nil)
		got.fails("c", 403)
		if got.Errors[0].Extensions.Code != "insufficient_credits" {
			t.Errorf("got %s", got.body)
		}
		s.contents.with(density, strength).checkReads(t, c)
		if entries := s.credits(t, c.team).Live.Entries; len(entries) != 3 || s.balance(t, c) != 0 {
			t.Errorf("ledger: %+v", entries)
		}
	})
	t.Run("ids in any case and one instead of a list", func(t *testing.T) {
		c := s.buyer(t, 100)
		got := c.graphql(fmt.Sprintf(`mutation { pullProperties(input: {materialId: %q, propertyIds: %q}) { materialId pulledPropertyIds } }`,
			strings.ToUpper(steel), strings.ToUpper(density)), nil).data()
		if text(got) != text(obj{"pullProperties": obj{"materialId": steel, "pulledPropertyIds": ids(density)}}) {
			t.Errorf("got %s", text(got))
		}
	})
	t.Run("a record's id that is no UUID", func(t *testing.T) {
		wrong := buying(pulls[0])
		wrong.record = "steel"
		wrong.graphql(s.buyer(t, 100)).fails("pullProperties", 400, "materialId", "steel")
	})
	t.Run("the sandbox", func(t *testing.T) {
		c := s.buyer(t, 0).withKey(s.test)
		buying(pulls[0]).graphql(c).data()
		if got := s.credits(t, c.team); got.Sandbox.Balance != 998 || got.Live.Balance != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func testGraphQLIdempotency(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) {
		c := s.buyer(t, p.cost)
		first := buying(p).graphql(c, idempotencyKey, "order-1")
		first.data()
		if isReplay(first.answer) {
			t.Error("the first answer says it is replayed")
		}
		again := buying(p).graphql(c, idempotencyKey, "order-1")
		if !isReplay(again.answer) || string(again.body) != string(first.body) {
			t.Errorf("the retry answered %s (replayed: %v), the first %s", again.body, isReplay(again.answer), first.body)
		}
		if got := s.balance(t, c); got != 0 {
			t.Errorf("balance %d, want 0", got)
		}
		other := buying(p)
		other.most = 100
		field, _, _ := other.operation()
		other.graphql(c, idempotencyKey, "order-1").fails(field, 422)
		if got := c.post(p.path, p.body([]string{p.id}), idempotencyKey, "order-1"); got.status != 422 {
			t.Errorf("the same key for REST answered %d", got.status)
		}
	})
	two := fmt.Sprintf(`mutation($no: Boolean = false) {
		a: pullProperties(input: {materialId: "%[1]s", propertyIds: ["%[2]s"]}) { creditsDebited }
		... @skip(if: $no) { b: pullDatapoints(input: {materialIds: ["%[1]s"]}) { creditsDebited } }
	}`, steel, density)
	t.Run("more than one pull", func(t *testing.T) {
		c := s.buyer(t, 100)
		c.graphql(two, nil, idempotencyKey, "two").refused(idempotencyKey)
		s.contents.checkReads(t, c)
		c.graphql(two, nil).data()
	})
	t.Run("one of two is left out", func(t *testing.T) {
		s.buyer(t, 100).graphql(two, obj{"no": true}, idempotencyKey, "one").data()
	})
	t.Run("values", func(t *testing.T) {
		c := s.buyer(t, 100)
		for _, value := range []string{"", strings.Repeat("k", 256), "a b", "schlüssel"} {
			buying(pulls[0]).graphql(c, idempotencyKey, value).refused(idempotencyKey)
		}
		s.contents.checkReads(t, c)
	})
	t.Run("quotes and reads ignore it", func(t *testing.T) {
		c := s.buyer(t, 100)
		quote := buying(pulls[0])
		quote.quote = true
		for range 2 {
			if got := quote.graphql(c, idempotencyKey, "not seen"); isReplay(got.answer) || got.data() == nil {
				t.Errorf("got %s", got.body)
			}
		}
		c.graphql("{ me { id } }", nil, idempotencyKey, "a b").data()
	})
	t.Run("many at once", func(t *testing.T) {
		c := s.buyer(t, 100)
		var mu sync.Mutex
		originals := 0
		together(12, func(int) {
			got := buying(pulls[3]).graphql(c, idempotencyKey, "once")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case len(got.Errors) == 0 && !isReplay(got.answer):
				originals++
			case len(got.Errors) > 0 && got.Errors[0].Extensions.Code != "idempotency_in_flight":
				t.Errorf("got %s", got.body)
			}
		})
		if originals != 1 || s.balance(t, c) != 100-pulls[3].cost {
			t.Errorf("%d answers were made anew, balance %d", originals, s.balance(t, c))
		}
	})
}
