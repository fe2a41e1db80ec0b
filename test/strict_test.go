package test

import "testing"

// A misspelt quote must not spend.
func testParametersOfPulls(t *testing.T, s *service) {
	c := s.buyer(t, 1000)
	forEachPull(t, func(t *testing.T, p pull) {
		for query, name := range map[string]string{
			"qoute=true": "qoute", "Quote=true": "Quote", "quote=true&dryRun=1": "dryRun", "dry_run=1&quote=false": "dry_run", "quote%20=true": "quote ",
			"quote=true;": "quote", "quote;": "quote;", "search=": "search", "x": "x", "=true": `""`,
		} {
			t.Run(query, func(t *testing.T) {
				for _, version := range []string{arrakis, obsidian} {
					c.in(t).withVersion(version).post(p.path+"?"+query, p.body([]string{p.id})).refuses(400, name).code("invalid_request")
				}
			})
		}
		t.Run("none of its own", func(t *testing.T) {
			for _, query := range []string{"?quote=true", "?&quote=true&"} {
				c.in(t).post(p.path+query, p.body([]string{p.id})).is(200)
			}
		})
	})
	s.contents.checkReads(t, c)
	if got := s.balance(t, c); got != 1000 {
		t.Errorf("it cost %d credits", 1000-got)
	}
	forEachPull(t, func(t *testing.T, p pull) {
		s.buyer(t, p.cost).post(p.path+"?", p.body([]string{p.id})).is(200)
	})
}
