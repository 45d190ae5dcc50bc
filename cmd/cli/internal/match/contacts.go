package match

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// contacts are the machines of a match at which we play, or which let us in, and how long we wait for them.
type contacts struct {
	peers   []string      // the addresses of the others, lowest player first
	joins   []string      // addresses of the match to join
	timeout time.Duration // for them to appear
	drop    time.Duration // of silence

	// These are set once the socket is open.
	remote []tickback.Peer
	hosts  []netip.AddrPort // the addresses in joins
}

// joining reports whether we join a running match.
func (c *contacts) joining() bool { return len(c.joins) > 0 }

// watched lists the peers whose datagrams we need to understand.
func (c *contacts) watched() (list []secure.Peer) {
	for _, p := range c.remote {
		list = append(list, secure.Peer{Name: words.People(p.Players), Addr: p.Addr})
	}
	for _, h := range c.hosts {
		list = append(list, secure.Peer{Name: "who plays there", Addr: h})
	}
	return list
}

// resolve resolves the addresses of the others: of all players, or of those that we use to join a match.
func (c *contacts) resolve(ctx context.Context, conn live.Socket, players []tickback.Player) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if c.joining() {
		return c.resolveHosts(ctx, conn)
	}
	return c.resolvePeers(ctx, conn, players)
}

func (c *contacts) resolveHosts(ctx context.Context, conn live.Socket) error {
	for _, host := range c.joins {
		addr, err := live.Resolve(ctx, conn, "--join", host)
		switch {
		case err != nil:
			return err
		case addr == conn.LocalAddr():
			return console.Usagef("--join %s is where this player listens; give the address of another one", host)
		}
		if !slices.Contains(c.hosts, addr) {
			c.hosts = append(c.hosts, addr)
		}
	}
	return nil
}

func (c *contacts) resolvePeers(ctx context.Context, conn live.Socket, players []tickback.Player) error {
	for i, p := range players {
		addr, err := live.Resolve(ctx, conn, "--peer", c.peers[i])
		switch {
		case err != nil:
			return err
		case addr == conn.LocalAddr():
			return console.Usagef("--peer %s is where this player listens; give the addresses of the others", c.peers[i])
		}
		for _, other := range c.remote {
			if other.Addr == addr {
				return console.Usagef("--peer %s is given twice, for %v and player %d", c.peers[i], words.People(other.Players), p+1)
			}
		}
		c.remote = append(c.remote, tickback.Peer{Players: tickback.SetOf(p), Addr: addr})
	}
	return nil
}

// peerAddresses returns the others with their addresses, as text.
func (c *contacts) peerAddresses() string {
	var list []string
	for _, p := range c.remote {
		list = append(list, fmt.Sprintf("%s (%v)", words.People(p.Players), p.Addr))
	}
	return strings.Join(list, ", ")
}

// named returns players with their addresses, as text.
func (c *contacts) named(set tickback.PlayerSet) string {
	text := words.People(set)
	if set.Len() != 1 {
		return text
	}
	for _, p := range c.remote {
		if p.Players == set {
			text += " at " + p.Addr.String()
		}
	}
	return text
}
