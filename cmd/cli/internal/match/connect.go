package match

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// connect opens the socket of a seat and resolves the addresses of the others. The caller closes the transport.
func (s *matchSetup) connect(ctx context.Context) error {
	waits := s.network != nil || s.secure != nil // for datagrams; without these, polling costs a third
	conn, err := live.Listen(ctx, s.listen, !waits)
	if err != nil {
		return err
	}
	if err := s.resolve(ctx, conn); err != nil {
		conn.Close()
		return err
	}
	local := conn.LocalAddr().String()
	if addr := conn.LocalAddr(); addr.Addr().IsUnspecified() {
		local = fmt.Sprintf("port %d", addr.Port())
	}
	if s.transport, err = s.log.Path(conn, s.network, s.netSeed+uint64(s.player), s.secure); err != nil {
		return err
	}
	s.log.Troubles.Peers, s.log.Troubles.All = s.watched(), !s.joining()
	what := "waiting for " + s.peerAddresses()
	if s.joining() {
		what = "joining a match"
	} else if len(s.remote) == 0 {
		what = "waiting for nobody"
	}
	s.log.Say("player %d of %d, listening on %s; %s", s.player+1, s.players, local, what)
	if s.made.secure {
		s.log.Tell("the token of this match, for --secure of all others: %v", s.secure)
	}
	if s.made.watch {
		s.log.Tell("the token of this player's spectators: spectate --host %s --token %v", invited(conn.LocalAddr()), tickback.Token(s.spectators.Token))
	}
	if how := s.invitation(s.log.App.Name, invited(conn.LocalAddr())); how != "" {
		s.log.Say("%s", how)
	}
	return nil
}

// watched lists the peers from whom we need to understand datagrams.
func (s *matchSetup) watched() (list []secure.Peer) {
	for _, p := range s.remote {
		list = append(list, secure.Peer{Name: words.People(p.Players), Addr: p.Addr})
	}
	for _, h := range s.hosts {
		list = append(list, secure.Peer{Name: "who plays there", Addr: h})
	}
	return list
}

// invited returns the address at which others can reach us, as far as we know.
func invited(a netip.AddrPort) string {
	if a.Addr().IsUnspecified() {
		return fmt.Sprintf("ADDRESS:%d", a.Port())
	}
	return a.String()
}

// resolve resolves the addresses of the others: of all of them, or of those through whom we join.
func (s *matchSetup) resolve(ctx context.Context, conn live.Socket) error {
	if s.joining() {
		return s.resolveHosts(ctx, conn)
	}
	return s.resolvePeers(ctx, conn)
}

func (s *matchSetup) resolveHosts(ctx context.Context, conn live.Socket) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for _, host := range s.joins {
		addr, err := conn.Resolve(ctx, host)
		switch {
		case errors.Is(err, context.Canceled):
			return console.Failed(console.ErrInterrupted)
		case err != nil:
			return live.AddressError("--join", err)
		case addr == conn.LocalAddr():
			return console.Usagef("--join %s is where this player listens; give the address of another one", host)
		}
		if err := conn.Reaches(addr); err != nil {
			return live.AddressError("--join", err)
		}
		if !slices.Contains(s.hosts, addr) {
			s.hosts = append(s.hosts, addr)
		}
	}
	return nil
}

func (s *matchSetup) resolvePeers(ctx context.Context, conn live.Socket) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for i, p := range s.others() {
		addr, err := conn.Resolve(ctx, s.peers[i])
		if errors.Is(err, context.Canceled) {
			return console.Failed(console.ErrInterrupted)
		}
		if err != nil {
			return live.AddressError("--peer", err)
		}
		if err := conn.Reaches(addr); err != nil {
			return live.AddressError("--peer", err)
		}
		if addr == conn.LocalAddr() {
			return console.Usagef("--peer %s is where this player listens; give the addresses of the others", s.peers[i])
		}
		for _, other := range s.remote {
			if other.Addr == addr {
				return console.Usagef("--peer %s is given twice, for %v and player %d", s.peers[i], words.People(other.Players), p+1)
			}
		}
		s.remote = append(s.remote, tickback.Peer{Players: tickback.SetOf(p), Addr: addr})
	}
	return nil
}

// peerAddresses returns the others with their addresses, as text.
func (s *matchSetup) peerAddresses() string {
	var list []string
	for _, p := range s.remote {
		list = append(list, fmt.Sprintf("%s (%v)", words.People(p.Players), p.Addr))
	}
	return strings.Join(list, ", ")
}
