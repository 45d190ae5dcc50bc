package spectate

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
)

// spectatorSetup has the hosts from which a spectator watches, and its settings, according to the flags.
type spectatorSetup struct {
	game          *games.Info
	listen        string
	network       live.Impairment
	hosts         []string
	players       int // 0 for the number that the host has
	delay, hurry  int
	timeout, drop time.Duration
	secure        tickback.Token // nil if nothing is encrypted
	token         tickback.Token // the token that the hosts require, or nil

	// These are set once the socket is open.
	transport tickback.Transport
	addresses []netip.AddrPort
	log       *live.Log
	observers *observe.Observers
}

// connect opens the socket, and resolves the addresses of the hosts. The caller closes the transport.
func (s *spectatorSetup) connect(ctx context.Context) error {
	conn, err := live.Listen(ctx, s.listen, false)
	if err != nil {
		return err
	}
	if err := s.resolve(ctx, conn); err != nil {
		conn.Close()
		return err
	}
	if s.transport, err = s.log.Path(conn, &s.network, 0, s.secure); err != nil {
		return err
	}
	for _, a := range s.addresses {
		s.log.Troubles.Peers = append(s.log.Troubles.Peers, secure.Peer{Name: "the host", Addr: a})
	}
	return nil
}

func (s *spectatorSetup) resolve(ctx context.Context, conn live.Socket) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for _, host := range s.hosts {
		addr, err := live.Resolve(ctx, conn, "--host", host)
		if err != nil {
			return err
		}
		for i, other := range s.addresses {
			if other == addr {
				return console.Usagef("--host %s and --host %s are the same", s.hosts[i], host)
			}
		}
		s.addresses = append(s.addresses, addr)
	}
	return nil
}

// explainError rewords the error of a spectator for people.
func (s *spectatorSetup) explainError(err error) error {
	var none *tickback.HostsError
	if !errors.As(err, &none) {
		return err
	}
	if none.Lost {
		return live.ExplainHosts(&s.log.Troubles, none, "lost", "there is no host any more to watch")
	}
	return live.ExplainHosts(&s.log.Troubles, none, "cannot watch", "there is no host to watch")
}
