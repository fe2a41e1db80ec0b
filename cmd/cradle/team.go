package main

import (
	"cradle/internal/account"
	"cradle/internal/lci"
)

type teamCommands struct {
	Add    teamAdd    `cmd:"" help:"Add a team with its owner."`
	Member teamMember `cmd:"" help:"Add, change or remove a membership."`
}

func (teamCommands) Help() string {
	return `Example:

    cradle team add --label "Packaging" --owner ada@example.org`
}

type teamAdd struct {
	Label        string     `required:"" placeholder:"L" help:"The team's name."`
	Description  string     `placeholder:"D" help:"What the team is for."`
	Owner        string     `required:"" placeholder:"E" help:"The e-mail address of the team's owner."`
	SandboxQuota countValue `default:"1000" placeholder:"${default}" help:"How many sandbox credits the team starts with."`
}

func (teamAdd) Help() string {
	return `Example:

    cradle team add --label "Packaging" --owner ada@example.org`
}

func (c *teamAdd) Run(a *app) error {
	n, err := account.NewTeam{Label: c.Label, Description: c.Description, Owner: c.Owner}.Normal()
	if err != nil {
		return err
	}
	o, err := a.openWith(int64(c.SandboxQuota))
	if err != nil {
		return err
	}
	defer o.Close()
	team, err := o.accounts.AddTeam(a.ctx, n)
	if err != nil {
		return err
	}
	return a.print(teamDocument{team.ID, team.Label}, "Added team %s, id %s, owned by %s.", team.Label, team.ID, n.Owner)
}

type teamDocument struct {
	ID    lci.ID `json:"id"`
	Label string `json:"label"`
}

type teamMember struct {
	Team    idValue   `arg:"" help:"The team's id."`
	Email   string    `arg:"" help:"The user's e-mail address."`
	Role    roleValue `placeholder:"owner|member" help:"The user's role in the team. Without this flag an existing membership keeps its role, and a new one is member."`
	Pending bool      `help:"Only invite the user. A pending membership gives no access."`
	Remove  bool      `help:"End the membership."`
}

func (teamMember) Help() string {
	return `Examples:

    cradle team member 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 bob@example.org
    cradle team member 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 bob@example.org --role owner
    cradle team member 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 bob@example.org --remove`
}

func (c *teamMember) Run(a *app) error {
	if c.Remove && (c.Pending || c.Role != "") {
		return wrongValue("%s cannot be used with %s or %s", a.named("remove"), a.named("role"), a.named("pending"))
	}
	n, err := account.NewMember{Team: c.Team.id(), Email: c.Email, Role: account.Role(c.Role), Pending: c.Pending}.Normal()
	if err != nil {
		return err
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	if c.Remove {
		return c.remove(a, o, n)
	}
	m, err := o.accounts.SetMember(a.ctx, n)
	if err != nil {
		return err
	}
	return a.print(documentOf(m, string(m.Status)), "%s is now %s %s of the team.", n.Email, m.Status, m.Role)
}

func (c *teamMember) remove(a *app, o *backend, n account.NewMember) error {
	m, err := o.accounts.RemoveMember(a.ctx, n.Team, n.Email)
	if err != nil {
		return err
	}
	return a.print(documentOf(m, "removed"), "%s is no longer in the team.", n.Email)
}

type memberDocument struct {
	TeamID lci.ID       `json:"teamId"`
	UserID lci.ID       `json:"userId"`
	Role   account.Role `json:"role"`
	Status string       `json:"status"`
}

func documentOf(m account.Membership, status string) memberDocument {
	return memberDocument{m.TeamID, m.UserID, m.Role, status}
}
