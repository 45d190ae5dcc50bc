package live

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/netem/realtime"
)

// Path returns the transport of a socket: through the simulated network, if there is one, whose seed is n higher for the
// socket of number n, and encrypted with the token, unless that is nil. The transport owns the socket, which is closed if Path fails. The log's
// Troubles are replaced by those of this transport, without Peers.
func (l *Log) Path(conn Socket, i *Impairment, n uint64, token tickback.Token) (tickback.Transport, error) {
	var under tickback.Transport = conn
	if network := i.Profile; network != nil {
		impaired, err := realtime.Wrap(conn, network.Link, i.Seed+n)
		if err != nil {
			conn.Close()
			return nil, console.Failed(err)
		}
		under = Drained{Impaired: impaired}
		l.Say("what is sent from here goes through the network %q", network.Name)
	}
	channel, err := secure.Wrap(under, token)
	if err != nil {
		conn.Close()
		return nil, err
	}
	l.Troubles = secure.Troubles{Channel: channel}
	return channel, nil
}
