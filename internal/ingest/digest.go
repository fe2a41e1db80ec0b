package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A Digester is a Package that can tell quickly whether it is the same as
// before: its content, and how it would be read.
type Digester interface {
	Digest(ctx context.Context) (string, error)
}

// Digest identifies a library imported with options. It is "" if the library is
// not a Digester.
func Digest(ctx context.Context, lib Package, options Options) (string, error) {
	d, ok := lib.(Digester)
	if !ok {
		return "", nil
	}
	digest, err := d.Digest(ctx)
	if err != nil || digest == "" {
		return "", err
	}
	calculates := options.Calculator != nil
	options.Calculator, options.DryRun = nil, false
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %v %+v", digest, calculates, options))
	return hex.EncodeToString(sum[:]), nil
}

// Digest implements Digester where every part does.
func (j joined) Digest(ctx context.Context) (string, error) {
	sum := sha256.New()
	for _, p := range j {
		d, ok := p.Package.(Digester)
		if !ok {
			return "", nil
		}
		digest, err := d.Digest(ctx)
		if err != nil || digest == "" {
			return "", err
		}
		fmt.Fprintf(sum, "%s %q\n", digest, p.Name)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
