package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// ErrTaken is returned by a store when an e-mail address is already in use.
var ErrTaken = errors.New("the e-mail address is taken")

type userStore interface {
	// AddUser returns ErrTaken when the folded e-mail address is in use.
	AddUser(ctx context.Context, user User, emailFold, passwordHash string) error
	// UserByEmail returns nil if no one has the address.
	UserByEmail(ctx context.Context, emailFold string) (*User, error)
	// DisableUser returns the time it was disabled, which stays that of the
	// first call.
	DisableUser(ctx context.Context, id lci.ID, at time.Time) (time.Time, error)
}

// NewUser describes a user to be created. A user without a password can own keys
// but not sign in.
type NewUser struct {
	Email     string
	Firstname string
	Lastname  string
	Password  string
}

// Normal returns the fields as they will be stored, or what is wrong with them.
func (n NewUser) Normal() (NewUser, error) {
	email, err1 := normalEmail(n.Email)
	firstname, err2 := normalName("firstname", n.Firstname)
	lastname, err3 := normalName("lastname", n.Lastname)
	var err4 error
	if n.Password != "" {
		err4 = CheckPassword(n.Password)
	}
	return NewUser{email, firstname, lastname, n.Password}, firstOf(err1, err2, err3, err4)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// AddUser creates a user. E-mail addresses are unique, ignoring case.
func (s *Service) AddUser(ctx context.Context, n NewUser) (User, error) {
	n, err := n.Normal()
	if err != nil {
		return User{}, err
	}
	u := User{ID: lci.NewID(), Email: n.Email, Firstname: n.Firstname, Lastname: n.Lastname, CreatedAt: s.now()}
	hash := ""
	if n.Password != "" {
		hash = HashPassword(n.Password)
	}
	err = s.store.AddUser(ctx, u, foldEmail(u.Email), hash)
	if errors.Is(err, ErrTaken) {
		return User{}, fault.New(fault.Conflict, "email_taken", "email %q already belongs to a user", n.Email).In("email")
	}
	if err != nil {
		return User{}, fmt.Errorf("add user: %w", err)
	}
	return u, nil
}

// DisableUser keeps a user from signing in and makes their keys invalid.
// Repeating it changes nothing.
func (s *Service) DisableUser(ctx context.Context, email string) (User, error) {
	u, err := s.user(ctx, email)
	if err != nil {
		return User{}, err
	}
	at, err := s.store.DisableUser(ctx, u.ID, s.now())
	if err != nil {
		return User{}, fmt.Errorf("disable user: %w", err)
	}
	u.DisabledAt = &at
	return u, nil
}
