package match

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// connect opens the socket, resolves the addresses of the others, and returns the address of the socket. The
// caller closes the transport.
func (s *matchSetup) connect(ctx context.Context) (local netip.AddrPort, err error) {
	waits := s.network.Profile != nil || s.tokens.secure != nil // for datagrams; if neither is used, polling is cheaper by a third
	conn, err := live.Listen(ctx, s.listen, !waits)
	if err != nil {
		return local, err
	}
	if err := s.contacts.resolve(ctx, conn, s.others()); err != nil {
		conn.Close()
		return local, err
	}
	if s.transport, err = s.log.Path(conn, &s.network, uint64(s.seat.player), s.tokens.secure); err != nil {
		return local, err
	}
	s.log.Troubles.Peers, s.log.Troubles.All = s.contacts.watched(), !s.contacts.joining()
	return conn.LocalAddr(), nil
}

// announce says where we listen, and with what others join and watch. It is called once nothing can prevent the match
// here any more.
func (a *family) announce(s *matchSetup, at netip.AddrPort) {
	local := at.String()
	if at.Addr().IsUnspecified() {
		local = fmt.Sprintf("port %d", at.Port())
	}
	what := "waiting for " + s.contacts.peerAddresses()
	if s.contacts.joining() {
		what = "joining a match"
	} else if len(s.contacts.remote) == 0 {
		what = "waiting for nobody"
	}
	s.log.Say("player %d of %d, listening on %s; %s", s.seat.player+1, s.seat.players, local, what)
	if s.tokens.made.secure {
		s.log.Tell("the token of this match, for --secure of all others: %v", s.tokens.secure)
	}
	if s.tokens.made.watch {
		how := fmt.Sprintf("%s spectate --host %s --game %s --token %v", a.Name, invited(at), s.seat.game.ID, tickback.Token(s.spectators.Token))
		if s.tokens.secure != nil {
			how += " (with the same --secure as here)"
		}
		s.log.Tell("this player's spectators watch with: %s", how)
	}
	if how := s.invitation(a.Name, invited(at)); how != "" {
		s.log.Say("%s", how)
	}
}

// invited returns the address at which others can reach us, as far as we know.
func invited(a netip.AddrPort) string {
	if a.Addr().IsUnspecified() {
		return fmt.Sprintf("ADDRESS:%d", a.Port())
	}
	return a.String()
}
