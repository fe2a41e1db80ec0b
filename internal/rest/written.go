package rest

import (
	"cradle/internal/gateway"
	"cradle/internal/library"
)

// WrittenMaterial returns a material as the current version lists it to those who
// see the same of it, nil when it is not remembered.
func (a *API) WrittenMaterial(p library.Page, ref library.Ref) []byte {
	return a.written(listedMaterial, p, ref)
}

// WrittenProcess does the same for a process.
func (a *API) WrittenProcess(p library.Page, ref library.Ref) []byte {
	return a.written(listedProcess, p, ref)
}

func (a *API) written(s shape, p library.Page, ref library.Ref) []byte {
	if known := a.rows.table(s, gateway.Current, p).get(ref); known != nil {
		return known.text
	}
	return nil
}
