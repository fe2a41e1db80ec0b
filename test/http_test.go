package test

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var strongTag = regexp.MustCompile(`^"[^"]+"$`)

func testEntityTags(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	own := s.loner(t, "tags@example.org")
	for _, path := range []string{"/public/me", "/public/teams"} {
		t.Run(path, func(t *testing.T) { checkTag(own.in(t), path) })
	}
	for _, path := range []string{
		"/public/materials", "/public/materials/pulled", "/public/materials/" + steel,
		"/public/materials/" + steel + "/properties/" + density, "/public/processes", "/public/processes/pulled",
		"/public/processes/" + rolling, "/public/processes/" + rolling + "/impacts/" + gwpRolling, "/public/impact-methods",
	} {
		t.Run(path, func(t *testing.T) { checkTag(c.in(t), path) })
	}
	t.Run("differs by", func(t *testing.T) {
		c := c.in(t)
		const path = "/public/materials"
		tags := map[string]string{}
		for name, got := range map[string]answer{
			"this team": c.get(path), "another team": s.buyer(t, 0).get(path), "mode": c.withKey(s.test).get(path),
			"version": c.withVersion(obsidian).get(path), "gzip": c.get(path, "Accept-Encoding", "gzip"),
			"zstd": c.get(path, "Accept-Encoding", "zstd"), "content": c.get(path + "?limit=1"),
		} {
			tag := got.is(200).header.Get("ETag")
			if other, again := tags[tag]; again {
				t.Errorf("%s and %s have the tag %s", name, other, tag)
			}
			tags[tag] = name
		}
	})
	t.Run("changes with a pull", func(t *testing.T) {
		c := c.in(t)
		for path, pull := range map[string]func() answer{
			"/public/materials/" + steel:   func() answer { return pullProperties(c, steel, 1, density) },
			"/public/processes/" + rolling: func() answer { return pullProcess(c, rolling, 1, coil) },
			"/public/processes/pulled":     func() answer { return pullImpacts(c, refinery, 1, ipcc) },
		} {
			tag := c.get(path).is(200).header.Get("ETag")
			pull().is(200)
			if got := c.get(path, "If-None-Match", tag).is(200).header.Get("ETag"); got == tag {
				t.Errorf("%s keeps its tag", path)
			}
		}
	})
	t.Run("comes after the checks", func(t *testing.T) {
		c := c.in(t)
		const path = "/public/me"
		tag := c.get(path).header.Get("ETag")
		c.withKey("").get(path, "If-None-Match", tag).refuses(401)
		c.withTeam("").get(path, "If-None-Match", tag).refuses(400)
		c.withTeam(unknown).get(path, "If-None-Match", tag).refuses(403)
		c.withVersion("x").get(path, "If-None-Match", tag).refuses(400)
		c.get("/public/materials/"+unknown, "If-None-Match", "*").refuses(404)
		c.get("/public/materials?limit=0", "If-None-Match", "*").refuses(400)
	})
}

func checkTag(c *client, path string) {
	c.t.Helper()
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		first := c.get(path, "Accept-Encoding", encoding).is(200)
		tag := first.header.Get("ETag")
		if !strongTag.MatchString(tag) {
			c.t.Errorf("%s has the tag %q", path, tag)
		}
		if again := c.get(path, "Accept-Encoding", encoding); again.header.Get("ETag") != tag || !bytes.Equal(again.body, first.body) {
			c.t.Errorf("%s answers differently when asked again", path)
		}
		for _, match := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			got := c.get(path, "Accept-Encoding", encoding, "If-None-Match", match).is(304)
			if len(got.body) > 0 || got.header.Get("ETag") != tag || got.header.Get("Content-Type") != "" {
				c.t.Errorf("a 304 with the body %q and the headers %v", got.body, got.header)
			}
		}
		c.get(path, "Accept-Encoding", encoding, "If-None-Match", `"other"`).is(200)
	}
}

func testCompression(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	pullProcess(c, rolling, 1, coil).is(200)
	for _, path := range []string{"/public/materials", "/public/processes", "/public/processes/" + rolling} {
		plain := c.get(path).is(200)
		if plain.header.Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed though nobody asked", path)
		}
		for _, test := range []struct{ accept, want string }{
			{"gzip", "gzip"}, {"zstd", "zstd"}, {"gzip;q=0.5", "gzip"}, {"GZIP", "gzip"}, {"br, gzip", "gzip"}, {"gzip;q=0.1, zstd;q=0", "gzip"},
			{"identity", ""}, {"br", ""}, {"gzip;q=0", ""}, {"gzip;q=0, zstd;q=0.000", ""}, {"", ""},
		} {
			t.Run(path+" as "+test.accept, func(t *testing.T) {
				got := c.in(t).get(path, "Accept-Encoding", test.accept).is(200)
				if encoding := got.header.Get("Content-Encoding"); encoding != test.want {
					t.Errorf("the encoding is %q, want %q", encoding, test.want)
				}
				if body := unpack(t, got); !bytes.Equal(body, plain.body) {
					t.Errorf("unpacked it is %s, plain %s", body, plain.body)
				}
			})
		}
		for _, accept := range []string{"gzip, zstd", "*", "gzip, deflate, br, zstd"} {
			got := c.get(path, "Accept-Encoding", accept).is(200)
			if body := unpack(t, got); !bytes.Equal(body, plain.body) {
				t.Errorf("as %s, unpacked it is %s, plain %s", accept, body, plain.body)
			}
		}
	}
}

func unpack(t testing.TB, a answer) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(a.body)
	var err error
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
