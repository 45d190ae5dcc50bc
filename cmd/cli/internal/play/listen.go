package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/online/serve"
)

// Where the page is served by default: at the first free port.
const (
	playHost  = "127.0.0.1"
	playPort  = 8080
	playPorts = 20 // the number of ports to try
)

// checkAddresses returns an error for texts that are not addresses to listen at, and for flags that do not go
// together.
func (o *flags) checkAddresses() error {
	for _, f := range [...]struct{ name, address string }{{"--listen", o.listen}, {"--metrics", o.metrics}, {"--redirect", o.redirect}} {
		if err := checkListen(f.name, f.address); err != nil {
			return err
		}
	}
	switch acme := len(o.tls.Hosts) > 0; {
	case o.proxy && len(o.hosts) == 0:
		return console.Usagef("--behind-proxy needs --host NAME: the name by which browsers reach the proxy")
	case acme && o.tls.Cert+o.tls.Key != "":
		return console.Usagef("--acme does not go with --tls-cert and --tls-key: a certificate comes from an authority or from files")
	case (o.tls.Cert == "") != (o.tls.Key == ""):
		return console.Usagef("--tls-cert and --tls-key go together: a certificate and its key")
	case !acme && o.tls.Cache+o.tls.Email+o.tls.Directory != "":
		return console.Usagef("--acme-cache, --acme-email and --acme-directory need --acme NAME")
	case o.redirect != "" && !o.secure():
		return console.Usagef("--redirect needs TLS to lead to: --acme NAME, or --tls-cert and --tls-key")
	case o.check && o.secure():
		return console.Usagef("--check fetches the page without TLS: leave --acme, --tls-cert and --tls-key away")
	case acme:
		return o.completeACME()
	}
	return nil
}

// completeACME fills in where certificates are kept, and the port of addresses without one.
func (o *flags) completeACME() error {
	if o.listen == "" {
		o.listen = ":443"
	}
	if o.tls.Cache != "" {
		return nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return console.Usagef("--acme needs --acme-cache DIR, since this user has no cache directory: %w", err)
	}
	o.tls.Cache = filepath.Join(dir, "tickback", "acme")
	return nil
}

// secure reports whether the page is served with TLS.
func (o *flags) secure() bool { return len(o.tls.Hosts) > 0 || o.tls.Cert != "" }

// names returns the names by which browsers reach the server: those in the flags, and the hosts of the addresses at
// which it serves the page and the rest.
func (o *flags) names() []string {
	names := slices.Clone(o.hosts)
	for _, at := range []string{o.listen, o.metrics, o.redirect} {
		host, _, _ := net.SplitHostPort(at) // already checked
		if _, err := netip.ParseAddr(host); err != nil && host != "" {
			names = append(names, host)
		}
	}
	return names
}

// checkListen returns an error for a text that is not an address to listen at.
func checkListen(flag, address string) error {
	if address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return console.Usagef("%s %q: must be HOST:PORT, or :PORT for all of this machine's addresses", flag, address)
	}
	if n, err := strconv.Atoi(port); err == nil && (n < 0 || n > math.MaxUint16) {
		return console.Usagef("%s %q: the port must be 0 to %d", flag, address, math.MaxUint16)
	}
	return nil
}

// asides are servers for everything besides the page.
type asides []func(ctx context.Context) error

// beside listens at the addresses of everything that is served besides the page.
func (o *flags) beside(ctx context.Context, s *serve.Server, page net.Addr) (list asides, err error) {
	var taken []net.Listener
	for _, v := range []struct {
		flag, address string
		serve         func(ctx context.Context, l net.Listener) error
	}{
		{"--metrics", o.metrics, s.ServeMetrics},
		{"--redirect", o.redirect, func(ctx context.Context, l net.Listener) error { return s.ServeRedirect(ctx, l, page) }},
	} {
		if v.address == "" {
			continue
		}
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", v.address)
		if err != nil {
			for _, l := range taken {
				err = errors.Join(err, l.Close())
			}
			return nil, fmt.Errorf("%s: %w", v.flag, err)
		}
		taken = append(taken, l)
		list = append(list, func(ctx context.Context) error { return v.serve(ctx, l) })
	}
	return list, nil
}

// start serves until ctx ends. The returned context is for the page: it also ends when one of the servers fails, so
// that a failure is noticed at once. Call ended after that: it waits, and returns the error.
func (list asides) start(ctx context.Context) (page context.Context, ended func() error) {
	ctx, stop := context.WithCancel(ctx)
	errs := make(chan error, len(list))
	for _, serve := range list {
		go func() {
			err := serve(ctx)
			if err != nil {
				stop()
			}
			errs <- err
		}()
	}
	return ctx, func() (err error) {
		stop()
		for range list {
			err = errors.Join(err, <-errs)
		}
		return err
	}
}

// listenPlay listens at the given address, or else at the first free port of a range.
func (a *family) listenPlay(ctx context.Context, o *flags) (net.Listener, error) {
	var config net.ListenConfig
	switch {
	case o.listen != "":
		l, err := config.Listen(ctx, "tcp", o.listen)
		if inUse(err) {
			err = fmt.Errorf("%w: another program listens there; --listen takes another port, and :0 any", err)
		}
		return l, err
	case o.check:
		return config.Listen(ctx, "tcp", net.JoinHostPort(playHost, "0"))
	}
	return a.listenFrom(ctx, playPort, playPorts)
}

// listenFrom listens at the first free port of a range, and prints a line if that is not the lowest one.
func (a *family) listenFrom(ctx context.Context, first, ports int) (l net.Listener, err error) {
	var config net.ListenConfig
	for port := first; port < first+ports; port++ {
		l, err = config.Listen(ctx, "tcp", net.JoinHostPort(playHost, strconv.Itoa(port)))
		if err == nil && port > first {
			fmt.Fprintf(a.Stdout, "Port %d is in use, so it is port %d.\n", first, port)
		}
		if !inUse(err) {
			return l, err
		}
	}
	return nil, fmt.Errorf("the ports from %d to %d are all in use: --listen takes another one", first, first+ports-1)
}

// wsaInUse is the error of Windows for a port that is in use.
const wsaInUse = syscall.Errno(10048)

// inUse reports whether a port is in use by another program.
func inUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaInUse) }
