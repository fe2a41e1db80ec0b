package rest

import (
	"context"
	"io"

	"cradle/internal/account"
	"cradle/internal/gateway"
)

// An Exporter writes what a viewer's team has pulled in the viewer's mode, and
// nothing else, to a file.
type Exporter func(ctx context.Context, v account.Viewer, format string) (*Export, error)

// An Export is a finished file.
type Export struct {
	io.ReadCloser
	MediaType string
	Name      string // under which browsers save it
	Sum       gateway.Sum
}

// exported answers with the team's own data. The same data give the same bytes,
// so that a client that has them gets a 304.
func (a *API) exported(c *gateway.Call, _ parameters) error {
	values, err := parseValues(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	format, given := values["format"]
	if !given {
		format = "bundle"
	}
	made, err := a.export(c.Request.Context(), c.Viewer, format)
	if err != nil {
		return err
	}
	defer made.Close()
	return c.File(made, made.MediaType, made.Name, made.Sum)
}
