//go:build !js

package lan

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// A search and its answer. The question is as long as the longest answer, so that a false
// source address amplifies nothing.
//
//	question: "tickback-lan-1?", 8 random bytes, zeros up to 512 bytes
//	answer:   "tickback-lan-1!", the same 8 bytes, an Offer in JSON; 512 bytes at most
const (
	questionName = signalName + "?"
	answerName   = signalName + "!"
	nonceSize    = 8
	wordSize     = len(questionName)
	searchSize   = 512
)

// group is the multicast group of questions, in the range that stays within an organisation.
var group = netip.AddrFrom4([4]byte{239, 255, 84, 75})

const (
	// searchEvery is the interval at which a search asks, and forgetAfter how long a host is kept after its last
	// answer.
	searchEvery = time.Second
	forgetAfter = 3500 * time.Millisecond
	// maxFound is the maximum number of hosts that are kept.
	maxFound = 32
	// answersPerSecond limits the answers of a host: enough for several hundred people searching.
	answersPerSecond = 200
)

func encodeQuestion(nonce [nonceSize]byte) []byte {
	b := make([]byte, searchSize)
	copy(b[copy(b, questionName):], nonce[:])
	return b
}

// decodeQuestion reads a question, which is not trusted.
func decodeQuestion(b []byte) (nonce [nonceSize]byte, ok bool) {
	if len(b) != searchSize || !bytes.HasPrefix(b, []byte(questionName)) {
		return nonce, false
	}
	return [nonceSize]byte(b[wordSize:]), true
}

// encodeAnswer writes an answer, or returns nil if the offer is too long for one.
func encodeAnswer(nonce [nonceSize]byte, o Offer) []byte {
	text, err := json.Marshal(o)
	if err != nil {
		return nil
	}
	b := append(append([]byte(answerName), nonce[:]...), text...)
	if len(b) > searchSize {
		return nil
	}
	return b
}

// decodeAnswer reads an answer to a question, which is not trusted.
func decodeAnswer(b []byte, nonce [nonceSize]byte) (Offer, bool) {
	if len(b) > searchSize || len(b) < wordSize+nonceSize || string(b[:wordSize]) != answerName || [nonceSize]byte(b[wordSize:]) != nonce {
		return Offer{}, false
	}
	o, err := decodeOffer(b[wordSize+nonceSize:])
	return o, err == nil
}

// answerer answers searches.
type answerer struct {
	socket *net.UDPConn
	done   chan struct{}
}

// answer answers searches at a port. It returns nil if it cannot listen there, which is logged. Several hosts of one
// machine may answer at the same port.
func answer(port int, offer func() Offer, log *slog.Logger) *answerer {
	socket, err := net.ListenMulticastUDP("udp4", nil, &net.UDPAddr{IP: group.AsSlice(), Port: port})
	if err != nil { // on a network without multicast, broadcasts still arrive
		socket, err = net.ListenUDP("udp4", &net.UDPAddr{Port: port})
	}
	if err != nil {
		log.Warn("others will not find this host by themselves", "error", err)
		return nil
	}
	a := &answerer{socket, make(chan struct{})}
	go a.run(offer)
	return a
}

func (a *answerer) run(offer func() Offer) {
	defer close(a.done)
	var buf [searchSize + 1]byte
	var rate rate
	for {
		n, from, open := read(a.socket, buf[:])
		if !open {
			return
		}
		if b := rate.answer(buf[:n], from.Addr().Unmap(), time.Now(), offer); b != nil {
			_, _ = a.socket.WriteToUDPAddrPort(b, from) // if it is lost, the question will be repeated
		}
	}
}

// read waits for a datagram; open is false if the socket was closed. Other errors are ignored.
func read(socket *net.UDPConn, buf []byte) (n int, from netip.AddrPort, open bool) {
	for {
		n, from, err := socket.ReadFromUDPAddrPort(buf)
		if err == nil || isClosed(err) {
			return n, from, err == nil
		}
		time.Sleep(readPause)
	}
}

// answer returns the answer to a datagram, or nil if there should be none.
func (r *rate) answer(question []byte, from netip.Addr, now time.Time, offer func() Offer) []byte {
	nonce, ok := decodeQuestion(question)
	if !ok || !r.allows(now) {
		return nil
	}
	o := offer()
	if at, err := netip.ParseAddr(o.At); err == nil && at.IsLoopback() && !isOurs(from) {
		return nil // the room is full
	}
	return encodeAnswer(nonce, o)
}

// rate limits the answers of a host, second by second.
type rate struct {
	second time.Time // when the current second began
	count  int
}

// allows reports whether there may be one more answer, and counts it.
func (r *rate) allows(now time.Time) bool {
	if now.Sub(r.second) >= time.Second {
		r.second, r.count = now, 0
	}
	r.count++
	return r.count <= answersPerSecond
}

// isOurs reports whether an address is one of this machine.
func isOurs(a netip.Addr) bool {
	n := networks()
	return slices.Contains(n.addrs, a)
}

func (a *answerer) close() {
	_ = a.socket.Close() // an error does not matter, since nothing was written
	<-a.done
}

// Search looks for hosts on the local network, until it is closed.
type Search struct {
	socket *net.UDPConn
	port   uint16
	nonce  [nonceSize]byte
	stop   chan struct{}
	ended  sync.WaitGroup

	mu    sync.Mutex
	found map[uint64]found // by Offer.Host
}

type found struct {
	offer Offer
	at    netip.Addr
	seen  time.Time
}

// NewSearch begins to look for hosts that answer at a port; 0 is [SearchPort]. The error is
// one of the operating system.
func NewSearch(port int) (*Search, error) {
	socket, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return nil, fmt.Errorf("lan: %w", err)
	}
	s := &Search{socket: socket, port: uint16(orUsual(port)), stop: make(chan struct{}), found: map[uint64]found{}}
	rand.Read(s.nonce[:]) // never fails
	s.ended.Go(s.ask)
	s.ended.Go(s.listen)
	return s, nil
}

// ask asks repeatedly.
func (s *Search) ask() {
	ticker := time.NewTicker(searchEvery)
	defer ticker.Stop()
	question := encodeQuestion(s.nonce)
	for {
		n := networks()
		for _, to := range n.asked() {
			_, _ = s.socket.WriteToUDPAddrPort(question, netip.AddrPortFrom(to, s.port)) // some networks may not exist
		}
		select {
		case <-s.stop:
			return
		case <-ticker.C:
		}
	}
}

func (s *Search) listen() {
	var buf [searchSize + 1]byte
	for {
		n, from, open := read(s.socket, buf[:])
		if !open {
			return
		}
		if o, ok := decodeAnswer(buf[:n], s.nonce); ok {
			s.keep(o, from.Addr().Unmap(), time.Now())
		}
	}
}

// keep stores an answer, with the more useful one of the addresses from which its host has answered.
func (s *Search) keep(o Offer, from netip.Addr, now time.Time) {
	if at, err := netip.ParseAddr(o.At); err == nil {
		from = at
	}
	o.Address = netip.AddrPortFrom(from, o.Port).String()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(now)
	old, known := s.found[o.Host]
	if !known && len(s.found) >= maxFound {
		return
	}
	if known && rank(old.at) < rank(from) {
		o.Address, from = old.offer.Address, old.at
	}
	s.found[o.Host] = found{o, from, now}
}

func (s *Search) forget(now time.Time) {
	for id, f := range s.found {
		if now.Sub(f.seen) > forgetAfter {
			delete(s.found, id)
		}
	}
}

// Found returns the hosts that have answered recently, sorted by name.
func (s *Search) Found() []Offer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(time.Now())
	list := make([]Offer, 0, len(s.found))
	for _, f := range s.found {
		list = append(list, f.offer)
	}
	slices.SortFunc(list, func(a, b Offer) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Host, b.Host)) })
	return list
}

// Close ends the search. When it returns, nothing of it is running.
func (s *Search) Close() {
	close(s.stop)
	_ = s.socket.Close() // an error does not matter, since nothing was written
	s.ended.Wait()
}

// readPause is how long to pause reading after an unexpected error.
const readPause = 10 * time.Millisecond

func isClosed(err error) bool { return errors.Is(err, net.ErrClosed) }
