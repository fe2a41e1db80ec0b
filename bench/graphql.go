package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"

	"cradle/bench/load"
	"cradle/bench/proc"
	"cradle/bench/sample"
	"cradle/internal/lci"
)

// pageQuery selects what a page of materials has in REST.
const pageQuery = `query Page($limit: Int!, $offset: Int!) { materials(input: {limit: $limit, offset: $offset}) { items {
  id name source sourceOrganization functionalUnit compartment regionalScopes datePublished revealed deleted isFavorite inputTo outputOf
  properties { id name value unit revealed deleted revealType } } total hasMore } }`

func pageBody(offset int) []byte {
	body, _ := json.Marshal(map[string]any{"query": pageQuery, "operationName": "Page", "variables": map[string]int{"limit": pageSize, "offset": offset}})
	return body
}

// graphql measures a page of materials through GraphQL against the same over REST,
// and against gqlgen with the same schema and the materials in memory.
func (b *bench) graphql(lib sample.Library, engines []*engine) error {
	var shops []*shop
	for _, e := range engines {
		s, err := b.prepareMirror(e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		shops = append(shops, s)
	}
	gqlgen, err := b.servePeer("gqlgen", shops[0].items)
	if err != nil {
		return err
	}
	defer gqlgen.Stop()
	contestants := []contestant{{name: "gqlgen, same page", server: gqlgen,
		sources: same(load.Request("POST", "/graphql", gqlgen.Address(), http.Header{"Content-Type": {"application/json"}}, pageBody(0)))}}
	for _, s := range shops {
		if err := s.sameEverywhere(gqlgen); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		contestants = append(contestants, s.mirrors(lib.Materials)...)
	}
	scores, err := b.contest("graphql", contestants...)
	if err != nil {
		return err
	}
	b.judgeMirrors(scores, engines)
	return nil
}

func (b *bench) prepareMirror(e *engine) (s *shop, err error) {
	s = &shop{engine: e, items: b.path(e.name + ".mirrored")}
	if s.reader, err = b.team(e, "GraphQL readers"); err != nil {
		return nil, err
	}
	b.say("%s: listing everything once", e.name)
	_, err = s.walk(s.reader, s.items)
	return s, err
}

// sameEverywhere checks that the contestants give the same answers.
func (s *shop) sameEverywhere(gqlgen *proc.Server) error {
	rest, err := s.read(s.reader, fmt.Sprintf("%s?limit=%d&offset=0", materialsPath, pageSize), "")
	if err != nil {
		return err
	}
	var want any
	if err := json.Unmarshal(rest, &want); err != nil {
		return err
	}
	for _, server := range []*proc.Server{s.server, gqlgen} {
		got, err := s.askPage(server)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("GraphQL at %s answers another page than REST", server.URL)
		}
	}
	return nil
}

func (s *shop) askPage(server *proc.Server) (any, error) {
	request, err := http.NewRequest("POST", server.URL+"/graphql", bytes.NewReader(pageBody(0)))
	if err != nil {
		return nil, err
	}
	request.Header = s.header(s.reader)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var read struct {
		Data   struct{ Materials any }
		Errors any
	}
	err = json.NewDecoder(answer.Body).Decode(&read)
	if err == nil && read.Errors != nil {
		err = fmt.Errorf("%v", read.Errors)
	}
	return read.Data.Materials, err
}

// What is measured of one engine, in the order of mirrors.
const (
	restPage = iota
	graphPage
	anyRestPage
	anyGraphPage
	mirrorKinds
)

func (s *shop) mirrors(materials int) []contestant {
	names := [mirrorKinds]string{"REST, same page", "GraphQL, same page", "REST, random pages", "GraphQL, random pages"}
	sources := [mirrorKinds][]load.Source{
		restPage:     same(s.page(s.reader, 0, "")),
		graphPage:    same(s.mirrored(s.reader, 0)),
		anyRestPage:  s.anywhere(s.reader, materials, ""),
		anyGraphPage: s.mirroredAnywhere(s.reader, materials),
	}
	contestants := make([]contestant, mirrorKinds)
	for i := range contestants {
		contestants[i] = contestant{name: s.name + ", " + names[i], server: s.server, metrics: s.metrics, sources: sources[i]}
	}
	return contestants
}

func (s *shop) mirrored(team lci.ID, offset int) []byte {
	header := s.header(team)
	header.Set("Content-Type", "application/json")
	return load.Request("POST", "/graphql", s.server.Address(), header, pageBody(offset))
}

func (s *shop) mirroredAnywhere(team lci.ID, materials int) []load.Source {
	return everyone(func(connection int) load.Source {
		random := rand.New(rand.NewPCG(3, uint64(connection)))
		pages := make([][]byte, differentPages)
		for i := range pages {
			pages[i] = s.mirrored(team, random.IntN(materials-pageSize+1))
		}
		return inTurn(pages)
	})
}

func (b *bench) judgeMirrors(scores []score, engines []*engine) {
	gqlgen := scores[0]
	for i := range engines {
		own := scores[1+i*mirrorKinds:][:mirrorKinds]
		add := func(kind int, peer score, w want) {
			b.report.add(ratio{section: "GraphQL", what: own[kind].name, figure: perSecond(own[kind].rate()),
				beside: peer.name + " " + perSecond(peer.rate()), value: own[kind].against(peer), want: w})
		}
		add(graphPage, own[restPage], atLeast(0.5))
		add(graphPage, gqlgen, atLeast(10))
		add(anyGraphPage, own[anyRestPage], want{})
	}
}
