package spectate

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: Hellos are sent every 50 ms, and after a second every 250 ms; then small ones as well,
// since the path may carry no large ones. Each has its number, and no answer has more bytes
// than its Hello.
func TestHowAHostIsAskedFor(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	var at []time.Duration
	var sizes []int
	var numbers []byte
	h.tap = func(_, to netip.AddrPort, b []byte) bool {
		hello, err := datagram.ConsumeHello(b)
		if to == hostAddr && err == nil {
			at, sizes, numbers = append(at, h.now), append(sizes, len(b)), append(numbers, hello.Attempt)
		}
		return false
	}
	v := h.bring(1, func() FollowerConfig { c := visitorConfig(1); c.Timeout = time.Hour; return c }())
	h.run(100 * time.Second)
	for i, n := range numbers {
		want(t, "number", n, byte(i+1))
		switch small := sizes[i] == datagram.MinSize; {
		case small && (at[i] < time.Second || at[i] != at[i-1] || sizes[i-1] != datagram.MaxSize):
			t.Errorf("a small one at %v, after one of %d bytes", at[i], sizes[i-1])
		case !small && sizes[i] != datagram.MaxSize:
			t.Errorf("%d bytes", sizes[i])
		case !small && at[i] >= time.Second && i+1 < len(at) && sizes[i+1] != datagram.MinSize:
			t.Errorf("no small one at %v", at[i])
		case !small && i > 0:
			gap := at[i] - at[i-1]
			if wanted := 52 * time.Millisecond; at[i] <= time.Second && gap != wanted {
				t.Errorf("at %v after %v", at[i], gap)
			}
			if wanted := 252 * time.Millisecond; at[i] > 1300*time.Millisecond && gap != wanted {
				t.Errorf("at %v after %v", at[i], gap)
			}
		}
	}
	if len(numbers) < 600 {
		t.Errorf("%d Hellos", len(numbers))
	}
	h.tap = nil
	h.run(100 * time.Millisecond)
	if rtt := v.Traffic().RoundTrip; !v.Attached() || rtt > 8*time.Millisecond {
		t.Errorf("it is not in, or the way takes %v", rtt)
	}
}

// Rule: when all hosts have failed, they are asked again after half a second.
func TestHostsAreAskedAgain(t *testing.T) {
	h := newHall(t, Config{Max: 1}, hallToken)
	h.enter(1, nil)
	h.run(time.Second)
	var first []time.Duration
	h.tap = func(_, to netip.AddrPort, b []byte) bool {
		if to == hostAddr && b[0] == datagram.KindWatch {
			first = append(first, h.now)
		}
		return true
	}
	v := h.bring(2, func() FollowerConfig {
		c := visitorConfig(2)
		c.Token, c.Timeout = hallToken, 2900*time.Millisecond
		return c
	}())
	v.addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, 1}), 9999) // of the same network
	h.run(3200 * time.Millisecond)
	if len(first) < 5 || v.Err() == nil {
		t.Fatalf("%v, %v", first, v.Err())
	}
	for i := 1; i < len(first); i++ {
		if gap := first[i] - first[i-1]; gap < 500*time.Millisecond || gap > 560*time.Millisecond {
			t.Errorf("again after %v", gap)
		}
	}
	want(t, "why", v.reason(), "there is no room for another spectator")
}

// Rule: a host that is present but sends nothing useful is left after 15 s in a match, and
// after a minute between matches, if there is another one.
func TestAHostThatSendsNothingIsLeft(t *testing.T) {
	for _, c := range []struct {
		hosts, seconds int
		lobby          bool
	}{{2, 15, false}, {2, 60, true}, {1, 0, false}} {
		h := newHall(t, Config{Max: 4})
		if c.hosts > 1 {
			o := h.open(Config{Max: 4})
			o.playing = false
		}
		h.run(time.Second)
		v := h.wander(1, nil)
		h.run(time.Second)
		h.playing = false
		if c.lobby {
			for _, o := range h.hosts() {
				o.audience.Finish(End{Frames: h.frame})
			}
			h.run(time.Second)
			want(t, "over", v.Over(), true)
		}
		began := v.connection.useful
		h.run(time.Duration(max(c.seconds, 80))*time.Second/8*7 - time.Second)
		if c.hosts == 1 {
			want(t, "lost, though it is the only one", len(v.lost), 0)
			continue
		}
		if !c.lobby {
			if len(v.lost) == 0 || v.lost[0] != errIdle {
				t.Errorf("%v", v.lost)
			}
			continue
		}
		want(t, "lost, after less than a minute", len(v.lost) > 0, h.now-began > time.Minute)
	}
}

// Rule: a host that sends nothing is left at exactly the right time.
func TestTheMomentAtWhichAHostIsLeft(t *testing.T) {
	for _, c := range []struct {
		hosts int
		match uint32
		over  bool
		after time.Duration
	}{{2, 1, false, 15 * time.Second}, {2, 1, true, time.Minute}, {2, 0, false, time.Minute}, {1, 1, false, time.Hour}} {
		v := NewFollower(FollowerConfig{Hosts: make([]netip.AddrPort, c.hosts)})
		v.received.match, v.received.over = c.match, c.over
		v.connection.heard, v.connection.useful = true, time.Second
		v.now = time.Second + c.after
		want(t, "too early", v.idle(), false)
		v.now++
		want(t, "then", v.idle(), c.hosts > 1)
		v.connection.heard = false
		want(t, "who was not let in", v.idle(), false)
		v.connection.heard, v.received.queue.size = true, maxQueue
		want(t, "who takes nothing", v.idle(), false)
	}
}

// Rule: time in which the program itself was asleep does not count against the hosts.
func TestAProgramThatWasAsleep(t *testing.T) {
	for _, asleep := range []time.Duration{500 * time.Millisecond, 20 * time.Second} {
		v := NewFollower(visitorConfig(1)) // nobody answers; Timeout is 3 s
		now := time.Duration(0)
		for ; now < 2800*time.Millisecond; now += 20 * time.Millisecond {
			v.Update(now)
			for range v.Outgoing() {
			}
		}
		now += asleep
		v.Update(now)
		want(t, "it has given up", v.Err() != nil, asleep < time.Second)
		for end := now + 400*time.Millisecond; now < end; now += 20 * time.Millisecond {
			v.Update(now)
		}
		want(t, "and then", v.Err() != nil, true)
	}
}

// hellosOf makes a follower send Hellos, exactly when they are due, and returns when it does,
// and which.
func hellosOf(v *Follower, until time.Duration) (at []time.Duration, sizes []int) {
	for now := time.Minute; now <= time.Minute+until; {
		next := v.Update(now)
		for _, b := range v.Outgoing() {
			at, sizes = append(at, (now-time.Minute)/time.Millisecond), append(sizes, len(b))
		}
		now = max(next, now+1)
	}
	return at, sizes
}

// Rule: Hellos are sent every 50 ms up to and including the one at one second, and then every
// 250 ms; small ones as well from that time on.
func TestTheMomentsOfHellos(t *testing.T) {
	c := visitorConfig(1)
	c.Timeout = time.Hour
	at, sizes := hellosOf(NewFollower(c), 1600*time.Millisecond)
	type hello struct {
		at   time.Duration
		size int
	}
	var wanted []hello
	for ms := time.Duration(0); ms <= 1600; ms += 50 {
		if ms <= 1050 || ms == 1300 || ms == 1550 {
			wanted = append(wanted, hello{ms, datagram.MaxSize})
			if ms >= 1000 {
				wanted = append(wanted, hello{ms, datagram.MinSize})
			}
		}
	}
	var got []hello
	for i := range at {
		got = append(got, hello{at[i], sizes[i]})
	}
	if !slices.Equal(got, wanted) {
		t.Errorf("%v, want %v", got, wanted)
	}
}

// Rule: the exact times at which a host is given up, and all of them.
func TestTheMomentsOfGivingUpAHost(t *testing.T) {
	viewer := func(hosts int) *Follower {
		c := visitorConfig(1)
		for n := 1; n < hosts; n++ {
			c.Hosts = append(c.Hosts, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 1 + byte(n)}), 7000))
		}
		v := NewFollower(c)
		v.now = time.Minute
		v.search.since, v.connection.caller.Begun = v.now, v.now
		v.connection.caller.SetDue(time.Hour)
		return v
	}
	v := viewer(1)
	v.now += v.cfg.Timeout
	if v.askHost(); v.Err() != nil {
		t.Errorf("too early: %v", v.Err())
	}
	v.now++
	v.ResetTimeout() // until now it was not the hosts' fault
	if v.askHost(); v.Err() != nil {
		t.Errorf("it is not excused: %v", v.Err())
	}
	v.search.since--
	v.connection.caller.Begun = v.now
	v.now += v.cfg.Timeout
	if v.askHost(); v.Err() == nil {
		t.Error("too late")
	}
	v = viewer(2)
	v.now += v.cfg.Drop
	if v.askHost(); v.search.host != 0 {
		t.Error("the next host is asked too early")
	}
	v.now++
	if v.askHost(); v.search.host != 1 {
		t.Error("the next host is asked too late")
	}
}

// Rule: the next host is asked at once, and after the last one the first half a second later,
// which then has its full time; counters are kept, and the announcements of one host say
// nothing about another one.
func TestTheNextHost(t *testing.T) {
	c := visitorConfig(1)
	c.Hosts = append(c.Hosts, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 2}), 7000))
	v := NewFollower(c)
	v.now = time.Minute
	pipe := peer.NewPipe(v.Host(), 1, 2, hallPeriod, v.now)
	pipe.Counts.Received, pipe.Counts.Sent, pipe.Counts.SentBytes = 7, 8, 900
	v.connection.pipe, v.received.partial.here = pipe, true
	before := v.Traffic()
	v.lose(errSilent, false)
	want(t, "host", v.search.host, 1)
	want(t, "asked", v.connection.caller.Due(), v.now)
	want(t, "received", v.Traffic().Received, before.Received)
	want(t, "sent", v.Traffic().Sent >= before.Sent, true)
	want(t, "announced", v.received.partial.here, false)
	v.lose(errSilent, false)
	want(t, "host", v.search.host, 0)
	want(t, "asked", v.connection.caller.Due(), v.now+500*time.Millisecond)
	want(t, "its time begins", v.connection.caller.Begun, v.now+500*time.Millisecond)
}

// Rule: after the end of a match, a spectator ends once all hosts in a row had nothing; a host
// that was present and only sent nothing does not count.
func TestAHostThatIsThereDoesNotCountAsGone(t *testing.T) {
	c := visitorConfig(1)
	c.Hosts = append(c.Hosts, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 2}), 7000))
	v := NewFollower(c)
	v.received.over = true
	for i, why := range []error{errSilent, errIdle, errSilent} {
		if v.lose(why, false); v.Err() != nil {
			t.Errorf("host %d: %v", i, v.Err())
		}
	}
	if v.lose(errSilent, false); v.Err() != ErrEnd {
		t.Errorf("then: %v", v.Err())
	}
}

// Rule: a Welcome measures the round trip if it answers a Hello that was sent.
func TestAWelcomeMeasuresTheRoundTrip(t *testing.T) {
	for attempt := range byte(5) {
		v := NewFollower(visitorConfig(1))
		for ms := range time.Duration(120) { // three Hellos: at 0, 50 and 100 ms
			v.Update(ms * time.Millisecond)
		}
		w := datagram.Welcome{Version: datagram.Version, Nonce: 9, Attempt: attempt}
		v.Receive(120*time.Millisecond, hostAddr, datagram.Key(v.connection.caller.Nonce).Seal(w.Append(nil), 0, 0))
		got := v.Traffic().RoundTrip
		sent := attempt >= 1 && attempt <= 3
		if v.connection.pipe == nil || sent != (v.connection.pipe.RoundTrip.Samples > 0) || sent && got != 170*time.Millisecond-time.Duration(attempt)*50*time.Millisecond {
			t.Errorf("an answer to Hello %d of 3: the round trip takes %v", attempt, got)
		}
		at, _ := v.connection.pipe.Channel.Due(120 * time.Millisecond)
		if timeout := at - 120*time.Millisecond; sent && timeout != max(v.connection.pipe.RoundTrip.Timeout(hallPeriod), reliable.MinTimeout) {
			t.Errorf("after an answer to Hello %d of 3, what is not acknowledged is sent again after %v", attempt, timeout)
		}
	}
}

// Rule: small Hellos are also sent to one of several hosts after half of its time, if that is
// less than a second.
func TestAHostThatHasLittleTimeIsAskedBySmallHellosEarlier(t *testing.T) {
	for drop, from := range map[time.Duration]time.Duration{
		600 * time.Millisecond: 300 * time.Millisecond,
		time.Second:            500 * time.Millisecond,
		10 * time.Second:       time.Second,
	} {
		h := newHall(t, Config{Max: 4})
		var first time.Duration
		h.tap = func(_, to netip.AddrPort, b []byte) bool {
			if _, err := datagram.ConsumeHello(b); err == nil && len(b) == datagram.MinSize && first == 0 {
				first = h.now
			}
			return false
		}
		c := visitorConfig(1)
		c.Hosts = append(c.Hosts, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 2}), 7000))
		c.Drop, c.Timeout = drop, time.Hour
		h.bring(1, c)
		h.run(2 * time.Second)
		if first < from || first > from+260*time.Millisecond {
			t.Errorf("a host that has %v is asked by a small Hello after %v, want %v", drop, first, from)
		}
	}
}
