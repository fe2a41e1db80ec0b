package account_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/store"
)

type fixture struct {
	*account.Service
	store *store.Store
	path  string
}

func newOffice(t *testing.T) fixture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "accounts.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	sealer, err := account.NewSealer([]byte("secret"), "test keys")
	if err != nil {
		t.Fatal(err)
	}
	return fixture{account.NewService(s, account.Options{Sealer: sealer, SandboxQuota: 1000}), s, path}
}

func (o fixture) user(t *testing.T, email string) account.User {
	t.Helper()
	u, err := o.AddUser(t.Context(), account.NewUser{Email: email, Firstname: "F", Lastname: "L"})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func (o fixture) team(t *testing.T, owner string) account.Team {
	t.Helper()
	team, err := o.AddTeam(t.Context(), account.NewTeam{Label: "Team", Owner: owner})
	if err != nil {
		t.Fatal(err)
	}
	return team
}

func expectRefusal(t *testing.T, err error, kind fault.Kind, names string) {
	t.Helper()
	if fault.KindOf(err) != kind || !strings.Contains(err.Error(), names) {
		t.Errorf("got %v, want a refusal of kind %d that names %q", err, kind, names)
	}
}

func TestUserFieldsAreChecked(t *testing.T) {
	long := strings.Repeat("x", 201)
	for name, c := range map[string]struct {
		user  account.NewUser
		names string
	}{
		"no e-mail address":     {account.NewUser{Email: " ", Firstname: "A", Lastname: "B"}, "email"},
		"no at sign":            {account.NewUser{Email: "ada", Firstname: "A", Lastname: "B"}, `email "ada"`},
		"a name with address":   {account.NewUser{Email: "Ada <a@b.c>", Firstname: "A", Lastname: "B"}, "email"},
		"two addresses":         {account.NewUser{Email: "a@b.c, d@e.f", Firstname: "A", Lastname: "B"}, "email"},
		"an endless address":    {account.NewUser{Email: strings.Repeat("a", 251) + "@b.c", Firstname: "A", Lastname: "B"}, "email"},
		"no firstname":          {account.NewUser{Email: "a@b.c", Firstname: " ", Lastname: "B"}, "firstname"},
		"a control character":   {account.NewUser{Email: "a@b.c", Firstname: "A\x1b[31m", Lastname: "B"}, "firstname"},
		"no lastname":           {account.NewUser{Email: "a@b.c", Firstname: "A"}, "lastname"},
		"an endless lastname":   {account.NewUser{Email: "a@b.c", Firstname: "A", Lastname: long}, "lastname"},
		"a lastname not UTF-8":  {account.NewUser{Email: "a@b.c", Firstname: "A", Lastname: "\xff"}, "lastname"},
		"a password too short":  {account.NewUser{Email: "a@b.c", Firstname: "A", Lastname: "B", Password: "short"}, "password"},
		"a password not UTF-8 ": {account.NewUser{Email: "a@b.c", Firstname: "A", Lastname: "B", Password: "\xff\xff\xff\xff\xff\xff\xff\xff"}, "password"},
	} {
		_, err := c.user.Normal()
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEmailBelongsToOneUserWhateverItsCase(t *testing.T) {
	o := newOffice(t)
	u := o.user(t, " Ada@Example.ORG ")
	if u.Email != "Ada@Example.ORG" {
		t.Errorf("stored as %q", u.Email)
	}
	_, err := o.AddUser(t.Context(), account.NewUser{Email: "ada@example.org", Firstname: "A", Lastname: "B"})
	expectRefusal(t, err, fault.Conflict, "ada@example.org")
	if same, err := o.DisableUser(t.Context(), "ADA@EXAMPLE.ORG"); err != nil || same.ID != u.ID || same.DisabledAt == nil {
		t.Errorf("disabled %+v, %v", same, err)
	}
}

func TestDisabledUserStaysDisabledAndTakesNothingNew(t *testing.T) {
	o := newOffice(t)
	o.user(t, "a@b.c")
	o.user(t, "owner@b.c")
	team := o.team(t, "owner@b.c")
	first, err := o.DisableUser(t.Context(), "a@b.c")
	if err != nil {
		t.Fatal(err)
	}
	again, err := o.DisableUser(t.Context(), "a@b.c")
	if err != nil || !again.DisabledAt.Equal(*first.DisabledAt) {
		t.Errorf("again: %+v, %v", again, err)
	}
	_, _, err = o.CreateKey(t.Context(), account.NewKey{Email: "a@b.c", Mode: account.Live})
	expectRefusal(t, err, fault.Conflict, "a@b.c")
	_, err = o.AddTeam(t.Context(), account.NewTeam{Label: "T", Owner: "a@b.c"})
	expectRefusal(t, err, fault.Conflict, "a@b.c")
	_, err = o.SetMember(t.Context(), account.NewMember{Team: team.ID, Email: "a@b.c"})
	expectRefusal(t, err, fault.Conflict, "a@b.c")
}

func TestTeamFieldsAreChecked(t *testing.T) {
	o := newOffice(t)
	o.user(t, "a@b.c")
	_, err := o.AddTeam(t.Context(), account.NewTeam{Label: "", Owner: "a@b.c"})
	expectRefusal(t, err, fault.Invalid, "label")
	_, err = o.AddTeam(t.Context(), account.NewTeam{Label: "T", Description: "a\x00b", Owner: "a@b.c"})
	expectRefusal(t, err, fault.Invalid, "description")
	_, err = o.AddTeam(t.Context(), account.NewTeam{Label: "T", Owner: "nobody@b.c"})
	expectRefusal(t, err, fault.NotFound, "nobody@b.c")
	_, err = o.Team(t.Context(), lci.NewID())
	expectRefusal(t, err, fault.NotFound, "team")
}

func TestMembershipKeepsItsRoleUnlessToldOtherwise(t *testing.T) {
	o := newOffice(t)
	o.user(t, "owner@b.c")
	o.user(t, "a@b.c")
	team := o.team(t, "owner@b.c")
	for _, step := range []struct {
		change account.NewMember
		role   account.Role
		status account.Status
	}{
		{account.NewMember{Pending: true}, account.Member, account.Pending},
		{account.NewMember{}, account.Member, account.Active},
		{account.NewMember{Role: account.Owner}, account.Owner, account.Active},
		{account.NewMember{}, account.Owner, account.Active},
		{account.NewMember{Role: account.Member}, account.Member, account.Active},
	} {
		step.change.Team, step.change.Email = team.ID, "A@b.c"
		m, err := o.SetMember(t.Context(), step.change)
		if err != nil || m.Role != step.role || m.Status != step.status {
			t.Errorf("%+v gave %+v, %v", step.change, m, err)
		}
	}
	was, err := o.RemoveMember(t.Context(), team.ID, "a@b.c")
	if err != nil || was.Role != account.Member {
		t.Errorf("removed %+v, %v", was, err)
	}
	_, err = o.RemoveMember(t.Context(), team.ID, "a@b.c")
	expectRefusal(t, err, fault.NotFound, "a@b.c")
	_, err = o.SetMember(t.Context(), account.NewMember{Team: team.ID, Email: "a@b.c", Role: "boss"})
	expectRefusal(t, err, fault.Invalid, "role")
	_, err = o.SetMember(t.Context(), account.NewMember{Team: lci.NewID(), Email: "a@b.c"})
	expectRefusal(t, err, fault.NotFound, "team")
}

func TestLastOwnerStays(t *testing.T) {
	o := newOffice(t)
	o.user(t, "owner@b.c")
	o.user(t, "other@b.c")
	team := o.team(t, "owner@b.c")
	invite := account.NewMember{Team: team.ID, Email: "other@b.c", Role: account.Owner, Pending: true}
	if _, err := o.SetMember(t.Context(), invite); err != nil {
		t.Fatal(err)
	}
	attempts := map[string]func() error{
		"removed": func() error { _, err := o.RemoveMember(t.Context(), team.ID, "owner@b.c"); return err },
		"demoted": func() error {
			_, err := o.SetMember(t.Context(), account.NewMember{Team: team.ID, Email: "owner@b.c", Role: account.Member})
			return err
		},
		"made pending": func() error {
			_, err := o.SetMember(t.Context(), account.NewMember{Team: team.ID, Email: "owner@b.c", Pending: true})
			return err
		},
	}
	for name, attempt := range attempts {
		t.Run(name, func(t *testing.T) { expectRefusal(t, attempt(), fault.Conflict, "last owner") })
	}
	invite.Pending = false
	if _, err := o.SetMember(t.Context(), invite); err != nil {
		t.Fatal(err)
	}
	if err := attempts["removed"](); err != nil {
		t.Errorf("with another owner: %v", err)
	}
}

func TestKeyTextIsNowhereInTheDatabase(t *testing.T) {
	o := newOffice(t)
	o.user(t, "a@b.c")
	live, liveText, err := o.CreateKey(t.Context(), account.NewKey{Email: "a@b.c", Mode: account.Live, Label: "CI"})
	if err != nil {
		t.Fatal(err)
	}
	test, testText, err := o.CreateKey(t.Context(), account.NewKey{Email: "a@b.c", Mode: account.Sandbox})
	if err != nil {
		t.Fatal(err)
	}
	if mode, ok := account.ParseSecret(liveText); !ok || mode != account.Live || live.Prefix != liveText[:18] || live.Label != "CI" {
		t.Errorf("live key %+v", live)
	}
	_, err = o.RevealKey(t.Context(), live.ID)
	expectRefusal(t, err, fault.Forbidden, "live key")
	if text, err := o.RevealKey(t.Context(), test.ID); err != nil || text != testText {
		t.Errorf("revealed %q, %v", text, err)
	}
	for _, file := range []string{o.path, o.path + "-wal"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{liveText, testText} {
			if strings.Contains(string(content), text) || strings.Contains(string(content), text[18:]) {
				t.Errorf("%s holds a key", filepath.Base(file))
			}
		}
	}
}

func TestKeyIsRevokedOnceAndListedStill(t *testing.T) {
	o := newOffice(t)
	o.user(t, "a@b.c")
	key, _, err := o.CreateKey(t.Context(), account.NewKey{Email: "a@b.c", Mode: account.Sandbox})
	if err != nil {
		t.Fatal(err)
	}
	first, err := o.RevokeKey(t.Context(), key.ID)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := o.RevokeKey(t.Context(), key.ID); err != nil || !again.Equal(first) {
		t.Errorf("again: %v, %v", again, err)
	}
	_, err = o.RevealKey(t.Context(), key.ID)
	expectRefusal(t, err, fault.Conflict, "revoked")
	keys, err := o.Keys(t.Context(), "A@b.c")
	if err != nil || len(keys) != 1 || keys[0].RevokedAt == nil || !keys[0].RevokedAt.Equal(first) {
		t.Errorf("keys %+v, %v", keys, err)
	}
	_, err = o.RevokeKey(t.Context(), lci.NewID())
	expectRefusal(t, err, fault.NotFound, "key")
	_, err = o.Keys(t.Context(), "nobody@b.c")
	expectRefusal(t, err, fault.NotFound, "nobody@b.c")
}

func TestKeySealedUnderAnotherSecretIsSaidSo(t *testing.T) {
	o := newOffice(t)
	o.user(t, "a@b.c")
	key, _, err := o.CreateKey(t.Context(), account.NewKey{Email: "a@b.c", Mode: account.Sandbox})
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := account.NewSealer([]byte("another"), "test keys")
	if err != nil {
		t.Fatal(err)
	}
	_, err = account.NewService(o.store, account.Options{Sealer: sealer}).RevealKey(t.Context(), key.ID)
	expectRefusal(t, err, fault.Conflict, "another server secret")
}
