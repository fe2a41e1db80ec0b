package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"cradle/bench/load"
	"cradle/bench/sample"
)

// coldWanted is the most that an uncached search may take.
const coldWanted = 50 * time.Millisecond

// search measures searches and pages of a very large catalogue, and of a small
// one beside it.
func (b *bench) search() error {
	large, err := b.names("large", b.Names)
	if err != nil {
		return err
	}
	defer large.server.Stop()
	small, err := b.names("small", b.FewNames)
	if err != nil {
		return err
	}
	defer small.server.Stop()
	if err := b.cold(large); err != nil {
		return err
	}
	return b.warm(large, small)
}

// names serves a catalogue of nothing but materials with one property each.
func (b *bench) names(name string, materials int) (*shop, error) {
	lib := sample.Library{Materials: materials, Properties: 1}
	folder := b.path(name)
	b.say("writing a library of %s names", count(materials))
	if err := lib.Write(folder); err != nil {
		return nil, err
	}
	s := &shop{engine: &engine{name: count(materials) + " names", db: b.path(name + ".db")}}
	if err := b.open(s.engine, folder); err != nil {
		return nil, err
	}
	b.judgeStart(s.engine, s.server.Start.Seconds(), want{})
	var err error
	s.reader, err = b.team(s.engine, "Readers")
	return s, err
}

// needles are searches of one kind. Each is made once, so each is cold.
type needles struct {
	kind  string
	texts []string
}

// needlesEach is how many there are of a kind, where there are so many.
const needlesEach = 26

func allNeedles() []needles {
	random := rand.New(rand.NewPCG(3, 3))
	letters := "abcdefghijklmnopqrstuvwxyz"
	made := func(length int) []string {
		texts := make([]string, needlesEach)
		for i := range texts {
			for range length {
				texts[i] += string(letters[random.IntN(len(letters))])
			}
		}
		return texts
	}
	return []needles{
		{"1 character", append(strings.Split(letters, ""), ",", "1", "µ", "β")},
		{"2 characters", append(made(2), "er", "at", "e,", ", ", "st")},
		{"3 characters", append(made(3), "ste", "ing", "ate", "at ")},
		{"frequent words", []string{"steel", "concrete", "recycled", "at plant", "cold-rolled", "grade", "poly", "sheet", "glass", "alloy"}},
		{"rare words", []string{"hafnium", "ytterbium", "gallium-arsenide", "XYLITOL", "łódź"}},
		{"long", []string{"stainless steel sheet, hot-rolled", "polyethylene film, recycled", "glued laminated timber panel, kiln-dried", "portland cement powder, technical grade, "}},
		{"not there", []string{"qqqq", "unobtainium", "zzz", "steel steel", strings.Repeat("a", 100), strings.Repeat("steel sheet, ", 10)}},
	}
}

func (b *bench) cold(s *shop) error {
	conn, err := load.Dial(s.server.Address())
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Do(s.page(s.reader, 0, "")); err != nil {
		return err
	}
	for _, n := range allNeedles() {
		b.say("searching for what nobody searched before: %s", n.kind)
		var times []float64
		for _, text := range n.texts {
			request := s.find(text)
			began := time.Now()
			if _, err := conn.Do(request); err != nil {
				return fmt.Errorf("search %q: %w", text, err)
			}
			times = append(times, milliseconds(time.Since(began)))
		}
		worst := slices.Max(times)
		b.report.add(ratio{section: "Search, cold", what: fmt.Sprintf("%s: worst of %d", n.kind, len(times)), figure: fmt.Sprintf("%.1f ms (median %.1f)", worst, median(times)),
			beside: "50 ms", value: worst / milliseconds(coldWanted), want: atMost(1)})
	}
	return nil
}

func (s *shop) find(text string) []byte {
	return s.get(s.reader, fmt.Sprintf("%s?limit=%d&search=%s", materialsPath, pageSize, url.QueryEscape(text)))
}

// The contestants of warm, in their order.
const (
	firstPage = iota
	deepPage
	repeatedSearch
	frequentSearch
	smallFirstPage
	largeAnyPage
	smallAnyPage
)

// warm measures cached searches.
func (b *bench) warm(large, small *shop) error {
	deep := b.Names / 10 * 9
	at := func(s *shop, what string, sources []load.Source) contestant {
		return contestant{name: s.name + ", " + what, server: s.server, metrics: s.metrics, sources: sources}
	}
	scores, err := b.contest("large catalogue", []contestant{
		firstPage:      at(large, "offset 0", same(large.page(large.reader, 0, ""))),
		deepPage:       at(large, "offset "+count(deep), same(large.page(large.reader, deep, ""))),
		repeatedSearch: at(large, "rare search repeated", same(large.find("hafnium"))),
		frequentSearch: at(large, "frequent search repeated", same(large.find("steel"))),
		smallFirstPage: at(small, "offset 0", same(small.page(small.reader, 0, ""))),
		largeAnyPage:   at(large, "random pages", large.anywhere(large.reader, b.Names, "")),
		smallAnyPage:   at(small, "random pages", small.anywhere(small.reader, b.FewNames, "")),
	}...)
	if err != nil {
		return err
	}
	b.judgeWarm(scores)
	return b.memory(large.engine, "after searches", want{})
}

func (b *bench) judgeWarm(scores []score) {
	speed := func(what, beside int, w want) {
		b.report.add(ratio{section: "Search, repeated", what: scores[what].name, figure: perSecond(scores[what].rate()),
			beside: "offset 0 " + perSecond(scores[beside].rate()), value: scores[what].against(scores[beside]), want: w})
	}
	wait := func(section string, what, beside int, w want) {
		b.report.add(ratio{section: section, what: scores[what].name, figure: fmt.Sprintf("p50 %.2f ms", scores[what].p50()),
			beside: fmt.Sprintf("%s p50 %.2f ms", scores[beside].name, scores[beside].p50()), value: scores[what].slower(scores[beside]), want: w})
	}
	speed(repeatedSearch, firstPage, atLeast(listSpeed))
	speed(frequentSearch, firstPage, atLeast(listSpeed))
	wait("Depth", deepPage, firstPage, atMost(2))
	wait("Size", firstPage, smallFirstPage, atMost(2))
	wait("Size", largeAnyPage, smallAnyPage, want{})
}

// listSpeed is how close a repeated search must come to the list to count as
// equally fast, given the noise of the machine.
const listSpeed = 0.9
