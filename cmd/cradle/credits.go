package main

import (
	"fmt"
	"strconv"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// mostReason is how many characters a ledger entry's reason may have.
const mostReason = 500

type creditCommands struct {
	Grant creditsGrant `cmd:"" help:"Grant credits to a team, or take them away."`
	Show  creditsShow  `cmd:"" help:"Show a team's balances and its whole ledger."`
}

func (creditCommands) Help() string {
	return `Example:

    cradle credits grant 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 500`
}

type creditsGrant struct {
	Team    idValue     `arg:"" help:"The team's id."`
	Amount  amountValue `arg:"" name:"n" help:"The number of credits. A negative number takes credits away, but never below zero."`
	Sandbox bool        `help:"Grant sandbox credits, which test keys spend."`
	Reason  string      `placeholder:"R" help:"The reason, for the ledger."`
}

func (creditsGrant) Help() string {
	return `Examples:

    cradle credits grant 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 500 --reason "order 2041"
    cradle credits grant 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 -5 --reason "granted by mistake"`
}

func (c *creditsGrant) Run(a *app) error {
	if c.Amount == 0 || c.Amount > purchase.MaxBalance || c.Amount < -purchase.MaxBalance {
		return wrongValue("N must be a whole number between -%d and %[1]d, and not 0", purchase.MaxBalance)
	}
	reason, err := account.OneLine("reason", c.Reason, mostReason)
	if err != nil {
		return err
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	wallet := account.Wallet{Team: c.Team.id(), Mode: account.Live}
	if c.Sandbox {
		wallet.Mode = account.Sandbox
	}
	entry, err := o.Grant(a.ctx, wallet, int64(c.Amount), reason)
	if err != nil {
		return err
	}
	document := struct {
		TeamID  lci.ID       `json:"teamId"`
		Mode    account.Mode `json:"mode"`
		Balance int64        `json:"balance"`
	}{wallet.Team, wallet.Mode, entry.Balance}
	return a.print(document, "The team's %s balance is now %d.", wallet.Mode, entry.Balance)
}

type creditsShow struct {
	Team idValue `arg:"" help:"The team's id."`
}

func (creditsShow) Help() string {
	return `Example:

    cradle credits show 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

// ledgerDocument is one of a team's two ledgers.
type ledgerDocument struct {
	Balance int64           `json:"balance"`
	Entries []entryDocument `json:"entries"`
}

type entryDocument struct {
	ID        lci.ID             `json:"id"`
	Time      stamp              `json:"time"`
	Kind      purchase.EntryKind `json:"kind"`
	Amount    int64              `json:"amount"`
	Balance   int64              `json:"balance"`
	Reason    string             `json:"reason"`
	UserID    *lci.ID            `json:"userId"`
	RequestID *string            `json:"requestId"`
}

func (c *creditsShow) Run(a *app) error {
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	live, err := o.ledger(a, account.Wallet{Team: c.Team.id(), Mode: account.Live})
	if err != nil {
		return err
	}
	sandbox, err := o.ledger(a, account.Wallet{Team: c.Team.id(), Mode: account.Sandbox})
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(struct {
			Live    ledgerDocument `json:"live"`
			Sandbox ledgerDocument `json:"sandbox"`
		}{live, sandbox})
	}
	if err := live.show(a, "Live"); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	return sandbox.show(a, "Sandbox")
}

func (o *backend) ledger(a *app, wallet account.Wallet) (ledgerDocument, error) {
	balance, entries, err := o.Ledger(a.ctx, wallet)
	if err != nil {
		return ledgerDocument{}, err
	}
	d := ledgerDocument{Balance: balance, Entries: make([]entryDocument, len(entries))}
	for i, e := range entries {
		d.Entries[i] = entryDocument{
			ID: e.ID, Time: stamp(e.Time), Kind: e.Kind, Amount: e.Amount, Balance: e.Balance,
			Reason: e.Reason, UserID: idOrNull(e.UserID), RequestID: textOrNull(e.RequestID),
		}
	}
	return d, nil
}

func (d ledgerDocument) show(a *app, mode string) error {
	fmt.Fprintf(a.out, "%s: %s\n", mode, purchase.Credits(d.Balance))
	if len(d.Entries) == 0 {
		return nil
	}
	rows := [][]string{{"TIME", "KIND", "AMOUNT", "BALANCE", "REASON", "USER", "REQUEST"}}
	for _, e := range d.Entries {
		user, request := "operator", "-"
		if e.UserID != nil {
			user = e.UserID.String()
		}
		if e.RequestID != nil {
			request = *e.RequestID
		}
		rows = append(rows, []string{
			e.Time.clock(), string(e.Kind), fmt.Sprintf("%+d", e.Amount), strconv.FormatInt(e.Balance, 10), orDash(e.Reason), user, request,
		})
	}
	return a.table(rows)
}
