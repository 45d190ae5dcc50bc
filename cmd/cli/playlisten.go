package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"syscall"
)

// Where the page is served, unless it is told: at the first port that is free.
const (
	playHost  = "127.0.0.1"
	playPort  = 8080
	playPorts = 20 // that are tried
)

// checkListen refuses what is no address to listen at.
func (o *playFlags) checkListen() error {
	if o.listen == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(o.listen)
	if err != nil {
		return usagef("--listen %q: must be HOST:PORT, or :PORT for all of this machine's addresses", o.listen)
	}
	if n, err := strconv.Atoi(port); err == nil && (n < 0 || n > math.MaxUint16) {
		return usagef("--listen %q: the port must be 0 to %d", o.listen, math.MaxUint16)
	}
	return nil
}

// listenPlay listens where it is told; where it is not, at the first free port of some.
func (a *app) listenPlay(ctx context.Context, o *playFlags) (net.Listener, error) {
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

// listenFrom listens at the first free one of so many ports, and says so if that is not
// the first of all.
func (a *app) listenFrom(ctx context.Context, first, ports int) (l net.Listener, err error) {
	var config net.ListenConfig
	for port := first; port < first+ports; port++ {
		l, err = config.Listen(ctx, "tcp", net.JoinHostPort(playHost, strconv.Itoa(port)))
		if err == nil && port > first {
			fmt.Fprintf(a.stdout, "Port %d is in use, so it is port %d.\n", first, port)
		}
		if !inUse(err) {
			return l, err
		}
	}
	return nil, fmt.Errorf("the ports from %d to %d are all in use: --listen takes another one", first, first+ports-1)
}

// wsaInUse is what Windows says of a port that is in use.
const wsaInUse = syscall.Errno(10048)

// inUse reports whether a port is somebody else's.
func inUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaInUse) }
