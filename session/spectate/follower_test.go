package spectate

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a Welcome counts once, from a host that was asked, and with the right tag.
func TestWhichWelcomeCounts(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var welcome []byte
	h.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from == h.addr && b[0] == datagram.KindWelcome {
			welcome = append([]byte(nil), b...)
		}
		return true
	}
	v := h.enter(1, nil)
	h.run(time.Second)
	p := v.connection.pipe
	v.Receive(h.now, hostAddr, welcome)
	want(t, "the same pipe", v.connection.pipe, p)
	want(t, "strangers", v.Traffic().Strangers, 0)
	w := h.bring(2, visitorConfig(2))
	w.Receive(h.now, hostAddr, welcome)
	want(t, "before it has begun", w.Traffic().Strangers, 1)
	w.away = true
	h.run(20 * time.Millisecond)
	w.Receive(h.now, hostAddr, welcome)
	want(t, "of another one", w.Traffic().Strangers, 2)
	body := datagram.Key(w.connection.caller.Nonce).Seal(append([]byte(nil), welcome[:10]...), 0, 0)
	w.Receive(h.now, hostAddr, body)
	want(t, "half of one", w.Traffic().Strangers, 3)
	want(t, "no pipe", w.connection.pipe == nil, true)
	want(t, "Limit", w.Traffic().Limit, 0)
	want(t, "Limit of a pipe", v.Traffic().Limit, datagram.MinSize)
	v.Receive(h.now+time.Minute, hostAddr, welcome)
	want(t, "time goes on when something comes", v.now, h.now+time.Minute)
	want(t, "a way to nobody", w.Traffic().RoundTrip+w.Traffic().Deviation, 0)
}

// Rule: an Attach is sent again, every 40 ms, until the host accepts it.
func TestAnAttachIsSentAgain(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var at []time.Duration
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if to == hostAddr && b[0] == datagram.KindAttach {
			at = append(at, h.now)
			return false
		}
		return b[0] == datagram.KindWatch || b[0] == datagram.KindWelcome
	}
	var welcome []byte
	tap := h.tap
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if b[0] == datagram.KindWelcome {
			welcome = append([]byte(nil), b...)
		}
		return b[0] == datagram.KindWatch
	}
	v := h.enter(1, nil)
	h.run(20 * time.Millisecond)
	v.Receive(h.now, hostAddr, welcome)
	want(t, "the next one", v.connection.caller.Due(), h.now+40*time.Millisecond)
	h.tap = tap
	h.run(time.Second)
	want(t, "it is in", v.Attached(), false)
	for i := 1; i < len(at); i++ {
		if gap := at[i] - at[i-1]; gap > 44*time.Millisecond {
			t.Errorf("after %v", gap)
		}
	}
	if len(at) < 20 || len(at) > 80 {
		t.Errorf("%d", len(at))
	}
	h.run(1500 * time.Millisecond)
	want(t, "lost", len(v.lost), 0) // it was never found
	want(t, "the host is asked anew", v.search.failures > 0, true)
}

// Rule: hosts that are added are tried, too, each once, and at most 32.
func TestHostsAreAdded(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.down = true
	second := h.open(Config{Max: 4})
	v := h.enter(1, nil)
	for range 2 {
		v.AddHost(second.addr)
		v.AddHost(hostAddr)
	}
	want(t, "hosts", len(v.search.hosts), 2)
	v.cfg.Timeout = time.Minute
	h.run(5 * time.Second)
	want(t, "it is at", v.Host(), second.addr)
	want(t, "it is in", v.Attached(), true)
	for i := range uint16(100) {
		v.AddHost(netip.AddrPortFrom(second.addr.Addr(), i))
	}
	want(t, "hosts then", len(v.search.hosts), 32)
	for _, known := range v.search.hosts {
		want(t, "one says for good that it is of no use", known.final, false)
	}
}

// Rule: up to 256 KiB of items wait until they are taken; then nothing more is accepted
// from the host, which sends it again later.
func TestWhatIsNotTakenWaits(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 0
	h.run(600 * time.Second)
	v := h.enter(1, nil)
	for range 2500 {
		h.now += 4 * time.Millisecond
		h.audience.Update(h.now)
		h.carry(h)
		v.Update(h.now)
		for _, b := range v.Outgoing() {
			h.audience.Receive(h.now, v.addr, b)
		}
		v.audit(t)
	}
	if !v.Full() || v.received.queue.size < 256<<10 || v.received.queue.size > 256<<10+9<<10 || v.Err() != nil || !v.Attached() {
		t.Errorf("%d bytes wait, full %v, %v", v.received.queue.size, v.Full(), v.Err())
	}
	h.run(2 * time.Second)
	want(t, "there", h.frame-v.at <= 5, true)
}
