package main

import (
	"fmt"
	"io"
	"strings"

	"cradle/internal/account"
	"cradle/internal/lci"
)

type userCommands struct {
	Add     userAdd     `cmd:"" help:"Add a user."`
	Disable userDisable `cmd:"" help:"Disable a user: sign them out everywhere and stop their keys."`
}

func (userCommands) Help() string {
	return `Example:

    cradle user add --email ada@example.org --firstname Ada --lastname Lovelace`
}

type userAdd struct {
	Email         string `required:"" placeholder:"E" help:"The user's e-mail address."`
	Firstname     string `required:"" placeholder:"F" help:"First name."`
	Lastname      string `required:"" placeholder:"L" help:"Last name."`
	PasswordStdin bool   `help:"Read the password from standard input. Without a password the user can own keys, but cannot sign in to the portal."`
}

func (userAdd) Help() string {
	return `Example:

    cradle user add --email ada@example.org --firstname Ada --lastname Lovelace --password-stdin < password.txt`
}

func (c *userAdd) Run(a *app) error {
	n := account.NewUser{Email: c.Email, Firstname: c.Firstname, Lastname: c.Lastname}
	if c.PasswordStdin {
		password, err := readPassword(a.in)
		if err != nil {
			return err
		}
		n.Password = password
	}
	n, err := n.Normal()
	if err != nil {
		return err
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	u, err := o.accounts.AddUser(a.ctx, n)
	if err != nil {
		return err
	}
	return a.print(userDocument{u.ID, u.Email}, "Added user %s, id %s.", u.Email, u.ID)
}

type userDocument struct {
	ID    lci.ID `json:"id"`
	Email string `json:"email"`
}

// readPassword reads all input, without the line end that an editor or echo
// leaves.
func readPassword(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, 64*1024))
	if err != nil {
		return "", fmt.Errorf("read password: %w", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	return password, account.CheckPassword(password)
}

type userDisable struct {
	Email string `arg:"" help:"The user's e-mail address."`
}

func (userDisable) Help() string {
	return `Example:

    cradle user disable ada@example.org`
}

func (c *userDisable) Run(a *app) error {
	if err := account.CheckEmail(c.Email); err != nil {
		return err
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	u, err := o.accounts.DisableUser(a.ctx, c.Email)
	if err != nil {
		return err
	}
	document := struct {
		userDocument
		DisabledAt *stamp `json:"disabledAt"`
	}{userDocument{u.ID, u.Email}, stampOf(u.DisabledAt)}
	return a.print(document, "Disabled user %s. Their keys no longer work.", u.Email)
}
