package portal

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"cradle/internal/account"
	"cradle/internal/fault"
)

type teamPage struct {
	Members     []account.Colleague
	Invitations []invitationRow
	Name        form
	Invite      form
	Link        string // of an invitation just made
	Invited     account.Invitation
	Mailed      bool
	MailFailed  bool
	CanMail     bool
}

type invitationRow struct {
	account.Invitation
	Expired bool
}

func (v *visit) teamPage() error {
	return v.showTeam(http.StatusOK, teamPage{Name: v.teamName(), Invite: newForm("email", "role")})
}

func (v *visit) teamName() form {
	f := newForm("label", "description")
	f.Value["label"] = v.seat.Team.Label
	if v.seat.Team.Description != nil {
		f.Value["description"] = *v.seat.Team.Description
	}
	return f
}

func (v *visit) showTeam(status int, page teamPage) error {
	var err error
	if page.Members, err = v.Accounts.Members(v.context(), v.viewer.Team); err != nil {
		return err
	}
	invitations, err := v.Invitations.List(v.context(), v.viewer.Team)
	if err != nil {
		return err
	}
	for _, i := range invitations {
		page.Invitations = append(page.Invitations, invitationRow{i, i.Expired(v.Now())})
	}
	page.CanMail = v.Mail != nil
	return v.show(status, "team", "Team", page)
}

func (v *visit) renameTeam() error {
	page := teamPage{Name: newForm("label", "description"), Invite: newForm("email", "role")}
	page.Name.read(v)
	err := v.Accounts.DescribeTeam(v.context(), v.viewer.Team, page.Name.Value["label"], page.Name.Value["description"])
	if status := page.Name.fail(err); status != 0 {
		return v.showTeam(status, page)
	}
	if err != nil {
		return err
	}
	return v.send("/portal/team", "renamed")
}

// invite shows the link to the owner, and mails it if there is a mail server.
// The page does not reveal whether the address has an account.
func (v *visit) invite() error {
	page := teamPage{Name: v.teamName(), Invite: newForm("email", "role")}
	page.Invite.read(v)
	i, token, err := v.Invitations.Invite(v.context(), v.visitor.User, v.seat.Team, page.Invite.Value["email"], account.Role(page.Invite.Value["role"]))
	if status := page.Invite.fail(err); status != 0 {
		return v.showTeam(status, page)
	}
	if err != nil {
		return err
	}
	page.Invite, page.Invited = newForm("email", "role"), i
	page.Link = v.BaseURL + "/portal/invitation/" + token
	if v.Mail != nil {
		err := v.Mail(v.context(), i.Email, "Invitation to the team "+i.Team.Label, invitationText(i, page.Link))
		if err != nil {
			v.Log.Error("invitation not mailed", "requestId", v.id, "error", err)
		}
		page.Mailed, page.MailFailed = err == nil, err != nil
	}
	return v.showTeam(http.StatusOK, page)
}

// Mailer sends a mail of plain text.
type Mailer func(ctx context.Context, to, subject, text string) error

func invitationText(i account.Invitation, link string) string {
	return fmt.Sprintf("%s invites you to the team %s.\n\nTo accept, open this link. It works once, until %s:\n\n%s\n\nIf you did not expect this invitation, you can ignore it.\n",
		i.InvitedBy, i.Team.Label, exact(i.ExpiresAt), link)
}

func (v *visit) withdraw() error {
	if err := v.Invitations.Withdraw(v.context(), v.viewer.Team, v.pathID("id")); err != nil {
		return err
	}
	return v.send("/portal/team", "withdrawn")
}

func (v *visit) setRole() error {
	if err := v.Accounts.SetRole(v.context(), v.viewer.Team, v.pathID("id"), account.Role(v.field("role"))); err != nil {
		return err
	}
	return v.send("/portal/team", "role")
}

func (v *visit) removeMemberPage() error {
	members, err := v.Accounts.Members(v.context(), v.viewer.Team)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.User.ID == v.pathID("id") {
			return v.confirm(confirmation{Title: "Remove this member?", Action: v.request.URL.Path, Back: "/portal/team", Button: "Remove " + m.User.Firstname,
				Text: m.User.Firstname + " " + m.User.Lastname + " (" + m.User.Email + ") will no longer see the data of " + v.seat.Team.Label + " or spend its credits. Their keys stop working for this team at once."})
		}
	}
	return fault.NotFoundf("There is no such member in this team")
}

func (v *visit) removeMember() error {
	if err := v.Accounts.Remove(v.context(), v.viewer.Team, v.pathID("id")); err != nil {
		return err
	}
	return v.send("/portal/team", "member-gone")
}

func (v *visit) leavePage() error {
	return v.confirm(confirmation{Title: "Leave " + v.seat.Team.Label + "?", Action: "/portal/team/leave", Back: "/portal/team", Button: "Leave team",
		Text: "You will no longer see the team's data or spend its credits, and your keys stop working for it. An owner can invite you again."})
}

func (v *visit) leave() error {
	if err := v.Accounts.Remove(v.context(), v.viewer.Team, v.visitor.User.ID); err != nil {
		return err
	}
	return v.send("/portal", "left")
}

type accountPage struct {
	form
	Sessions []sessionRow
	Offers   []account.Seat
}

type sessionRow struct {
	account.Session
	This bool
}

func (v *visit) accountPage() error { return v.showAccount(http.StatusOK, newForm()) }

func (v *visit) showAccount(status int, f form) error {
	page := accountPage{form: f}
	sessions, err := v.Sessions.Open(v.context(), v.visitor.User.ID)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		page.Sessions = append(page.Sessions, sessionRow{s, s.ID == v.visitor.Session})
	}
	if page.Offers, err = v.Accounts.Offers(v.context(), v.visitor.User.ID); err != nil {
		return err
	}
	return v.show(status, "account", "Account", page)
}

func (v *visit) changePassword() error {
	f := newForm()
	next := v.request.PostFormValue("password")
	if next != v.request.PostFormValue("again") {
		f.Error["again"] = "The passwords do not match"
		return v.showAccount(http.StatusBadRequest, f)
	}
	token, err := v.Sessions.ChangePassword(v.context(), v.visitor,
		account.NewPassword{Current: v.request.PostFormValue("current"), Next: next, Client: v.client, Agent: v.request.UserAgent()})
	if status := f.fail(err); status != 0 {
		return v.showAccount(status, f)
	}
	if err != nil {
		return err
	}
	v.keep(token)
	return v.send("/portal/account", "password")
}

func (v *visit) answerOffer() error {
	join := v.field("answer") == "join"
	if err := v.Accounts.AnswerOffer(v.context(), v.visitor, v.pathID("id"), join); err != nil {
		return err
	}
	if join {
		return v.send("/portal", "joined")
	}
	return v.send("/portal/account", "declined")
}

type invitationPage struct {
	form
	account.Invitation
	Token string
	Same  bool // the signed-in user is the one invited
}

func (v *visit) invitation() error {
	page, err := v.invitationPage()
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "invitation", "Invitation", page)
}

func (v *visit) invitationPage(fields ...string) (invitationPage, error) {
	page := invitationPage{form: newForm(fields...), Token: v.path("token")}
	var err error
	if page.Invitation, err = v.Invitations.Find(v.context(), page.Token); err != nil {
		return page, err
	}
	page.Same = v.visitor != nil && strings.EqualFold(v.visitor.User.Email, page.Email)
	return page, nil
}

func (v *visit) acceptInvitation() error {
	if err := v.Invitations.Accept(v.context(), v.path("token"), v.visitor); err != nil {
		return err
	}
	return v.send("/portal", "joined")
}

// acceptBySigningIn signs in to the invited account, and accepts.
func (v *visit) acceptBySigningIn() error {
	page, err := v.invitationPage()
	if err != nil {
		return err
	}
	token, err := v.Sessions.SignIn(v.context(), account.SignIn{Email: page.Email, Password: v.request.PostFormValue("password"), Client: v.client, Agent: v.request.UserAgent()})
	if status := page.fail(err); status != 0 {
		return v.show(status, "invitation", "Invitation", page)
	}
	if err != nil {
		return err
	}
	v.keep(token)
	visitor, err := v.Sessions.Visitor(v.context(), token)
	if err != nil {
		return err
	}
	if err := v.Invitations.Accept(v.context(), page.Token, visitor); err != nil {
		return err
	}
	return v.send("/portal", "joined")
}

func (v *visit) acceptAsNew() error {
	page, err := v.invitationPage("firstname", "lastname")
	if err != nil {
		return err
	}
	page.read(v)
	token, err := v.Invitations.AcceptAsNew(v.context(), page.Token, account.NewUser{Firstname: page.Value["firstname"], Lastname: page.Value["lastname"],
		Password: v.request.PostFormValue("password")}, v.client, v.request.UserAgent())
	if status := page.fail(err); status != 0 {
		return v.show(status, "invitation", "Invitation", page)
	}
	if err != nil {
		return err
	}
	v.keep(token)
	return v.send("/portal", "joined")
}
