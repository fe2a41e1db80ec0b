package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"cradle/internal/account"
	"cradle/internal/demo"
	"cradle/internal/formats/bundle"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/store"
)

const (
	demoEmail    = "demo@example.org"
	demoPassword = "cradle-demo"
	demoCredits  = 500
)

var demoTeams = []account.NewTeam{
	{Label: "Packaging", Description: "Life-cycle assessment of packaging", Owner: demoEmail},
	{Label: "Buildings", Description: "Life-cycle assessment of buildings", Owner: demoEmail},
}

type demoCommand struct {
	serving
}

func (demoCommand) Help() string {
	return `Examples:

    cradle demo
    cradle demo --db demo.db

Without --db a temporary database is used and removed at the end. A database given with --db must be empty or come from an earlier demonstration.`
}

func (c *demoCommand) Run(a *app) error {
	if a.global.DB == "" {
		dir, err := os.MkdirTemp("", "cradle-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		a.global.DB = filepath.Join(dir, "demo.db")
	}
	front, err := c.listenSomewhere(a)
	if err != nil {
		return err
	}
	defer front.close()
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	d, err := a.setUpDemo(o)
	if err != nil {
		return fmt.Errorf("set up the demonstration: %w", err)
	}
	d.URL, d.PortalURL = front.url, front.url+"/portal"
	return c.serve(a, o, front, func() error { return a.print(d, "%s", d.text()) })
}

// listenSomewhere takes another port if the requested one is busy.
func (c *demoCommand) listenSomewhere(a *app) (*front, error) {
	f, err := c.listen(a)
	if !errors.Is(err, syscall.EADDRINUSE) {
		return f, err
	}
	host, port, splitErr := net.SplitHostPort(c.Addr)
	if splitErr != nil {
		return nil, err
	}
	a.hint("port %s is in use; using another one", port)
	c.Addr = net.JoinHostPort(host, "0")
	return c.listen(a)
}

// demonstration is what a user can try.
type demonstration struct {
	URL       string         `json:"url"`
	PortalURL string         `json:"portalUrl"`
	Email     string         `json:"email"`
	Password  string         `json:"password"`
	LiveKey   string         `json:"liveKey"`
	TestKey   string         `json:"testKey"`
	Teams     []teamDocument `json:"teams"`

	material, property lci.ID
}

// setUpDemo creates what is missing, and new keys because the text of earlier
// ones is not stored.
func (a *app) setUpDemo(o *backend) (*demonstration, error) {
	if err := a.addDemoUser(o); err != nil {
		return nil, err
	}
	if err := a.importDemo(o); err != nil {
		return nil, err
	}
	d := &demonstration{Email: demoEmail, Password: demoPassword}
	var err error
	if d.LiveKey, err = a.addDemoKey(o, account.Live); err != nil {
		return nil, err
	}
	if d.TestKey, err = a.addDemoKey(o, account.Sandbox); err != nil {
		return nil, err
	}
	if d.Teams, err = a.addDemoTeams(o, d.LiveKey); err != nil {
		return nil, err
	}
	if err := a.addDemoHistory(o, d, time.Now()); err != nil {
		return nil, err
	}
	d.material, d.property, err = a.demoExample(o)
	return d, err
}

// addDemoUser refuses a database with other users, because everybody knows the
// demo's password.
func (a *app) addDemoUser(o *backend) error {
	there, err := o.UserByEmail(a.ctx, demoEmail)
	if err != nil || there != nil {
		return err
	}
	used, err := o.HasUsers(a.ctx)
	if err != nil {
		return err
	}
	if used {
		return errors.New("the database already has users; use --db with an empty one, or leave --db out")
	}
	_, err = o.accounts.AddUser(a.ctx, account.NewUser{Email: demoEmail, Firstname: "Demo", Lastname: "User", Password: demoPassword})
	return err
}

func (a *app) addDemoKey(o *backend, mode account.Mode) (string, error) {
	_, secret, err := o.accounts.CreateKey(a.ctx, account.NewKey{Email: demoEmail, Mode: mode, Label: "demonstration"})
	return secret, err
}

// addDemoTeams returns the teams and creates missing ones.
func (a *app) addDemoTeams(o *backend, key string) ([]teamDocument, error) {
	holder, err := o.Holder(a.ctx, account.HashSecret(key))
	if err != nil {
		return nil, err
	}
	teams := []teamDocument{}
	for _, wanted := range demoTeams {
		at := slices.IndexFunc(holder.Seats, func(s account.Seat) bool { return s.Team.Label == wanted.Label })
		if at >= 0 {
			teams = append(teams, teamDocument{holder.Seats[at].Team.ID, wanted.Label})
			continue
		}
		added, err := o.accounts.AddTeam(a.ctx, wanted)
		if err != nil {
			return nil, err
		}
		teams = append(teams, teamDocument{added.ID, added.Label})
	}
	if len(holder.Seats) > 0 {
		return teams, nil
	}
	// Two teams created in the same millisecond have no defined order.
	return teams, o.SetRecentTeam(a.ctx, holder.User.ID, teams[0].ID)
}

func (a *app) importDemo(o *backend) error {
	lib, err := bundle.OpenFS(demo.Files())
	if err != nil {
		return err
	}
	defer lib.Close()
	_, err = a.importLibrary(o, lib, ingest.Options{})
	return err
}

// demoExample finds a material to show and one of its properties.
func (a *app) demoExample(o *backend) (material, property lci.ID, err error) {
	err = o.Export(a.ctx, func(shelf *store.Snapshot) error {
		for m, err := range shelf.Materials(a.ctx) {
			if err != nil {
				return err
			}
			if m.Name == demo.Example {
				material = m.ID
			}
		}
		for p, err := range shelf.Properties(a.ctx) {
			if err != nil {
				return err
			}
			if p.MaterialID == material && property.IsZero() {
				property = p.ID
			}
		}
		return nil
	})
	if err == nil && property.IsZero() {
		err = fmt.Errorf("the library has no %q", demo.Example)
	}
	return material, property, err
}

// text tells what to try first, in lines that can be pasted.
func (d *demonstration) text() string {
	key := fmt.Sprintf("-H 'x-api-key: %s' -H 'x-team-id: %s'", d.LiveKey, d.Teams[0].ID)
	body := fmt.Sprintf(`-H 'Content-Type: application/json' -d '{"propertyIds":["%s"],"userCount":1}'`, d.property)
	material := d.URL + "/public/materials/" + d.material.String()
	return fmt.Sprintf(`Cradle is running at %[1]s. The API reference is at %[1]s/docs.

Portal: %[13]s. Sign in as %[2]s with the password %[14]s

The demonstration library is loaded. %[2]s owns two teams with %[3]d credits each:
  %[4]s  %[5]s
  %[6]s  %[7]s
Live key  %[8]s
Test key  %[9]s (spends sandbox credits)

List materials with "steel" in their name:
  curl -s '%[1]s/public/materials?search=steel&limit=3' %[10]s
Read one of them (values are null until you pull them):
  curl -s '%[11]s' %[10]s
Get a quote for one of its properties:
  curl -s '%[11]s/properties/pull?quote=true' %[10]s %[12]s
Pull it, and read the material again:
  curl -s '%[11]s/properties/pull' %[10]s %[12]s
  curl -s '%[11]s' %[10]s

Press Ctrl-C to stop.`, d.URL, d.Email, demoCredits, d.Teams[0].ID, d.Teams[0].Label, d.Teams[1].ID, d.Teams[1].Label,
		d.LiveKey, d.TestKey, key, material, body, d.PortalURL, d.Password)
}
