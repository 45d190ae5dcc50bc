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

	"github.com/tickback/tickback/transport/udp"
)

const (
	// handshakeTime limits a handshake: enough for five round trips of 300 ms and six retransmissions.
	handshakeTime = 8 * time.Second
	// flightTime is how long to wait before lost messages of a handshake are sent again: longer than most round
	// trips. It does not grow: a match waits for the handshake, which sends less than a match does.
	flightTime = 250 * time.Millisecond
	// flightBytes is the most bytes of a handshake datagram inside its envelope.
	flightBytes = 1100
	// replayWindow is how far a record may be behind the newest one: four times what a session accepts.
	replayWindow = 1024
)

// connectionID names a connection in the records that are sent to us: RFC 9146. It is random, so that an attacker who
// does not see the traffic cannot even cause an attempt to decrypt.
type connectionID [4]byte

// conn is one connection to a peer, from the beginning of its handshake.
type conn struct {
	t       *Transport
	peer    *peer
	id      connectionID
	client  bool
	attempt uint32
	theirs  instance
	addr    netip.AddrPort // where the handshake takes place
	echo    cookie         // the cookie for its envelopes
	pipe    *pipe
	pion    *pion.Conn

	sending sync.Mutex                     // one datagram at a time
	to      atomic.Pointer[netip.AddrPort] // where records go
	heard   atomic.Int64                   // when the newest authentic datagram came, since the start of the transport
	quiet   atomic.Bool                    // nothing is sent any more
}

// newConn makes a connection to the current address of the peer. The caller starts it.
func (p *peer) newConn(client bool, attempt uint32) (*conn, error) {
	c := &conn{t: p.t, peer: p, client: client, attempt: attempt, theirs: p.theirs, addr: p.addr, echo: p.given}
	for rand.Read(c.id[:]); p.t.conns[c.id] != nil; rand.Read(c.id[:]) {
	}
	c.pipe = newPipe(c.send)
	c.to.Store(&c.addr)
	common := []pion.Option{
		pion.WithCertificates(p.t.own.certificate),
		pion.WithVerifyPeerCertificate(expect(p.pair.remote)),
		pion.WithInsecureSkipVerify(true), // there is no authority: the line above verifies
		pion.WithCipherSuites(pion.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
		pion.WithSignatureSchemes(tls.Ed25519),
		pion.WithEllipticCurves(elliptic.X25519),
		pion.WithExtendedMasterSecret(pion.RequireExtendedMasterSecret),
		pion.WithConnectionIDGenerator(func() []byte { return append([]byte(nil), c.id[:]...) }),
		pion.WithFlightInterval(flightTime),
		pion.WithDisableRetransmitBackoff(true), // handshakeTime limits it
		pion.WithMTU(flightBytes),
		pion.WithReplayProtectionWindow(replayWindow),
		pion.WithLoggerFactory(silence),
	}
	var err error
	if client {
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

// run performs the handshake and delivers what arrives until the connection ends.
func (c *conn) run() {
	ctx, cancel := context.WithTimeout(context.Background(), handshakeTime)
	err := c.pion.HandshakeContext(ctx)
	cancel()
	if err == nil {
		err = c.verify()
	}
	if !c.t.completed(c, err) {
		c.pion.Close()
		return
	}
	c.pipe.begin()
	c.read()
	c.t.ended(c)
	c.pion.Close()
}

// verify checks the peer's identity once more, independently of the checks in the handshake.
func (c *conn) verify() error {
	state, ok := c.pion.ConnectionState()
	if !ok {
		return errStranger
	}
	return expect(c.peer.pair.remote)(state.PeerCertificates, nil)
}

// read delivers what arrives, with the address it came from: see pipe.
func (c *conn) read() {
	buf := make([]byte, udp.MaxDatagram)
	exact := false
	for {
		n, err := c.pion.Read(buf)
		switch {
		case errors.Is(err, errMark):
			exact = true
			c.pipe.marked()
		case err == nil:
			from, at := c.pipe.origin()
			if !exact { // it arrived with the end of the handshake
				from = c.addr
			}
			c.t.receiveDecrypted(c, buf[:n], from, at)
		case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, pion.ErrConnClosed):
			return
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

// send sends what the DTLS library produced: records with an ID as they are, and all others in an envelope, since
// they belong to a handshake.
func (c *conn) send(records []byte) {
	switch {
	case c.quiet.Load() || len(records) == 0:
	case records[0] == recordCID:
		_ = c.t.under.Send(*c.to.Load(), records) // losses are counted there
	default:
		e := envelope{header{from: c.t.self, to: c.theirs, echo: c.echo}, c.attempt, records}
		if c.client {
			e.flags |= flagClient
		}
		_ = c.t.under.Send(c.addr, e.append(make([]byte, 0, envelopeOverhead+len(records)), c.peer.pair))
	}
}

// hangUp closes the connection; run does the rest. Unless quiet, it tells the other side.
func (c *conn) hangUp(quiet bool) {
	delete(c.t.conns, c.id)
	if quiet {
		c.quiet.Store(true)
	}
	c.t.running.Go(func() { c.pion.Close() })
}
