package main

import (
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

type keyCommands struct {
	Create keyCreate `cmd:"" help:"Create an API key. It is shown only once."`
	List   keyList   `cmd:"" help:"List keys, including revoked ones."`
	Revoke keyRevoke `cmd:"" help:"Revoke a key. It stops working with the next request."`
}

func (keyCommands) Help() string {
	return `Example:

    cradle key create --user ada@example.org`
}

type keyCreate struct {
	User  string `required:"" placeholder:"E" help:"The e-mail address of the key's owner."`
	Test  bool   `help:"Create a test key, which uses only the sandbox."`
	Label string `placeholder:"L" help:"What the key is for."`
}

func (keyCreate) Help() string {
	return `Examples:

    cradle key create --user ada@example.org --label "nightly export"
    cradle key create --user ada@example.org --test`
}

func (c *keyCreate) Run(a *app) error {
	n := account.NewKey{Email: c.User, Mode: account.Live, Label: c.Label}
	if c.Test {
		n.Mode = account.Sandbox
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
	key, secret, err := o.accounts.CreateKey(a.ctx, n)
	if err != nil {
		return err
	}
	if !a.global.JSON {
		a.hint("Created %s key %s for %s. Store it now: it will not be shown again.", key.Mode, key.ID, n.Email)
	}
	document := struct {
		ID     lci.ID       `json:"id"`
		Key    string       `json:"key"`
		Prefix string       `json:"prefix"`
		Mode   account.Mode `json:"mode"`
	}{key.ID, secret, key.Prefix, key.Mode}
	return a.print(document, "%s", secret)
}

type keyList struct {
	User string `placeholder:"E" help:"List only the keys of the user with this e-mail address."`
}

func (keyList) Help() string {
	return `Example:

    cradle key list --user ada@example.org`
}

func (c *keyList) Run(a *app) error {
	if c.User != "" {
		if err := account.CheckEmail(c.User); err != nil {
			return err
		}
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	keys, err := o.accounts.Keys(a.ctx, c.User)
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(keyDocuments(keys))
	}
	return a.table(keyRows(keys))
}

type keyDocument struct {
	ID         lci.ID       `json:"id"`
	UserID     lci.ID       `json:"userId"`
	Label      string       `json:"label"`
	Prefix     string       `json:"prefix"`
	Mode       account.Mode `json:"mode"`
	CreatedAt  stamp        `json:"createdAt"`
	RevokedAt  *stamp       `json:"revokedAt"`
	LastUsedAt *stamp       `json:"lastUsedAt"`
}

func keyDocuments(keys []account.Key) []keyDocument {
	documents := make([]keyDocument, len(keys))
	for i, k := range keys {
		documents[i] = keyDocument{k.ID, k.UserID, k.Label, k.Prefix, k.Mode, stamp(k.CreatedAt), stampOf(k.RevokedAt), stampOf(k.LastUsedAt)}
	}
	return documents
}

func keyRows(keys []account.Key) [][]string {
	rows := [][]string{{"ID", "KEY", "MODE", "LABEL", "CREATED", "REVOKED", "LAST USED"}}
	for _, k := range keys {
		rows = append(rows, []string{
			k.ID.String(), k.Prefix + "…", string(k.Mode), orDash(k.Label), clock(&k.CreatedAt), clock(k.RevokedAt), clock(k.LastUsedAt),
		})
	}
	return rows
}

type keyRevoke struct {
	ID idValue `arg:"" help:"The key's id, as shown by key list."`
}

func (keyRevoke) Help() string {
	return `Example:

    cradle key revoke 3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22`
}

func (c *keyRevoke) Run(a *app) error {
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	at, err := o.accounts.RevokeKey(a.ctx, c.ID.id())
	if err != nil {
		return err
	}
	document := struct {
		ID        lci.ID `json:"id"`
		RevokedAt stamp  `json:"revokedAt"`
	}{c.ID.id(), stamp(at)}
	return a.print(document, "The key was revoked at %s.", time.Time(document.RevokedAt).Local().Format(time.DateTime))
}
