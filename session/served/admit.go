package served

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// source is what the audience needs to know about the match.
type source struct{ *Host }

func (s source) Items() datagram.Items { return s.items }

func (s source) Marshals() bool { return s.world.Marshals() }

func (s source) Marshal(b []byte) ([]byte, uint32, error) {
	f := s.world.Frame()
	encoded, err := s.world.Marshal(b, f)
	return encoded, uint32(f), err
}

// Admit refuses: who wants to play does not come to the audience.
func (s source) Admit(byte, uint64, netip.AddrPort) string { return "this is a server" }

func (s source) Joined(byte, uint64) bool { return false }

// welcome answers a Hello. It stores nothing.
func (h *Host) welcome(from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeHello(b)
	if err != nil {
		h.counts.strangers++
		return
	}
	if h.phase == session.Over || h.out.Full() {
		return
	}
	if w := h.door.Welcome(h.out.Bytes, h.now, from, &hello, h.items); len(w) > h.out.Start() {
		h.out.Seal(w, from)
	}
}

// replaceAfter is how long a client must have been silent before another one from its address
// takes its place.
const replaceAfter = time.Second

// attach lets a machine in that has proved its address.
func (h *Host) attach(from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeAttach(b)
	switch {
	case err != nil:
		h.counts.strangers++
		return
	case hello.Players == 0:
		if !h.audience.Receive(h.now, from, b) {
			h.counts.strangers++
		}
		return
	}
	ours, ok := h.door.Proved(h.now, from, hello.Nonce, b)
	if !ok {
		h.counts.strangers++
		return
	}
	if c := h.clients.at(from); c != nil {
		if c.nonce == hello.Nonce || c.silentFor(h.now) < replaceAfter {
			return // a repeated Attach, or a delayed old one
		}
		h.remove(c, event.Lost, "another client has come from its address")
		h.clients.drop()
	}
	why, spent := h.door.Spent(hello.Nonce)
	switch {
	case spent && why == "":
		return // it was here and has gone
	case !spent:
		why = h.refuses(&hello, ours)
	}
	if why != "" {
		h.counts.refused++
		if h.out.Full() || !h.door.Answers(from, h.now) {
			return
		}
	}
	pipe := peer.NewPipe(from, ours, hello.Nonce, h.cfg.nominal(), h.now)
	pipe.Hurry()
	pipe.Channel.SetWindow(stateWindow)
	c := &client{pipe: pipe, nonce: hello.Nonce, id: hello.ID}
	if why != "" {
		h.door.Spend(hello.Nonce, why)
		h.post(c, append([]byte{messageBye}, why...))
		h.send(c, nil)
		return
	}
	h.seat(c)
}

// stateWindow is how many fragments of a whole state are in flight: 300 KB a second at a round
// trip of 100 ms.
const stateWindow = 32

// refuses returns why a machine gets no place, or "".
func (h *Host) refuses(a *datagram.Attach, ours uint64) string {
	if h.invitation.Ever() {
		switch h.invitation.Judge(a, ours) {
		case admission.Revoked:
			return "the token was revoked"
		case admission.Unknown:
			return "it does not know the token of the match"
		}
	}
	if h.phase != session.Playing {
		return "the match is over"
	}
	for _, c := range h.clients.list {
		if c.id == a.ID && c.plays && c.silentFor(h.now) >= replaceAfter {
			// It has come back from another address, before it was lost here.
			h.remove(c, event.Lost, "it has come again from another address")
		}
	}
	h.clients.drop()
	if _, ok := h.clients.place(a.ID, h.cfg.Players); !ok {
		return "all places are taken"
	}
	return ""
}

// seat gives a client a place.
func (h *Host) seat(c *client) {
	c.player, _ = h.clients.place(c.id, h.cfg.Players)
	c.from, c.plays = h.sequencer.Next(), true
	h.sequencer.Join(c.player, c.from)
	h.clients.of[c.player], h.clients.ids[c.player] = c, c.id
	h.clients.list = append(h.clients.list, c)
	h.post(c, h.offer.Append([]byte{messageBegin}))
	h.post(c, appendPlace(nil, c.player, c.from))
	h.events.Add(Event{What: event.Joined, Players: rollback.SetOf(c.player), Frame: c.from, Text: c.pipe.Addr.String()})
	h.serve(c)
	h.send(c, nil)
}

// remove takes a client out of the match.
func (h *Host) remove(c *client, what event.What, why string) {
	if c.plays {
		c.plays = false
		h.sequencer.Leave(c.player)
		h.clients.of[c.player] = nil
		h.events.Add(Event{What: what, Players: rollback.SetOf(c.player), Frame: h.sequencer.Next(), Text: why})
	}
	c.gone = why
	h.door.Spend(c.nonce, "")
}

// dismiss tells a client why nothing more comes; it is forgotten once it knows.
func (h *Host) dismiss(c *client, why string) {
	c.bye, c.gone = true, ""
	h.post(c, append([]byte{messageBye}, why[:min(len(why), maxText)]...))
	h.send(c, nil)
}

// expire notices clients that are silent, and those that know that nothing more comes.
func (h *Host) expire() {
	for _, c := range h.clients.list {
		switch {
		case c.gone != "":
		case c.bye && (c.pipe.Channel.Pending() == 0 || c.silentFor(h.now) > 2*h.cfg.DropAfter):
			c.gone = "it knows, or never will"
		case !c.bye && c.silentFor(h.now) > h.cfg.DropAfter:
			why := fmt.Sprintf("silent for %v", h.cfg.DropAfter)
			h.remove(c, event.Lost, why)
			h.dismiss(c, why) // it may only sleep
		}
	}
	h.clients.drop()
}
