package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
)

// The values of --sight: how much of the state a client receives.
const (
	sightFull    = "full"
	sightPartial = "partial"
)

// shared are the flags that serve, join and bots have in common.
type shared struct {
	players        int
	token          string
	sight          string
	network        live.Impairment
	drop           time.Duration
	json, quiet    bool
	secret         tickback.Token
	secretMadeHere bool
}

func (o *shared) add(cmd *cobra.Command, g *games.Info) {
	f := cmd.Flags()
	f.IntVar(&o.players, "players", g.MaxPlayers, "how many places (`N`) the match has; the same at the server and all clients")
	f.StringVar(&o.sight, "sight", sightFull, "what clients are told: full, or partial, which is what their player may know; the same for all (`KIND`)")
	o.network.Add(cmd, " (see match --help)")
	f.DurationVar(&o.drop, "drop", 5*time.Second, "give the other side up after `TIME` of silence")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.quiet, "quiet", false, "say nothing while playing, except what goes wrong")
}

// check returns an error for invalid flags; every error is about wrong usage.
func (o *shared) check(g *games.Info, makes bool) (err error) {
	switch {
	case o.players < 1 || o.players > g.MaxPlayers:
		return console.Usagef("--players %d: %s has 1 to %d places", o.players, g.ID, g.MaxPlayers)
	case o.sight != sightFull && o.sight != sightPartial:
		return console.Usagef("--sight %q: there are: %s, %s", o.sight, sightFull, sightPartial)
	case o.sight == sightPartial && !g.Sight:
		return console.Usagef("--sight partial: %s has nothing to hide", g.ID)
	case o.drop < time.Second || o.drop > time.Minute:
		return console.Usagef("--drop %v: must be a second to a minute", o.drop)
	}
	if err := o.network.Check(); err != nil {
		return err
	}
	switch {
	case o.token == "":
		return nil
	case makes:
		o.secret, o.secretMadeHere, err = secure.Read("--token", o.token)
	default:
		o.secret, err = secure.Given("--token", o.token)
	}
	return err
}

// open opens the socket of number n, through the simulated network if there is one; that of a server is polled.
func (o *shared) open(ctx context.Context, log *live.Log, polled bool, listen string, n uint64) (live.Socket, tickback.Transport, error) {
	conn, err := live.Listen(ctx, listen, polled)
	if err != nil {
		return nil, nil, err
	}
	t, err := log.Path(conn, &o.network, n, nil)
	return conn, t, err
}

// find resolves the address of a server.
func find(ctx context.Context, conn live.Socket, address string, within time.Duration) (netip.AddrPort, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	at, err := conn.Resolve(ctx, address)
	switch {
	case errors.Is(err, context.Canceled):
		return at, console.Failed(console.ErrInterrupted)
	case err != nil:
		return at, live.AddressError("the server's address", err)
	}
	if here := conn.LocalAddr().Addr(); here.IsLoopback() && !at.Addr().IsLoopback() {
		return at, console.Failed(fmt.Errorf("%v cannot be reached from %v, which is of this machine alone: give another --listen, or none", at, here))
	}
	if err := reachable(conn.LocalAddr().Addr(), at); err != nil {
		return at, console.Failed(fmt.Errorf("this machine has no way to %v: %w", at, err))
	}
	return at, nil
}

// reachable asks the system whether it has a route from a local address. Nothing is sent.
func reachable(from netip.Addr, to netip.AddrPort) error {
	var local *net.UDPAddr
	if !from.IsUnspecified() {
		local = net.UDPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	c, err := net.DialUDP("udp", local, net.UDPAddrFromAddrPort(to))
	if err != nil {
		var call *os.SyscallError
		if errors.As(err, &call) {
			return call.Err
		}
		return err
	}
	return c.Close()
}

// place returns the address at which we listen, in a form for people.
func place(a netip.AddrPort) string {
	if a.Addr().IsUnspecified() {
		return fmt.Sprintf("port %d", a.Port())
	}
	return a.String()
}

// invited returns the address at which others can reach us, as far as we know.
func invited(a netip.AddrPort) string {
	if a.Addr().IsUnspecified() {
		return fmt.Sprintf("ADDRESS:%d", a.Port())
	}
	return a.String()
}
