package rest

import (
	"cradle/internal/gateway"
	"cradle/internal/library"
)

// WrittenMaterial returns a material as the current version lists it to those who
// see the same of it, nil when it is not remembered.
func (f *Face) WrittenMaterial(p library.Page, ref library.Ref) []byte {
	return f.written(listedMaterial, p, ref)
}

// WrittenProcess does the same for a process.
func (f *Face) WrittenProcess(p library.Page, ref library.Ref) []byte {
	return f.written(listedProcess, p, ref)
}

func (f *Face) written(s shape, p library.Page, ref library.Ref) []byte {
	if known := f.rows.shelf(s, gateway.Current, p).get(ref); known != nil {
		return known.text
	}
	return nil
}
