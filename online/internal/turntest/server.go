//go:build !js

// Package turntest is a STUN and TURN server on loopback, for tests: it counts the traffic that it relays.
package turntest

import (
	"net"
	"sync/atomic"
	"testing"

	"github.com/pion/logging"
	"github.com/pion/turn/v5"
)

// Server is a server that checks credentials as coturn does with use-auth-secret.
type Server struct {
	STUN, TURN string // the URLs

	relayed, refused atomic.Uint64
}

// Start starts a server, which is closed when the test ends.
func Start(t testing.TB, secret string) *Server {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{STUN: "stun:" + conn.LocalAddr().String(), TURN: "turn:" + conn.LocalAddr().String() + "?transport=udp"}
	check := turn.LongTermTURNRESTAuthHandler(secret, quiet())
	server, err := turn.NewServer(turn.ServerConfig{
		Realm:         "tickback",
		LoggerFactory: &logging.DefaultLoggerFactory{DefaultLogLevel: logging.LogLevelDisabled},
		AuthHandler: func(a *turn.RequestAttributes) (string, []byte, bool) {
			id, key, ok := check(a)
			if !ok {
				s.refused.Add(1)
			}
			return id, key, ok
		},
		PacketConnConfigs: []turn.PacketConnConfig{{
			PacketConn:            conn,
			RelayAddressGenerator: relays{s},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() }) // an error does not matter: nobody needs what is still in flight
	return s
}

func quiet() logging.LeveledLogger {
	return logging.NewDefaultLeveledLoggerForScope("turn", logging.LogLevelDisabled, nil)
}

// Relayed returns how many bytes have arrived at the relay addresses.
func (s *Server) Relayed() uint64 { return s.relayed.Load() }

// Refused returns how many requests had credentials that are invalid or expired.
func (s *Server) Refused() uint64 { return s.refused.Load() }

// relays makes relays on loopback that count their traffic.
type relays struct{ s *Server }

// Validate returns nil, because there is nothing to configure.
func (relays) Validate() error { return nil }

// AllocatePacketConn makes a relay for datagrams.
func (r relays) AllocatePacketConn(turn.AllocateListenerConfig) (net.PacketConn, net.Addr, error) {
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	return counting{conn, &r.s.relayed}, conn.LocalAddr(), nil
}

// AllocateListener returns an error: there is no TCP relay.
func (relays) AllocateListener(turn.AllocateListenerConfig) (net.Listener, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// AllocateConn returns an error: there is no TCP relay.
func (relays) AllocateConn(turn.AllocateConnConfig) (net.Conn, error) { return nil, net.ErrClosed }

type counting struct {
	net.PacketConn
	n *atomic.Uint64
}

// ReadFrom counts the bytes that it reads.
func (c counting) ReadFrom(b []byte) (int, net.Addr, error) {
	n, from, err := c.PacketConn.ReadFrom(b)
	c.n.Add(uint64(n))
	return n, from, err
}
