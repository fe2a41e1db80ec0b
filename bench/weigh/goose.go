//go:build goose

package main

import (
	"context"
	"os"

	"github.com/pressly/goose/v3"
)

func init() {
	use = append(use, func() any {
		provider, err := goose.NewProvider(goose.DialectSQLite3, nil, os.DirFS("."))
		if err != nil {
			return err
		}
		done, _ := provider.Up(context.Background())
		return done
	})
}
