package purchase

import (
	"fmt"
	"strings"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// The most ids that one pull may name.
const (
	mostItems     = 500
	mostMaterials = 100
)

// ItemsField is the name of the list of ids in a client's order.
func (k Kind) ItemsField() string {
	switch k {
	case Properties:
		return "propertyIds"
	case Products:
		return "referenceProductIds"
	case Impacts:
		return "characterizationFactorIds"
	}
	return "materialIds"
}

// ParseItems parses the ids in an order on a record. Errors name the field.
func (k Kind) ParseItems(texts []string, record lci.ID) ([]lci.ID, error) {
	most, parse := mostItems, parseItem
	switch k {
	case Impacts:
		parse = parseMethod
	case Datapoints:
		most = mostMaterials
	}
	if len(texts) < 1 || len(texts) > most {
		return nil, fault.Fieldf(k.ItemsField(), "must have 1 to %d entries, it has %d", most, len(texts))
	}
	ids := make([]lci.ID, len(texts))
	for i, text := range texts {
		var err error
		if ids[i], err = parse(text, record); err != nil {
			return nil, fault.Invalidf("%s[%d] %s", k.ItemsField(), i, err).In(k.ItemsField())
		}
	}
	return ids, nil
}

func parseItem(text string, _ lci.ID) (lci.ID, error) {
	id, ok := lci.ParseID(text)
	if !ok {
		return id, fmt.Errorf("is not a UUID: %s", fault.Quoted(text))
	}
	return id, nil
}

// parseMethod parses a method's id, bare or as the composite "<method>,<process>".
func parseMethod(text string, process lci.ID) (lci.ID, error) {
	bare, of, composite := strings.Cut(text, ",")
	method, ok := lci.ParseID(bare)
	other := process
	if composite && ok {
		other, ok = lci.ParseID(of)
	}
	if !ok {
		return method, fmt.Errorf("is not a UUID or <method_id>,<process_id>: %s", fault.Quoted(text))
	}
	if other != process {
		return method, fmt.Errorf("names process %s, not the process that is pulled", other)
	}
	return method, nil
}
