package byhand

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"

	"cradle/internal/ingest/xmlstream"
)

var xmlPart = Part{
	Name: "XML", Library: "encoding/xml, tokens", Once: "an EcoSpold 2 dataset of 500 exchanges",
	write:  writeDataset,
	ours:   func(file string) (func() any, error) { return overFile(file, readDataset) },
	theirs: func(file string) (func() any, error) { return overFile(file, readDatasetTokens) },
}

func overFile(file string, read func([]byte) any) (func() any, error) {
	text, err := os.ReadFile(file)
	return func() any { return read(text) }, err
}

func writeDataset(file string) error {
	var b bytes.Buffer
	dice := rand.New(rand.NewPCG(1, 1))
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02"><childActivityDataset><flowData>` + "\n")
	for i := range 500 {
		fmt.Fprintf(&b, `  <intermediateExchange id="%08x-1111-4111-8111-%012x" unitId="487df68b-4994-4027-8fdc-a4dc298257b7" amount="%g" activityLinkId="%08x-2222-4222-8222-222222222222">
    <name xml:lang="en">market for rolled steel &amp; sections, grade %d</name>
    <unitName xml:lang="en">kg</unitName>
    <comment xml:lang="en">Calculated from the mass balance of the plant; literature value of %d, see the report &lt;chapter %d&gt;.</comment>
    <uncertainty><lognormal meanValue="%g" mu="%g" variance="0.0006" varianceWithPedigreeUncertainty="0.0106"/>
      <pedigreeMatrix reliability="2" completeness="3" temporalCorrelation="4" geographicalCorrelation="1" furtherTechnologyCorrelation="1"/></uncertainty>
    <inputGroup>5</inputGroup>
  </intermediateExchange>
`, dice.Uint32(), i, dice.ExpFloat64(), dice.Uint32(), i, 1990+i%35, i%12, dice.ExpFloat64(), dice.NormFloat64())
	}
	b.WriteString("</flowData></childActivityDataset></ecoSpold>\n")
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// dataset is what both ways find in the document.
type dataset struct {
	elements, letters int
	amount            float64
}

func (d *dataset) exchange(amount string) {
	f, _ := strconv.ParseFloat(amount, 64)
	d.amount += f
}

func readDataset(text []byte) any {
	r, err := xmlstream.NewReader(bytes.NewReader(text))
	if err != nil {
		return err
	}
	root, err := r.Root()
	if err != nil {
		return err
	}
	d := dataset{elements: 1}
	var visit func(e *xmlstream.Element) error
	visit = func(e *xmlstream.Element) error {
		d.elements++
		if e.Has("amount") {
			d.exchange(e.Attr("amount"))
		}
		switch e.Name {
		case "name", "unitName", "comment":
			text, err := e.Text()
			d.letters += len(text)
			return err
		}
		return e.Each(visit)
	}
	if err := root.Each(visit); err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	return d
}

func readDatasetTokens(text []byte) any {
	d, inText := dataset{}, false
	for decoder := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return d
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			d.elements++
			for _, a := range token.Attr {
				if a.Name.Local == "amount" {
					d.exchange(a.Value)
				}
			}
			switch token.Name.Local {
			case "name", "unitName", "comment":
				inText = true
			}
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				d.letters += len(token)
			}
		}
	}
}
