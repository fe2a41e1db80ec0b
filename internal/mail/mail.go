// Package mail sends plain-text mails through one SMTP server, always encrypted.
package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"strings"
	"time"
)

// Server is an SMTP server.
type Server struct {
	host     string
	address  string
	atOnce   bool // TLS from the first byte, else STARTTLS
	user     string
	password string
	from     mail.Address
	trusted  *x509.CertPool // nil: those that the machine trusts
}

// timeout bounds the sending of one mail.
const timeout = 15 * time.Second

// New parses an address such as smtp://user:password@mail.example.org:587 or
// smtps://mail.example.org, and the sender of mails.
func New(address, from string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("it is not an address such as smtp://user:password@mail.example.org:587")
	}
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("%q is not a sender such as Cradle <cradle@example.org>", from)
	}
	port, atOnce := u.Port(), u.Scheme == "smtps"
	if port == "" {
		port = "587"
		if atOnce {
			port = "465"
		}
	}
	s := &Server{host: u.Hostname(), address: net.JoinHostPort(u.Hostname(), port), atOnce: atOnce, user: u.User.Username(), from: *sender}
	s.password, _ = u.User.Password()
	return s, nil
}

// Send sends a mail to one address.
func (s *Server) Send(ctx context.Context, to, subject, text string) error {
	recipient, err := mail.ParseAddress(to)
	if err != nil {
		return fmt.Errorf("recipient: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach %s: %w", s.address, err)
	}
	defer client.Close()
	if s.user != "" {
		if err := client.Auth(smtp.PlainAuth("", s.user, s.password, s.host)); err != nil {
			return fmt.Errorf("sign in at %s: %w", s.address, err)
		}
	}
	return hand(client, s.from.Address, recipient.Address, message(s.from, *recipient, subject, text, time.Now()))
}

func (s *Server) dial(ctx context.Context) (*smtp.Client, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	secure := &tls.Config{ServerName: s.host, RootCAs: s.trusted, MinVersion: tls.VersionTLS12}
	if s.atOnce {
		conn = tls.Client(conn, secure)
	}
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		conn.Close()
		return nil, err
	}
	if !s.atOnce {
		if err := client.StartTLS(secure); err != nil {
			client.Close()
			return nil, fmt.Errorf("encrypt: %w", err)
		}
	}
	return client, nil
}

func hand(client *smtp.Client, from, to string, message []byte) error {
	if err := client.Mail(from); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(message); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return client.Quit()
}

// message formats a mail. It encodes everything but plain ASCII, so that no text
// can start a new header.
func message(from, to mail.Address, subject, text string, now time.Time) []byte {
	var b strings.Builder
	header := func(name, value string) { b.WriteString(name + ": " + value + "\r\n") }
	header("From", from.String())
	header("To", to.String())
	header("Subject", mime.BEncoding.Encode("utf-8", subject))
	header("Date", now.Format(time.RFC1123Z))
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "base64")
	b.WriteString("\r\n")
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	for len(encoded) > 76 {
		b.WriteString(encoded[:76] + "\r\n")
		encoded = encoded[76:]
	}
	b.WriteString(encoded + "\r\n")
	return []byte(b.String())
}
