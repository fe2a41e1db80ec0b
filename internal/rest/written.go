package rest

import (
	"cradle/internal/gateway"
	"cradle/internal/library"
)

// Written returns a record as the current version lists it to the viewers of
// ref, or nil if it is not in the cache.
func (a *API) Written(p library.Page, ref library.Ref) []byte {
	if known := a.rows.table(gateway.Current, p).get(ref); known != nil {
		return known.text
	}
	return nil
}
