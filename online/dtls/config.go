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
	// MaxDatagram is the maximum size of a datagram in bytes, sent or received: the maximum that a session sends.
	MaxDatagram = inbox.MaxDatagram
	// Overhead is how many bytes encryption adds to a datagram.
	Overhead = recordHeader + len(connectionID{}) + 1 + 16 // the content's real type, and the code of ChaCha20-Poly1305
	// QueueDatagrams is how many datagrams of one peer are queued until they are received.
	QueueDatagrams = inbox.PerPeer
	// MaxPeers is the maximum number of peers of a transport: fifteen players and 32 spectators, times two.
	MaxPeers = 94
)

// Config says which peers to trust: either a Token or an Identity is required.
type Config struct {
	// Token is the secret that all players share: the one of a match will do.
	Token tickback.Token
	// Identity is our own key, if each machine has one: see [Transport.Trust].
	Identity *Identity
	// Log, if given, gets a record for each peer that connects or disconnects, and for each handshake that fails. It
	// gets no secrets. Its handler must not call the transport.
	Log *slog.Logger
}

// Errors of this package.
var (
	// ErrConfig is wrapped by all errors about a Config.
	ErrConfig = errors.New("invalid dtls.Config")
	// ErrTooLong is returned for a datagram of more than MaxDatagram bytes.
	ErrTooLong = errors.New("dtls: the datagram is too long")
	// ErrNotConnected is returned for a peer that is not connected at the moment.
	ErrNotConnected = errors.New("dtls: the peer is not connected")
	// ErrNoPeer is returned for an address at which no peer is trusted (see [Transport.Trust]), or for one peer more
	// than MaxPeers.
	ErrNoPeer = errors.New("dtls: no peer can be at this address")
	// ErrClosed is returned after the transport was closed: it is net.ErrClosed.
	ErrClosed = net.ErrClosed
)

// Reasons why a peer is not connected: see [Peer].
var (
	// ErrOtherToken says that the peer has another token than we have, or another key than is expected at its
	// address. It is a hint, not a proof: anybody can forge it. Once the peer has proved its address and has not used
	// our token for 3 s, the error wraps a *tickback.TokenError and is meant to be final: only an attacker on the
	// path between us can forge that.
	ErrOtherToken = errors.New("dtls: the other side has another token")
	// ErrPlain says that the peer sends without encryption. It is a hint, too.
	ErrPlain = errors.New("dtls: the other side does not encrypt")
	// ErrNoAnswer says that the peer has never answered.
	ErrNoAnswer = errors.New("dtls: no answer")
)

// errRefused is the ErrOtherToken for a peer that has proved its address.
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
