package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"cradle/internal/mail"
	"cradle/internal/portal"
	"cradle/internal/server"
)

const (
	readTimeout     = 60 * time.Second
	headerTimeout   = 10 * time.Second
	writeTimeout    = 90 * time.Second
	idleTimeout     = 2 * time.Minute
	profileTimeout  = 5 * time.Minute
	shutdownTimeout = 40 * time.Second // longer than any request may take
	maxHeaderBytes  = 64 * 1024
)

type serveCommand struct {
	serving
}

// serving are the flags that serve and demo share.
type serving struct {
	Addr           string         `default:"127.0.0.1:8080" placeholder:"${default}" help:"The address to listen on."`
	BaseURL        string         `name:"base-url" placeholder:"URL" help:"The address that clients use, if it differs from --addr."`
	MetricsAddr    string         `placeholder:"HOST:PORT" help:"Serve Prometheus metrics and profiles on this address. Keep it private."`
	TLSCert        string         `name:"tls-cert" placeholder:"FILE" help:"Serve HTTPS with this certificate."`
	TLSKey         string         `name:"tls-key" placeholder:"FILE" help:"The certificate's key."`
	RateLimit      rateValue      `default:"50" placeholder:"${default}" help:"Requests per second per key, with a burst of twice that. 0 for no limit."`
	TrustedProxy   []networkValue `placeholder:"CIDR" help:"Addresses of proxies whose X-Forwarded-For header is trusted."`
	SandboxValues  sandboxValue   `default:"real" placeholder:"${default}" help:"Which numbers test keys see: real ones, or synthetic (made-up) ones."`
	LogRetention   durationValue  `default:"720h" placeholder:"${default}" help:"How long to keep the request log."`
	EventRetention durationValue  `default:"720h" placeholder:"${default}" help:"How long to keep events and their deliveries."`
	LogFormat      logFormatValue `default:"text" placeholder:"${default}" help:"The format of the service's own log on standard error: text or json."`
	CacheMB        countValue     `name:"cache-mb" default:"176" placeholder:"${default}" help:"Memory for all caches together, in megabytes."`
	SMTPURL        string         `name:"smtp-url" placeholder:"URL" help:"The mail server for invitations: smtp://user:password@host:587 or smtps://…. Prefer the environment variable."`
	SMTPFrom       string         `name:"smtp-from" placeholder:"ADDRESS" help:"The sender address of these mails."`
	reach
}

func (serveCommand) Help() string {
	return `Examples:

    cradle serve
    cradle serve --addr :8443 --tls-cert cert.pem --tls-key key.pem --base-url https://data.example.org
    cradle serve --db postgres://cradle@db/cradle --metrics-addr 127.0.0.1:9090`
}

func (c *serveCommand) Run(a *app) error {
	front, err := c.listen(a)
	if err != nil {
		return err
	}
	defer front.close()
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	return c.serve(a, o, front, func() error {
		return a.print(struct {
			URL string `json:"url"`
		}{front.url}, "%s", c.text(front))
	})
}

func (c *serveCommand) text(f *front) string {
	where := f.url
	if c.BaseURL != "" {
		where += " and listens on " + f.public.Addr().String()
	}
	return fmt.Sprintf("Cradle is running at %s. The API reference is at %s/docs.", where, f.url)
}

// front is the service's listeners and addresses.
type front struct {
	url     string
	public  net.Listener
	metrics net.Listener // nil without metrics
	tls     *tls.Config  // nil without TLS
	mail    *mail.Server // nil without a mail server
}

func (f *front) close() {
	f.public.Close()
	if f.metrics != nil {
		f.metrics.Close()
	}
}

// listen checks the flags and opens the listeners before anything is written.
func (c *serving) listen(a *app) (*front, error) {
	f := &front{}
	var err error
	if f.tls, err = c.certificate(a); err != nil {
		return nil, err
	}
	if f.mail, err = c.mailServer(a); err != nil {
		return nil, err
	}
	if c.BaseURL != "" {
		if f.url, err = baseURL(c.BaseURL); err != nil {
			return nil, fmt.Errorf("%s: %w", a.named("base-url"), err)
		}
	}
	if f.public, err = net.Listen("tcp", c.Addr); err != nil {
		return nil, fmt.Errorf("%s: %w", a.named("addr"), err)
	}
	if c.MetricsAddr != "" {
		if f.metrics, err = net.Listen("tcp", c.MetricsAddr); err != nil {
			f.public.Close()
			return nil, fmt.Errorf("%s: %w", a.named("metrics-addr"), err)
		}
	}
	if f.url == "" {
		f.url = localURL(f.public.Addr().String(), f.tls != nil)
	}
	return f, nil
}

func (c *serving) certificate(a *app) (*tls.Config, error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return nil, nil
	}
	if c.TLSCert == "" || c.TLSKey == "" {
		return nil, wrongValue("%s and %s must be set together", a.named("tls-cert"), a.named("tls-key"))
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.named("tls-cert"), err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

func (c *serving) mailServer(a *app) (*mail.Server, error) {
	if c.SMTPURL == "" && c.SMTPFrom == "" {
		return nil, nil
	}
	if c.SMTPURL == "" || c.SMTPFrom == "" {
		return nil, wrongValue("%s and %s must be set together", a.named("smtp-url"), a.named("smtp-from"))
	}
	server, err := mail.New(c.SMTPURL, c.SMTPFrom)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.named("smtp-url"), err)
	}
	return server, nil
}

func baseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%q is not an address such as https://data.example.org", text)
	}
	return strings.TrimRight(text, "/"), nil
}

// localURL is the URL of a listener's address on this machine.
func localURL(address string, secure bool) string {
	scheme := "http"
	if secure {
		scheme = "https"
	}
	if at, err := netip.ParseAddrPort(address); err == nil && at.Addr().IsUnspecified() {
		address = net.JoinHostPort("127.0.0.1", fmt.Sprint(at.Port()))
	}
	return scheme + "://" + address
}

// serve answers requests until the command is interrupted, and finishes those in
// progress. ready is called once it answers.
func (c *serving) serve(a *app, o *backend, f *front, ready func() error) error {
	log := c.logger(a)
	guard, err := c.guard()
	if err != nil {
		return err
	}
	s, err := server.New(a.ctx, o.Store, server.Options{
		BaseURL:          f.url,
		RateLimit:        float64(c.RateLimit),
		Proxies:          prefixes(c.TrustedProxy),
		SyntheticSandbox: c.SandboxValues == "synthetic",
		LogRetention:     time.Duration(c.LogRetention),
		EventRetention:   time.Duration(c.EventRetention),
		TestKeys:         o.testKeys,
		WebhookSecrets:   o.webhookSecrets,
		WebhookGuard:     guard,
		CacheBytes:       int(c.CacheMB) << 20,
		Mail:             f.mailer(),
		Log:              log,
	})
	if err != nil {
		return err
	}
	defer s.Close()
	server.FitMemory(int(c.CacheMB) << 20)
	public := newServer(s.Handler(), writeTimeout, log)
	servers, failed := []*http.Server{public}, make(chan error, 2)
	go func() { failed <- answer(public, f.public, f.tls) }()
	if f.metrics != nil {
		operations := newServer(s.Operations(), profileTimeout, log)
		servers = append(servers, operations)
		go func() { failed <- answer(operations, f.metrics, nil) }()
	}
	logStart(log, o, f)
	if err := ready(); err != nil {
		return errors.Join(err, shutDown(servers))
	}
	select {
	case err := <-failed:
		return errors.Join(err, shutDown(servers))
	case <-a.ctx.Done():
		log.Info("stopping: requests that were begun are finished")
		return shutDown(servers)
	}
}

// mailer is nil without a mail server.
func (f *front) mailer() portal.Mailer {
	if f.mail == nil {
		return nil
	}
	return f.mail.Send
}

func logStart(log *slog.Logger, o *backend, f *front) {
	told := []any{"version", version, "engine", o.Engine(), "address", f.public.Addr().String(), "url", f.url}
	if f.metrics != nil {
		told = append(told, "metrics", f.metrics.Addr().String())
	}
	log.Info("serving", told...)
}

func prefixes(values []networkValue) []netip.Prefix {
	networks := make([]netip.Prefix, len(values))
	for i, v := range values {
		networks[i] = netip.Prefix(v)
	}
	return networks
}

func (c *serving) logger(a *app) *slog.Logger {
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.err, nil))
	}
	return slog.New(slog.NewTextHandler(a.err, nil))
}

func newServer(handler http.Handler, write time.Duration, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      write,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

func answer(server *http.Server, on net.Listener, secure *tls.Config) error {
	var err error
	if secure != nil {
		server.TLSConfig = secure
		err = server.ServeTLS(on, "", "")
	} else {
		err = server.Serve(on)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}

// shutDown lets requests finish, and cuts off those that take too long.
func shutDown(servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	var errs []error
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("shut down: %w", err), server.Close())
		}
	}
	return errors.Join(errs...)
}
