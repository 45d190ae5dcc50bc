package dtls

import (
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/session/admission"
)

const (
	// MaxDatagram is the most bytes of a datagram, both ways: the most that a session sends.
	MaxDatagram = inbox.MaxDatagram
	// Overhead is how many bytes encryption adds to a datagram.
	Overhead = recordHeader + len(connectionID{}) + 1 + 16 // the content's real type, and the code of ChaCha20-Poly1305
	// QueueDatagrams is how many datagrams of one peer are held until they are received.
	QueueDatagrams = inbox.PerPeer
	// MaxPeers is how many peers a transport has at most: fifteen players and 32 spectators,
	// and as many again.
	MaxPeers = 94
)

// Config says which peers to trust: either a Token or an Identity is required.
type Config struct {
	// Token is the secret that all players share: the one of a match will do.
	Token tickback.Token
	// Identity is our own key, if each machine has one: see [Transport.Trust].
	Identity *Identity
	// Log, if given, gets a record for each peer that is connected or gone, and for each
	// handshake that fails. It gets no secrets. Its handler must not call the transport.
	Log *slog.Logger
}

// Errors of this package.
var (
	// ErrConfig is what errors about a Config wrap.
	ErrConfig = errors.New("invalid dtls.Config")
	// ErrTooLong is a datagram of more than MaxDatagram bytes.
	ErrTooLong = errors.New("dtls: the datagram is too long")
	// ErrNotConnected is a peer to which there is no connection now.
	ErrNotConnected = errors.New("dtls: the peer is not connected")
	// ErrNoPeer is an address at which no peer is trusted (see [Transport.Trust]), or one
	// peer more than MaxPeers.
	ErrNoPeer = errors.New("dtls: no peer can be at this address")
	// ErrClosed is a transport that was closed: it is net.ErrClosed.
	ErrClosed = net.ErrClosed
)

// What may prevent a connection: see [Peer].
var (
	// ErrOtherToken is a peer that has another token than we have, or another key than is
	// expected there. It is a hint, not a proof: anybody can forge it. When the peer has proved to be at its
	// address, and has not come with our token for 3 s, it wraps a *tickback.TokenError, and is meant to be final:
	// only who is on the path between us can forge that.
	ErrOtherToken = errors.New("dtls: the other side has another token")
	// ErrPlain is a peer that sends without encryption. It is a hint, too.
	ErrPlain = errors.New("dtls: the other side does not encrypt")
	// ErrNoAnswer is a peer that has never answered.
	ErrNoAnswer = errors.New("dtls: no answer")
)

// errRefused is ErrOtherToken of a peer that has proved to be at its address.
var errRefused = fmt.Errorf("%w: %w", ErrOtherToken, &admission.TokenError{Reason: admission.WhyUninvited})

func (c *Config) check(under tickback.Transport) error {
	switch {
	case under == nil:
		return fmt.Errorf("%w: a transport to send with is required", ErrConfig)
	case under.Notify() == nil:
		return fmt.Errorf("%w: the transport must tell when datagrams arrive, as a socket of udp.Listen does, and one of udp.Open does not", ErrConfig)
	case c.Token == nil && c.Identity == nil:
		return fmt.Errorf("%w: a Token or an Identity is required", ErrConfig)
	case c.Token != nil && c.Identity != nil:
		return fmt.Errorf("%w: it has both a Token and an Identity", ErrConfig)
	case c.Token == nil:
		return nil
	}
	if err := admission.CheckToken(c.Token); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}
