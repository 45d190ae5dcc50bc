package webrtc

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
)

// ICEServer is a STUN or TURN server.
type ICEServer struct {
	URLs       []string // "stun:host:port", "turn:host:port?transport=udp"
	Username   string
	Credential string
}

// Config configures a transport. Self and Signaler are required.
type Config struct {
	// Self is our own number among the peers, which is not 0.
	Self     uint32
	Signaler Signaler
	// ICE are the servers that help peers to connect. Without any, machines can hardly find each other except on the
	// same network.
	ICE []ICEServer
	// RelayOnly uses only paths over a TURN server, so that no peer learns this machine's
	// address.
	RelayOnly bool
	// Loopback connects over the loopback interface only, natively: for tests, and for programs on one machine.
	// Browsers ignore it.
	Loopback bool
	// Log, if given, gets a record for each peer that is connected, interrupted or
	// failed.
	Log *slog.Logger
}

// Errors of this package; each call of Send that drops a datagram returns one of them.
var (
	// ErrConfig is wrapped by all errors about a Config.
	ErrConfig = errors.New("invalid webrtc.Config")
	// ErrTooLong is returned for a datagram of more than MaxDatagram bytes.
	ErrTooLong = errors.New("webrtc: the datagram is too long")
	// ErrNoPeer is returned for an address that no peer has.
	ErrNoPeer = errors.New("webrtc: no peer has this address")
	// ErrNotConnected is returned for a peer that is not connected at the moment.
	ErrNotConnected = errors.New("webrtc: the peer is not connected")
	// ErrCongested is returned if a connection cannot take more at the moment.
	ErrCongested = errors.New("webrtc: the connection is congested")
	// ErrUnsupported says that the browser has no WebRTC, or does not allow it.
	ErrUnsupported = errors.New("webrtc: this browser has no RTCPeerConnection")
	// ErrClosed is returned after the transport was closed: it is net.ErrClosed.
	ErrClosed = net.ErrClosed
)

// errServer makes the error for a server that cannot be used on any network: one with an invalid URL, or a TURN server
// without credentials.
func errServer(s ICEServer, err error) error {
	return fmt.Errorf("%w: ICE server %q: %w", ErrConfig, s.URLs, err)
}

func (c *Config) complete() error {
	switch {
	case c.Self == 0:
		return fmt.Errorf("%w: Self is required, and is not 0", ErrConfig)
	case c.Signaler == nil:
		return fmt.Errorf("%w: Signaler is required", ErrConfig)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}
