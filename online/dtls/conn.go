package dtls

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	pion "github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/elliptic"
	"github.com/pion/logging"

	"github.com/tickback/tickback"
)

const (
	// handshakeTime limits a handshake: enough for five round trips of 300 ms and six retransmissions.
	handshakeTime = 8 * time.Second
	// flightTime is how long to wait before lost messages of a handshake are sent again: longer than most round
	// trips. It does not grow: a match waits for the handshake, which sends less than a match does.
	flightTime = 250 * time.Millisecond
	// flightBytes is the maximum size of a handshake datagram inside its envelope, in bytes.
	flightBytes = 1100
	// replayWindow is how far a record's number may be behind the newest one: four times what a session accepts.
	replayWindow = 1024
)

// connectionID names a connection in the records that are sent to us: RFC 9146. It is random, so that an attacker who
// does not see the traffic cannot even cause an attempt to decrypt.
type connectionID [4]byte

// conn is one connection to a peer, from the beginning of its handshake.
type conn struct {
	under   tickback.Transport
	pair    *pair
	opening envelope       // the envelope for the records of its handshake, without them
	addr    netip.AddrPort // the address with which the handshake takes place
	id      connectionID
	pipe    *pipe
	pion    *pion.Conn
	exact   bool // the pipe knows the source of what it returns

	sending sync.Mutex                     // lets goroutines send one datagram at a time
	to      atomic.Pointer[netip.AddrPort] // the address to which records are sent
	heard   moment                         // when the newest authentic datagram arrived
	quiet   atomic.Bool                    // nothing may be sent any more
}

func newConn(under tickback.Transport, own *Identity, pair *pair, e envelope, addr netip.AddrPort, id connectionID) (*conn, error) {
	c := &conn{under: under, pair: pair, opening: e, addr: addr, id: id}
	c.pipe = newPipe(c.send)
	c.to.Store(&c.addr)
	common := []pion.Option{
		pion.WithCertificates(own.certificate),
		pion.WithVerifyPeerCertificate(expect(pair.remote)),
		pion.WithInsecureSkipVerify(true), // there is no authority: the function above verifies the certificate
		pion.WithCipherSuites(pion.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
		pion.WithSignatureSchemes(tls.Ed25519),
		pion.WithEllipticCurves(elliptic.X25519),
		pion.WithExtendedMasterSecret(pion.RequireExtendedMasterSecret),
		pion.WithConnectionIDGenerator(func() []byte { return append([]byte(nil), c.id[:]...) }),
		pion.WithFlightInterval(flightTime),
		pion.WithDisableRetransmitBackoff(true), // handshakeTime limits the retransmissions
		pion.WithMTU(flightBytes),
		pion.WithReplayProtectionWindow(replayWindow),
		pion.WithLoggerFactory(silence),
	}
	var err error
	if e.flags&flagClient != 0 {
		options := make([]pion.ClientOption, len(common))
		for i, o := range common {
			options[i] = o
		}
		c.pion, err = pion.ClientWithOptions(c.pipe, nowhere, options...)
		return c, err
	}
	options := []pion.ServerOption{
		pion.WithClientAuth(pion.RequireAnyClientCert),
		pion.WithInsecureSkipVerifyHello(true), // our own cookie has already proved the address, and needs no memory
	}
	for _, o := range common {
		options = append(options, o)
	}
	c.pion, err = pion.ServerWithOptions(c.pipe, nowhere, options...)
	return c, err
}

var silence = &logging.DefaultLoggerFactory{Writer: io.Discard, DefaultLogLevel: logging.LogLevelDisabled}

// handshake performs the handshake.
func (c *conn) handshake() error {
	ctx, cancel := context.WithTimeout(context.Background(), handshakeTime)
	defer cancel()
	if err := c.pion.HandshakeContext(ctx); err != nil {
		return err
	}
	state, ok := c.pion.ConnectionState()
	if !ok {
		return errStranger
	}
	return expect(c.pair.remote)(state.PeerCertificates, nil) // once more, independently of the checks in the handshake
}

// read waits for a datagram, and returns it with the address it came from: see pipe. It returns false once the
// connection has ended.
func (c *conn) read(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	for {
		n, err := c.pion.Read(buf)
		switch {
		case errors.Is(err, errMark):
			c.exact = true
			c.pipe.marked()
		case err == nil:
			from, at := c.pipe.origin()
			if !c.exact { // the datagram arrived with the end of the handshake
				from = c.addr
			}
			return n, from, at, true
		case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, pion.ErrConnClosed):
			return 0, from, at, false
		}
	}
}

// write encrypts a datagram and sends it to an address.
func (c *conn) write(to netip.AddrPort, b []byte) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	if *c.to.Load() != to {
		c.to.Store(&to)
	}
	_, err := c.pion.Write(b)
	return err
}

// send sends the output of the DTLS library: records with an ID as they are, and all others in an envelope, since they
// belong to a handshake.
func (c *conn) send(records []byte) {
	switch {
	case c.quiet.Load() || len(records) == 0:
	case records[0] == recordCID:
		_ = c.under.Send(*c.to.Load(), records) // the owner counts what is sent
	default:
		e := c.opening
		e.records = records
		_ = c.under.Send(c.addr, e.append(make([]byte, 0, envelopeOverhead+len(records)), c.pair))
	}
}

// connections makes the connections of a transport, and finds them by their IDs.
type connections struct {
	under    tickback.Transport
	byID     map[connectionID]*conn
	attempts uint32         // those in which we are the client
	running  sync.WaitGroup // waits for what the connections run
}

// open makes a connection and numbers the attempt, if we are the client. The owner runs it.
func (s *connections) open(own *Identity, pair *pair, e envelope, addr netip.AddrPort, began time.Time) (*conn, error) {
	if e.flags&flagClient != 0 {
		s.attempts++
		e.attempt = s.attempts
	}
	var id connectionID
	for rand.Read(id[:]); s.byID[id] != nil; rand.Read(id[:]) {
	}
	c, err := newConn(s.under, own, pair, e, addr, id)
	if err != nil {
		return nil, err
	}
	c.heard.began = began
	s.byID[id] = c
	return c, nil
}

// forget makes records of a connection those of a stranger.
func (s *connections) forget(c *conn) { delete(s.byID, c.id) }

// hangUp ends a connection, which may be nil; those who read from it do the rest. Unless quiet is set, the other side
// is informed.
func (s *connections) hangUp(c *conn, quiet bool) {
	if c == nil {
		return
	}
	s.forget(c)
	if quiet {
		c.quiet.Store(true)
	}
	s.running.Go(func() { c.pion.Close() })
}
