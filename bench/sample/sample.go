// Package sample makes libraries of any size for measurements: the same size
// gives the same bundle, byte for byte, and the ids of its rows are known
// without reading it.
package sample

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"cradle/internal/lci"
)

// Library is the size of a library.
type Library struct {
	Materials  int
	Processes  int
	Properties int // of each material
}

type kind uint64

const (
	materialKind kind = iota + 1
	propertyKind
	processKind
	exchangeKind
	flowKind
	methodKind
	indicatorKind
	impactKind
)

// id is the id of the j-th row that belongs to the i-th record of a kind. Ids
// are spread evenly, as random ones are.
func id(k kind, i, j int) lci.ID {
	var raw lci.ID
	seed := uint64(k)<<56 | uint64(i)<<8 | uint64(j)
	binary.BigEndian.PutUint64(raw[:8], mix(seed))
	binary.BigEndian.PutUint64(raw[8:], mix(seed^0x5bf03635dd3bb1f7))
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80
	return raw
}

// mix is the finalizer of SplitMix64: a bijection, so ids never collide.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// MaterialID is the id of the i-th material of the bundle.
func (l Library) MaterialID(i int) lci.ID { return id(materialKind, i, 0) }

// PropertyID is the id of the j-th property of the i-th material.
func (l Library) PropertyID(i, j int) lci.ID { return id(propertyKind, i, j) }

// dice are the choices that make up one record.
type dice struct{ *rand.Rand }

func roll(k kind, i int) dice { return dice{rand.New(rand.NewPCG(uint64(k), uint64(i)))} }

func (d dice) pick(words []string) string { return words[d.IntN(len(words))] }

// rareEvery is how many names there are to one with a rare word.
const rareEvery = 2000

// materialName is a name of about 60 characters.
func materialName(d dice) string {
	name := fmt.Sprintf("%s %s, %s", d.pick(substances), d.pick(forms), d.pick(treatments))
	if d.IntN(rareEvery) == 0 {
		name += ", " + d.pick(rarities)
	}
	if d.IntN(3) == 0 {
		name += ", " + d.pick(grades)
	}
	return fmt.Sprintf("%s, %d %s, %s, %s", name, 1+d.IntN(5000), d.pick(lengths), d.pick(stages), d.pick(regions))
}

func processName(d dice) string {
	return fmt.Sprintf("%s %s %s, %s | %s", d.pick(techniques), d.pick(substances), d.pick(forms), d.pick(treatments), d.pick(regions))
}
