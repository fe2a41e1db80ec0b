package main

import (
	"fmt"

	"cradle/internal/store"
)

type checkCommand struct{}

func (checkCommand) Help() string {
	return `Example:

    cradle check --db cradle.db

The exit status is 1 if there are problems.`
}

type checkDocument struct {
	OK        bool     `json:"ok"`
	Users     int64    `json:"users"`
	Teams     int64    `json:"teams"`
	Wallets   int64    `json:"wallets"`
	Entries   int64    `json:"entries"`
	Reveals   int64    `json:"reveals"`
	Materials int64    `json:"materials"`
	Processes int64    `json:"processes"`
	Problems  []string `json:"problems"`
	More      int      `json:"moreProblems"`
}

func (c *checkCommand) Run(a *app) error {
	found, err := a.checkUp()
	if err != nil {
		return err
	}
	if err := a.showCheckup(found); err != nil {
		return err
	}
	if n := len(found.Problems) + found.More; n > 0 {
		return fmt.Errorf("problems found: %d", n)
	}
	return nil
}

func (a *app) checkUp() (*store.Checkup, error) {
	o, err := a.open()
	if store.Damaged(err) {
		return store.FailedCheckup(err), nil
	}
	if err != nil {
		return nil, err
	}
	defer o.Close()
	found, err := o.Check(a.ctx)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	return found, nil
}

func (a *app) showCheckup(c *store.Checkup) error {
	if a.global.JSON {
		return a.printJSON(checkDocument{
			len(c.Problems) == 0, c.Users, c.Teams, c.Wallets, c.Entries, c.Reveals, c.Materials, c.Processes, c.Problems, c.More,
		})
	}
	for _, problem := range c.Problems {
		fmt.Fprintln(a.out, problem)
	}
	if c.More > 0 {
		fmt.Fprintf(a.out, "and %d more\n", c.More)
	}
	if len(c.Problems) > 0 {
		return nil // the counts of a damaged file would be alarming for no reason
	}
	_, err := fmt.Fprintf(a.out, "Checked: users %d, teams %d, ledger entries %d, reveals %d, materials %d, processes %d.\n",
		c.Users, c.Teams, c.Entries, c.Reveals, c.Materials, c.Processes)
	return err
}
