package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"

	"cradle/bench/load"
	"cradle/bench/peer"
	"cradle/bench/proc"
	"cradle/bench/sample"
	"cradle/internal/lci"
)

const (
	pageSize  = 25
	largePage = 100 // the largest there is
	// boughtEvery is one in how many materials the buying team has pulled, so
	// five rows of a page are its own.
	boughtEvery = 5
)

// lists measures pages of materials: for a team that has pulled nothing and one
// that has pulled some of every page, the same page and random pages, plain and
// compressed, against the same bytes from net/http and against PocketBase.
func (b *bench) lists(lib sample.Library, engines []*engine) error {
	var shops []*shop
	for _, e := range engines {
		s, err := b.prepareLists(e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		shops = append(shops, s)
	}
	bare, err := b.startBare(shops[0])
	if err != nil {
		return err
	}
	defer bare.Stop()
	pocketbase, err := b.startPocketBase(shops[0])
	if err != nil {
		return err
	}
	defer pocketbase.Stop()

	contestants := append(bareLists(bare), pocketBaseLists(pocketbase, lib.Materials)...)
	for _, s := range shops {
		contestants = append(contestants, s.lists(lib.Materials)...)
	}
	scores, err := b.contest("lists", contestants...)
	if err != nil {
		return err
	}
	b.judgeLists(scores, engines)
	for _, e := range engines {
		if err := b.memory(e, "after the lists", atMost(1)); err != nil {
			return err
		}
	}
	return nil
}

// shop is an engine with the two teams that list from it.
type shop struct {
	*engine
	reader, buyer lci.ID
	items         string // a file with every listed material, one a line
}

const materialsPath = "/public/materials"

func (b *bench) prepareLists(e *engine) (s *shop, err error) {
	s = &shop{engine: e, items: b.path(e.name + ".items")}
	if s.reader, err = b.team(e, "Readers"); err != nil {
		return nil, err
	}
	if s.buyer, err = b.team(e, "Buyers"); err != nil {
		return nil, err
	}
	b.say("%s: listing everything once, and pulling one material in %d", e.name, boughtEvery)
	ids, err := s.walk(s.reader, s.items)
	if err != nil {
		return nil, err
	}
	if err := s.buy(ids); err != nil {
		return nil, err
	}
	_, err = s.walk(s.buyer, os.DevNull)
	return s, err
}

// walk lists all materials, writes each as a line to a file, and returns their ids.
func (s *shop) walk(team lci.ID, to string) (ids []string, err error) {
	file, err := os.Create(to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	for more := true; more; {
		var page struct {
			Items   []json.RawMessage
			HasMore bool
		}
		body, err := s.read(team, fmt.Sprintf("%s?limit=%d&offset=%d", materialsPath, largePage, len(ids)), "")
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			var material struct{ ID string }
			if err := json.Unmarshal(item, &material); err != nil {
				return nil, err
			}
			ids = append(ids, material.ID)
			out.Write(item)
			out.WriteByte('\n')
		}
		more = page.HasMore
	}
	return ids, out.Flush()
}

// buy pulls every property of one material in boughtEvery, in list order.
func (s *shop) buy(ids []string) error {
	conn, err := load.Dial(s.server.Address())
	if err != nil {
		return err
	}
	defer conn.Close()
	order := []string{}
	for i := 0; i < len(ids); i += boughtEvery {
		order = append(order, ids[i])
		if len(order) < largePage && i+boughtEvery < len(ids) {
			continue
		}
		body, err := json.Marshal(map[string]any{"materialIds": order})
		if err != nil {
			return err
		}
		if _, err := conn.Do(s.post(s.buyer, "/public/datapoints/pull", body)); err != nil {
			return err
		}
		order = order[:0]
	}
	return nil
}

// read makes a request that is not measured. It returns the body as sent.
func (s *shop) read(team lci.ID, target, encoding string) ([]byte, error) {
	request, err := http.NewRequest("GET", s.server.URL+target, nil)
	if err != nil {
		return nil, err
	}
	request.Header = s.header(team)
	request.Header.Set("Accept-Encoding", "identity")
	if encoding != "" {
		request.Header.Set("Accept-Encoding", encoding)
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", target, answer.Status, body)
	}
	return body, err
}

// startBare serves the bytes of the first page of an engine.
func (b *bench) startBare(s *shop) (*proc.Server, error) {
	files := map[string]string{"": b.path("page.json"), "gzip": b.path("page.json.gz")}
	for encoding, file := range files {
		page, err := s.read(s.reader, materialsPath, encoding)
		if err != nil {
			return nil, err
		}
		if (encoding == "gzip") != bytes.HasPrefix(page, []byte{0x1f, 0x8b}) {
			return nil, fmt.Errorf("asked for %q, the page is encoded otherwise", encoding)
		}
		if err := os.WriteFile(file, page, 0o644); err != nil {
			return nil, err
		}
	}
	return b.servePeer("bare", files[""], files["gzip"])
}

func (b *bench) startPocketBase(s *shop) (*proc.Server, error) {
	b.say("filling PocketBase with the same records")
	return b.servePeer("pocketbase", b.path("pocketbase"), s.items)
}

func (b *bench) servePeer(args ...string) (*proc.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return proc.Serve(b.ctx, exec.CommandContext(b.ctx, self, args...))
}

// The lists of one engine, in the order of lists.
const (
	samePage = iota
	anyPage
	ownPage
	anyOwnPage
	sameCompressed
	anyCompressed
	listKinds
)

var listNames = [listKinds]string{
	"same page", "random pages", "same page, some rows pulled", "random pages, some rows pulled", "same page, gzip", "random pages, gzip",
}

// lists are the contestants of one engine.
func (s *shop) lists(materials int) []contestant {
	sources := [listKinds][]load.Source{
		samePage:       same(s.page(s.reader, 0, "")),
		anyPage:        s.anywhere(s.reader, materials, ""),
		ownPage:        same(s.page(s.buyer, 0, "")),
		anyOwnPage:     s.anywhere(s.buyer, materials, ""),
		sameCompressed: same(s.page(s.reader, 0, "gzip")),
		anyCompressed:  s.anywhere(s.reader, materials, "gzip"),
	}
	contestants := make([]contestant, listKinds)
	for i := range contestants {
		contestants[i] = contestant{name: s.name + ", " + listNames[i], server: s.server, metrics: s.metrics, sources: sources[i]}
	}
	return contestants
}

func (s *shop) page(team lci.ID, offset int, encoding string) []byte {
	header := s.header(team)
	if encoding != "" {
		header.Set("Accept-Encoding", encoding)
	}
	return load.Request("GET", fmt.Sprintf("%s?limit=%d&offset=%d", materialsPath, pageSize, offset), s.server.Address(), header, nil)
}

// differentPages is how many pages each connection requests in turn: they are
// prepared before the measurement.
const differentPages = 2000

// anywhere asks for pages at random offsets.
func (s *shop) anywhere(team lci.ID, materials int, encoding string) []load.Source {
	return everyone(func(connection int) load.Source {
		random := rand.New(rand.NewPCG(1, uint64(connection)))
		pages := make([][]byte, differentPages)
		for i := range pages {
			pages[i] = s.page(team, random.IntN(materials-pageSize+1), encoding)
		}
		return inTurn(pages)
	})
}

// inTurn is a source of requests one after the other, over and over.
func inTurn(requests [][]byte) load.Source {
	at := -1
	return func() []byte {
		at = (at + 1) % len(requests)
		return requests[at]
	}
}

// The peers' lists, in the order of the contest.
const (
	barePlain = iota
	bareCompressed
	pocketBaseSame
	pocketBaseAny
	peerKinds
)

func bareLists(s *proc.Server) []contestant {
	return []contestant{
		{name: "bare net/http", server: s, sources: same(load.Request("GET", "/", s.Address(), nil, nil))},
		{name: "bare net/http, gzip", server: s, sources: same(load.Request("GET", "/gzip", s.Address(), http.Header{"Accept-Encoding": {"gzip"}}, nil))},
	}
}

func pocketBaseLists(s *proc.Server, materials int) []contestant {
	page := func(n int) []byte {
		return load.Request("GET", fmt.Sprintf("/api/collections/%s/records?sort=name&perPage=%d&page=%d", peer.Collection, pageSize, n), s.Address(), nil, nil)
	}
	anywhere := everyone(func(connection int) load.Source {
		random := rand.New(rand.NewPCG(2, uint64(connection)))
		return func() []byte { return page(1 + random.IntN(materials/pageSize)) }
	})
	return []contestant{
		{name: "PocketBase, same page", server: s, sources: same(page(1))},
		{name: "PocketBase, random pages", server: s, sources: anywhere},
	}
}

// judgeLists compares the scores. The target of the team that has pulled rows is
// half of the other's.
func (b *bench) judgeLists(scores []score, engines []*engine) {
	wanted := []float64{0.5, 0.25} // of the bare server's rate, by engine
	for i := range engines {
		own := scores[peerKinds+i*listKinds:][:listKinds]
		add := func(kind int, peer score, w want) {
			b.report.add(ratio{section: "Lists", what: own[kind].name, figure: perSecond(own[kind].rate()),
				beside: peer.name + " " + perSecond(peer.rate()), value: own[kind].against(peer), want: w})
		}
		add(samePage, scores[barePlain], atLeast(wanted[i]))
		add(anyPage, scores[barePlain], atLeast(wanted[i]))
		add(ownPage, scores[barePlain], atLeast(wanted[i]/2))
		add(anyOwnPage, scores[barePlain], atLeast(wanted[i]/2))
		add(sameCompressed, scores[bareCompressed], want{})
		add(anyCompressed, scores[bareCompressed], want{})
		add(samePage, scores[pocketBaseSame], atLeast(50))
		add(anyPage, scores[pocketBaseAny], atLeast(50))
	}
}
