//go:build !js

package webrtc

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	pion "github.com/pion/webrtc/v4"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/internal/links"
)

// still is a connection that does nothing.
type still struct{}

func (still) offer(bool) (string, error)    { return "v=0", nil }
func (still) answer(string) (string, error) { return "v=0", nil }
func (still) accept(string) error           { return nil }
func (still) add(*candidate) error          { return nil }
func (still) serve(*maker)                  {}
func (still) send([]byte) error             { return nil }
func (still) close()                        {}

// spoken is a Signaler that records the kinds of signals that were sent.
type spoken struct{ kinds []string }

func (s *spoken) Signal(_ uint32, data string) error {
	m, err := decodeSignal(data)
	s.kinds = append(s.kinds, string(m.Kind))
	return err
}

// alone is a link of a transport that is not running, so that the test sets the time. With offers, this side makes the
// offers. Its only connection began at the given time.
func alone(t *testing.T, offers bool, began time.Time) (*link, *spoken) {
	t.Helper()
	said := &spoken{}
	cfg := Config{Self: 2, Signaler: said, Loopback: true, Log: slog.New(slog.DiscardHandler)}
	maker, err := newMaker(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	tr := &Transport{cfg: cfg, maker: maker, instance: "here", queue: inbox.New(), failAfter: links.FailAfter, mail: newMailbox()}
	id := uint32(1)
	if offers {
		id = 3
	}
	l := newLink(tr, id, began)
	l.remote, l.attempt, l.dial = "there", 1, &dial{number: 1, conn: still{}, began: began, described: true}
	t.Cleanup(func() {
		l.hangUp()
		tr.closing.Wait()
	})
	return l, said
}

// While a connection is interrupted, the side that makes the offers looks for new paths every two seconds; the other
// one asks for them every second. After five seconds the connection is given up.
func TestHowOftenNewWaysAreLookedFor(t *testing.T) {
	for _, c := range []struct {
		what   string
		offers bool
		age    time.Duration // of the connection when it is interrupted
		kind   string
		want   []time.Duration // since the interruption
	}{
		{"one that offers", true, time.Minute, "offer", []time.Duration{0, 2 * time.Second, 4 * time.Second}},
		{"one whose connection is young", true, 500 * time.Millisecond, "offer", []time.Duration{1500 * time.Millisecond, 3500 * time.Millisecond}},
		{"one that does not offer", false, time.Minute, "hello", []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second}},
	} {
		start := time.Now()
		l, said := alone(t, c.offers, start.Add(-c.age))
		l.dial.open, l.dial.path = true, pathConnected
		l.enter(Connected, NoReason, start.Add(-c.age))
		var got []time.Duration
		count := 0
		note := func(at time.Duration) {
			if len(said.kinds) > count {
				got = append(got, at)
			}
			for ; count < len(said.kinds); count++ {
				if said.kinds[count] != c.kind {
					t.Errorf("%s sends %q, want %q", c.what, said.kinds[count], c.kind)
				}
			}
		}
		l.happened(&letter{kind: forPath, path: pathInterrupted}, start)
		note(0)
		for at := beat; at <= restartTime; at += beat {
			l.look(start.Add(at))
			note(at)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s speaks at %v, want %v", c.what, got, c.want)
		}
		if l.dial == nil {
			t.Errorf("%s has given up after %v", c.what, restartTime)
		}
		if l.look(start.Add(restartTime + beat)); l.dial != nil {
			t.Errorf("%s has not given up after %v", c.what, restartTime+beat)
		}
	}
}

// A hello begins another connection when the other side wants one, ours was never open, and its offer has not been
// answered for two seconds; it starts a search for new paths if ours still counts as connected. Any other hello does
// nothing.
func TestWhatAHelloDoes(t *testing.T) {
	const connected = pathConnected
	for _, c := range []struct {
		what               string
		wants, open        bool
		path               pathState
		age                time.Duration
		restarts, attempts uint64
	}{
		{"an offer that is lost", true, false, 0, 2*time.Second + 1, 0, 1},
		{"an offer on its way", true, false, 0, 2 * time.Second, 0, 0},
		{"an offer, and it has what it wants", false, false, 0, 2*time.Second + 1, 0, 0},
		{"it has noticed an interruption first", true, true, connected, time.Minute, 1, 0},
		{"it has noticed one, of a new connection", true, true, connected, 2*time.Second - 1, 0, 0},
		{"it has noticed one, of a connection that is not quite new", true, true, connected, 2 * time.Second, 1, 0},
		{"it is connected, too", false, true, connected, time.Minute, 0, 0},
		{"both know of the interruption", true, true, pathInterrupted, time.Minute, 0, 0},
	} {
		now := time.Now()
		l, said := alone(t, true, now.Add(-c.age))
		l.dial.open, l.dial.path = c.open, c.path
		l.signalled(&message{Kind: sayHello, From: "there", Want: c.wants}, now)
		s := l.t.Stats()
		if s.Restarts != c.restarts || s.Attempts != c.attempts || len(said.kinds) != int(c.restarts+c.attempts) {
			t.Errorf("%s: %d restarts and %d attempts, want %d and %d; said %q", c.what, s.Restarts, s.Attempts, c.restarts, c.attempts, said.kinds)
		}
		if c.attempts > 0 && (l.attempt != 2 || l.dial == nil || l.dial.number != 2) {
			t.Errorf("%s: attempt %d follows the first", c.what, l.attempt)
		}
	}
}

// Of the datagrams that nobody receives, each dropped one is counted once.
func TestOverflowsAreCounted(t *testing.T) {
	l, _ := alone(t, true, time.Now())
	for range inbox.PerPeer {
		l.t.queue.Push(l.ring, l.addr, []byte{1, 2}, time.Now())
	}
	if s := l.t.Stats(); s.Overflowed != 0 || s.Received != inbox.PerPeer || s.ReceivedBytes != 2*inbox.PerPeer {
		t.Errorf("a full queue: %+v", s)
	}
	for range 3 {
		l.t.queue.Push(l.ring, l.addr, []byte{1, 2}, time.Now())
	}
	if s := l.t.Stats(); s.Overflowed != 3 || s.Received != inbox.PerPeer+3 {
		t.Errorf("three more: %+v", s)
	}
}

// A connection holds back as much as a sender of 200 KB a second has in flight in 300 ms, and less than half a second
// of it.
func TestHowMuchIsHeldBack(t *testing.T) {
	const perSecond = 200_000
	if maxBuffered < perSecond*300/1000 || maxBuffered > perSecond/2 {
		t.Errorf("%d bytes", maxBuffered)
	}
}

// Signals of another instance than the one that was greeted change nothing, and neither does an offer of an earlier
// attempt, or one that arrives sooner after the last connection than one may be begun.
func TestSignalsThatChangeNothing(t *testing.T) {
	now := time.Now()
	l, said := alone(t, true, now)
	l.dial.described = false
	l.signalled(&message{Kind: sayAnswer, From: "elsewhere", To: "here", Attempt: 1, SDP: "v=0"}, now)
	l.signalled(&message{Kind: sayAnswer, From: "there", To: "elsewhere", Attempt: 1, SDP: "v=0"}, now)
	if l.dial == nil || l.dial.described || len(said.kinds) != 0 {
		t.Errorf("an answer of another one is taken; said %q", said.kinds)
	}
	l, said = alone(t, false, now)
	l.attempt, l.dial.number = 2, 2
	l.signalled(&message{Kind: sayOffer, From: "there", To: "here", Attempt: 1, SDP: "v=0"}, now)
	if len(said.kinds) != 0 || !l.dial.restarted.IsZero() {
		t.Errorf("an offer of an earlier attempt is taken: %q", said.kinds)
	}
	l.hangUp()
	l.opened = now
	l.signalled(&message{Kind: sayOffer, From: "there", To: "here", Attempt: 2, SDP: "v=0"}, now.Add(openEvery-1))
	if l.dial != nil || len(said.kinds) != 0 || l.t.Stats().Attempts != 0 {
		t.Errorf("an offer that comes too soon is taken: %q", said.kinds)
	}
}

// A connection counts as open when both its path and its channel are.
func TestWhenADialIsConnected(t *testing.T) {
	for _, c := range []struct {
		open bool
		path pathState
		want bool
	}{{true, pathConnected, true}, {false, pathConnected, false}, {true, pathInterrupted, false}, {true, 0, false}, {false, 0, false}} {
		if got := (&dial{open: c.open, path: c.path}).connected(); got != c.want {
			t.Errorf("open %v, path %d: %v", c.open, c.path, got)
		}
	}
}

// A candidate that has waited for a description is taken once, also when there is another description later.
func TestAWayIsTakenOnce(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	taken := 0
	l.dial.conn, l.dial.described = taker{ways: &taken}, false
	for range 3 {
		l.way(&candidate{Text: "candidate:1"})
	}
	for range 2 {
		if l.described(nil, time.Unix(0, 0)); taken != 3 {
			t.Errorf("of 3 ways %d are taken", taken)
		}
	}
}

// Where no connection can be made the peer has failed, for that reason, and nothing counts as an attempt.
func TestWhereThereAreNoConnections(t *testing.T) {
	now := time.Unix(1000, 0)
	l, said := alone(t, true, now)
	l.t.maker.cfg.ICEServers = []pion.ICEServer{{URLs: []string{"nonsense:there"}}}
	l.begin(now)
	if p := l.status.Peer(now); p.State != Failed || p.Reason != Unsupported || l.dial != nil || l.attempt != 1 || l.t.Stats().Attempts != 0 || len(said.kinds) != 0 {
		t.Errorf("%+v, attempt %d, %+v; it says %q", p, l.attempt, l.t.Stats(), said.kinds)
	}
}

// Lost datagrams stay lost, and no datagram waits for an earlier one.
func TestTheChannelIsUnreliable(t *testing.T) {
	l, _ := alone(t, true, time.Now())
	conn, err := l.t.maker.connect(callbacks{candidate: func(candidate) {}, state: func(pathState) {}, open: func(bool) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.close()
	channel := conn.(*nativeConnection).channel
	if most := channel.MaxRetransmits(); channel.Ordered() || most == nil || *most != 0 {
		t.Errorf("ordered %v, and sent again %v times", channel.Ordered(), most)
	}
}

// broken is a connection that sends nothing.
type broken struct {
	still
	err error
}

func (b broken) send([]byte) error { return b.err }

// Each datagram that is sent, not sent, or received is counted once, by what happened to it.
func TestDatagramsAreCounted(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	tr := l.t
	l.ring = tr.queue.Join()
	tr.links = map[netip.AddrPort]*link{l.addr: l}
	for _, c := range []struct {
		conn connection
		to   netip.AddrPort
		size int
		want error
		now  Stats
	}{
		{nil, l.addr, 1, ErrNotConnected, Stats{Unconnected: 1}},
		{broken{err: ErrCongested}, l.addr, 1, ErrCongested, Stats{Unconnected: 1, Congested: 1}},
		{broken{err: ErrClosed}, l.addr, 1, ErrClosed, Stats{Unconnected: 2, Congested: 1}},
		{still{}, AddrOf(99), 1, ErrNoPeer, Stats{Unconnected: 3, Congested: 1}},
		{still{}, l.addr, MaxDatagram + 1, ErrTooLong, Stats{Unconnected: 3, Congested: 1, TooLong: 1}},
		{still{}, l.addr, MaxDatagram, nil, Stats{Unconnected: 3, Congested: 1, TooLong: 1, Sent: 1, SentBytes: MaxDatagram}},
	} {
		l.ready.Store(nil)
		if c.conn != nil {
			l.ready.Store(&c.conn)
		}
		if err := tr.Send(c.to, make([]byte, c.size)); err != c.want {
			t.Errorf("%d bytes to %v: %v, want %v", c.size, c.to, err, c.want)
		}
		if got := tr.Stats(); got != c.now {
			t.Errorf("%d bytes to %v: %+v, want %+v", c.size, c.to, got, c.now)
		}
	}
	tr.queue.Push(l.ring, l.addr, make([]byte, MaxDatagram+1), time.Unix(0, 0))
	tr.queue.Push(l.ring, l.addr, make([]byte, MaxDatagram), time.Unix(0, 0))
	if s := tr.Stats(); s.TooLong != 2 || s.Received != 1 || s.ReceivedBytes != MaxDatagram || s.Overflowed != 0 {
		t.Errorf("of one datagram that is too long, and one that is not: %+v", s)
	}
}

// Peers are identified by their numbers, each once however often it is named, the lowest first when there are too many,
// and neither ourselves nor number 0.
func TestWhichPeersAreTaken(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	var named, want []uint32
	const most = 94
	for id := uint32(most + 40); id > 0; id-- {
		named = append(named, id, id-1, id)
	}
	for id := uint32(1); len(want) < most; id++ {
		if id != l.t.cfg.Self {
			want = append(want, id)
		}
	}
	l.t.SetPeers(named...)
	letters := l.t.mail.take()
	if len(letters) != 1 || !slices.Equal(letters[0].peers, want) {
		t.Errorf("taken are %+v", letters)
	}
}

// Silence on a path is noticed early enough to find another one before a session drops the peer after 5 s; but a single
// lost keep-alive does not count as silence. A path counts as failed only when the session has dropped the peer, and
// not much later: then another connection is begun.
func TestSilenceIsNoticedInTime(t *testing.T) {
	const drop = 5 * time.Second
	if interruptedAfter < 2*keepAlive || interruptedAfter > 3*time.Second || failedAfter < interruptedAfter+restartEvery || failedAfter <= drop || failedAfter > drop+restartEvery/2 {
		t.Errorf("interrupted after %v, failed after %v, with a message in %v", interruptedAfter, failedAfter, keepAlive)
	}
}

// taker is a connection that counts the candidates that it is given.
type taker struct {
	still
	ways *int
}

func (k taker) add(*candidate) error {
	*k.ways++
	return nil
}

// Candidates that arrive before a description wait for it, and count with those that arrive after it: 64 are accepted.
func TestHowManyWaysAreTaken(t *testing.T) {
	for _, before := range []int{0, 10, maxCandidates, 2 * maxCandidates} {
		l, _ := alone(t, true, time.Unix(0, 0))
		taken := 0
		l.dial.conn, l.dial.described = taker{ways: &taken}, false
		for range before {
			l.way(&candidate{Text: "candidate:1"})
		}
		if taken != 0 {
			t.Errorf("%d ways are taken before there is a description", taken)
		}
		if l.described(nil, time.Unix(0, 0)); taken != min(before, maxCandidates) {
			t.Errorf("of %d ways that waited %d are taken", before, taken)
		}
		for range 2 * maxCandidates {
			l.way(&candidate{Text: "candidate:1"})
		}
		if taken != maxCandidates || l.t.Stats().BadSignals == 0 {
			t.Errorf("with %d before the description, %d ways are taken", before, taken)
		}
	}
}

// The side that makes the offers begins by itself as soon as it knows the other side and has no connection to it,
// whatever that says; the other side greets.
func TestWhoOffersBeginsByItself(t *testing.T) {
	for _, c := range []struct {
		offers bool
		remote string
		want   []string
	}{{true, "there", []string{sayOffer}}, {true, "", []string{sayHello}}, {false, "there", []string{sayHello}}} {
		began := time.Unix(0, 0)
		l, said := alone(t, c.offers, began)
		l.hangUp()
		l.remote = c.remote
		if l.look(began.Add(time.Minute)); !slices.Equal(said.kinds, c.want) {
			t.Errorf("offers %v, knows %q: it says %v, want %v", c.offers, c.remote, said.kinds, c.want)
		}
	}
}

// failing is a connection that cannot describe itself.
type failing struct{ still }

var errFailing = errors.New("it describes nothing")

func (failing) offer(bool) (string, error)    { return "", errFailing }
func (failing) answer(string) (string, error) { return "", errFailing }

// Changes that end a connection, so that the next look begins another one; and changes that do not. Nothing is offered
// if a connection cannot describe itself; after a description that cannot be used, a hello asks for another one.
func TestWhatEndsAConnection(t *testing.T) {
	began := time.Unix(0, 0)
	for what, c := range map[string]struct {
		offers bool
		happen func(l *link)
		ends   bool
		bad    uint64 // signals
		said   string
	}{
		"its path fails":           {true, func(l *link) { l.happened(&letter{kind: forPath, path: pathFailed}, began) }, true, 0, ""},
		"its path is there":        {true, func(l *link) { l.happened(&letter{kind: forPath, path: pathConnected}, began) }, false, 0, ""},
		"its channel opens":        {true, func(l *link) { l.happened(&letter{kind: forChannel, open: true}, began) }, false, 0, ""},
		"its channel never opened": {true, func(l *link) { l.happened(&letter{kind: forChannel}, began) }, false, 0, ""},
		"its channel closes": {true, func(l *link) {
			l.happened(&letter{kind: forChannel, open: true}, began)
			l.happened(&letter{kind: forChannel}, began)
		}, true, 0, ""},
		"it is not there in 8 s":             {true, func(l *link) { l.look(began.Add(8 * time.Second)) }, false, 0, ""},
		"it is not there in more than that":  {true, func(l *link) { l.look(began.Add(8*time.Second + 1)) }, true, 0, ""},
		"new ways cannot be offered":         {true, func(l *link) { l.dial.conn = failing{}; l.restart(began.Add(restartEvery)) }, true, 0, ""},
		"a description that is none":         {true, func(l *link) { l.described(errFailing, began) }, true, 1, sayHello},
		"an offer that cannot be answered":   {false, func(l *link) { l.dial.conn = failing{}; l.offered(&message{Attempt: 1, SDP: "v=0"}, began) }, true, 1, sayHello},
		"an offer of an attempt before it":   {false, func(l *link) { l.attempt = 2; l.offered(&message{Attempt: 1, SDP: "v=0"}, began) }, false, 0, ""},
		"an offer of new ways for the same":  {false, func(l *link) { l.offered(&message{Attempt: 1, SDP: "v=0"}, began) }, false, 0, sayAnswer},
		"an offer of another one comes soon": {false, func(l *link) { l.opened = began; l.offered(&message{Attempt: 2, SDP: "v=0"}, began) }, true, 0, ""},
	} {
		l, said := alone(t, c.offers, began)
		c.happen(l)
		if got := fmt.Sprintf("%q", said.kinds); got != fmt.Sprintf("%q", strings.Fields(c.said)) {
			t.Errorf("%s: it says %s, want %q", what, got, c.said)
		}
		if (l.dial == nil) != c.ends || l.t.Stats().BadSignals != c.bad {
			t.Errorf("%s: it has ended: %v, and %d signals were bad", what, l.dial == nil, l.t.Stats().BadSignals)
		}
	}
}

// The library uses our time-outs, not its own, by which a session would have dropped the peer before a failed path is
// noticed.
func TestTheLibraryIsToldWhatSilenceIs(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	times := reflect.ValueOf(l.t.maker.api).Elem().FieldByName("settingEngine").Elem().FieldByName("timeout")
	for name, want := range map[string]time.Duration{
		"ICEDisconnectedTimeout": interruptedAfter, "ICEFailedTimeout": failedAfter, "ICEKeepaliveInterval": keepAlive,
	} {
		if v := times.FieldByName(name); v.IsNil() || time.Duration(v.Elem().Int()) != want {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
}

// An opened channel makes a connection, even if the path was not reported.
func TestAnOpenChannelIsAConnection(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	l.happened(&letter{kind: forChannel, open: true}, time.Unix(0, 0))
	if l.status.State() != Connected || l.ready.Load() == nil {
		t.Errorf("it is %v", l.status.State())
	}
}

// A peer has failed after the time for which it is looked for, because it is gone, sends nothing, or is blocked.
func TestWhyAPeerHasFailed(t *testing.T) {
	began := time.Unix(0, 0)
	for reason, before := range map[Reason]func(l *link){
		Gone: func(l *link) {
			l.enter(Connected, NoReason, began)
			l.enter(Interrupted, NoReason, began)
		},
		NoAnswer: func(l *link) { l.remote = "" },
		Blocked:  func(*link) {},
	} {
		l, _ := alone(t, true, began)
		before(l)
		if l.look(began.Add(12*time.Second - 1)); l.status.State() == Failed {
			t.Errorf("%v: it has failed early", reason)
		}
		if l.look(began.Add(12 * time.Second)); l.status.State() != Failed || l.status.Peer(began).Reason != reason {
			t.Errorf("it is %v, because %v, want %v", l.status.State(), l.status.Peer(began).Reason, reason)
		}
	}
}

// Signals that nobody reads are dropped beyond 4,096; other notifications are not.
func TestLettersAreBounded(t *testing.T) {
	m := newMailbox()
	for range maxMail + 10 {
		m.add(letter{kind: forSignal})
		m.add(letter{kind: forCandidate})
	}
	if n := len(m.list); n != 4096 {
		t.Errorf("%d wait", n)
	}
	m.add(letter{kind: forClose})
	if list := m.take(); len(list) != 4097 || list[4096].kind != forClose || len(m.take()) != 0 {
		t.Errorf("%d waited", len(list))
	}
}

// The log has a record for each change of a peer, with its number and the reason, and none for what changes nothing.
func TestWhatHappensToAPeerIsLogged(t *testing.T) {
	var said strings.Builder
	began := time.Unix(0, 0)
	l, _ := alone(t, true, began)
	l.t.cfg.Log = slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { l.happened(&letter{kind: forChannel, open: true}, began) }, "level=INFO msg=\"webrtc: peer connected\" peer=3 reason=\"\"\n"},
		{func() { l.happened(&letter{kind: forPath, path: pathConnected}, began) }, ""},
		{func() { l.happened(&letter{kind: forPath, path: pathInterrupted}, began) }, "level=INFO msg=\"webrtc: peer interrupted\" peer=3 reason=\"\"\n"},
		{func() { l.happened(&letter{kind: forPath, path: pathInterrupted}, began) }, ""},
		{func() { l.hangUp(); l.look(began.Add(time.Minute)) }, "level=INFO msg=\"webrtc: peer failed\" peer=3 reason=\"the connection was lost\"\n"},
		{func() { l.look(began.Add(2 * time.Minute)) }, ""},
	} {
		said.Reset()
		if c.do(); said.String() != c.want {
			t.Errorf("%q is logged, want %q", said.String(), c.want)
		}
	}
}

// A connection that does not open within eight seconds is given up, and one that opens is not.
func TestHowLongAConnectionMayTakeToOpen(t *testing.T) {
	began := time.Unix(1000, 0)
	for _, described := range []bool{true, false} {
		for after, kept := range map[time.Duration]bool{8 * time.Second: true, 8*time.Second + 1: false} {
			l, _ := alone(t, true, began)
			l.dial.described = described
			if l.look(began.Add(after)); (l.dial != nil) != kept {
				t.Errorf("described %v: it is there after %v: %v", described, after, !kept)
			}
		}
	}
	l, _ := alone(t, true, began)
	l.happened(&letter{kind: forChannel, open: true}, began)
	if l.look(began.Add(time.Hour)); l.dial == nil {
		t.Error("one that is open is given up")
	}
}

// A connection that is closed describes nothing, takes nothing, and sends nothing.
func TestAClosedConnection(t *testing.T) {
	l, _ := alone(t, true, time.Now())
	connect := func() connection {
		conn, err := l.t.maker.connect(callbacks{candidate: func(candidate) {}, state: func(pathState) {}, open: func(bool) {}})
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	other := connect()
	defer other.close()
	sdp, err := other.offer(false)
	if err != nil {
		t.Fatal(err)
	}
	conn := connect()
	conn.close()
	if _, err := conn.offer(false); err == nil {
		t.Error("it makes an offer")
	}
	if _, err := conn.answer(sdp); err == nil {
		t.Error("it answers")
	}
	if conn.accept(sdp) == nil {
		t.Error("it accepts an answer")
	}
	if conn.add(&candidate{Text: "candidate:1 1 udp 2130706431 127.0.0.2 2000 typ host", Mid: new("0")}) == nil {
		t.Error("it takes a way")
	}
	if err := conn.send([]byte("x")); err != ErrNotConnected {
		t.Errorf("it sends: %v", err)
	}
}

// A goroutine that waits for letters after one has arrived is woken, and once.
func TestALetterWakesWhoWaitsLater(t *testing.T) {
	m := newMailbox()
	for range 2 {
		m.add(letter{kind: forClose})
		m.add(letter{kind: forClose})
		select {
		case <-m.wake:
		default:
			t.Error("nobody is woken")
		}
		if m.take(); len(m.wake) != 0 {
			t.Error("it is woken again, and nothing has come")
		}
	}
}

// Two connections to a peer are begun at least half a second apart, whatever it sends.
func TestHowOftenConnectionsAreBegun(t *testing.T) {
	began := time.Unix(1000, 0)
	l, _ := alone(t, true, began)
	for i, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {500*time.Millisecond - 1, false}, {500 * time.Millisecond, true}, {time.Second - 1, false}, {time.Second, true}} {
		if got := l.open(uint32(i+2), began.Add(c.after)); got != c.want || (l.dial != nil) != c.want {
			t.Errorf("%v after the first one another is begun: %v", c.after, got)
		}
	}
}

// noted is a connection that records what it is given.
type noted struct {
	still
	answers []string
	bad     error // of ways
}

func (n *noted) accept(sdp string) error { n.answers = append(n.answers, sdp); return nil }
func (n *noted) add(*candidate) error    { return n.bad }

// An answer is accepted by the side that offers, for its current attempt, and once.
func TestWhichAnswersAreTaken(t *testing.T) {
	for what, c := range map[string]struct {
		offers, described bool
		attempt           uint32
		taken             int
	}{
		"the answer":               {true, false, 1, 1},
		"one more":                 {true, true, 1, 0},
		"to an attempt before":     {true, false, 7, 0},
		"to one that is described": {true, true, 7, 0},
		"to one that offers not":   {false, false, 1, 0},
	} {
		l, _ := alone(t, c.offers, time.Unix(0, 0))
		conn := &noted{}
		l.dial.conn, l.dial.described = conn, c.described
		l.signalled(&message{Kind: sayAnswer, From: "there", To: "here", Attempt: c.attempt, SDP: "v=0"}, time.Unix(0, 0))
		if len(conn.answers) != c.taken {
			t.Errorf("%s: %d are taken", what, len(conn.answers))
		}
		l.dial = nil
		l.signalled(&message{Kind: sayAnswer, From: "there", To: "here", Attempt: c.attempt, SDP: "v=0"}, time.Unix(0, 0)) // to none
	}
}

// A candidate that cannot be used is counted, one that can is not, and neither ends the connection.
func TestAWayThatCannotBeTaken(t *testing.T) {
	for _, bad := range []error{nil, errFailing} {
		l, _ := alone(t, true, time.Unix(0, 0))
		l.dial.conn = &noted{bad: bad}
		for i := range uint64(3) {
			l.way(&candidate{Text: "candidate:1"})
			want := uint64(0)
			if bad != nil {
				want = i + 1
			}
			if n := l.t.Stats().BadSignals; n != want || l.dial == nil {
				t.Errorf("%v: %d are counted, want %d", bad, n, want)
			}
		}
	}
}

// For a new instance the attempts that the other side counts start from the beginning; ours continue.
func TestAttemptsOfANewInstance(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, offers := range []bool{true, false} {
		l, said := alone(t, offers, now.Add(-time.Minute))
		l.attempt = 7
		if l.signalled(&message{Kind: sayHello, From: "new", Want: true}, now); offers {
			if l.attempt != 8 || !slices.Equal(said.kinds, []string{sayOffer}) {
				t.Errorf("it says %q, for attempt %d", said.kinds, l.attempt)
			}
			continue
		}
		before := l.t.Stats().Attempts
		if l.signalled(&message{Kind: sayOffer, From: "new", To: "here", Attempt: 1, SDP: "nonsense"}, now); l.t.Stats().Attempts != before+1 {
			t.Error("the first offer of a new instance is taken for an old one")
		}
	}
}

// One of our own candidates is sent, and changes nothing else, even while the connection is interrupted.
func TestOurOwnWaysAreTold(t *testing.T) {
	for _, offers := range []bool{true, false} {
		l, said := alone(t, offers, time.Unix(0, 0))
		l.dial.open, l.dial.path = true, pathInterrupted
		l.happened(&letter{kind: forCandidate, candidate: candidate{Text: "candidate:1"}}, time.Unix(60, 0))
		if !slices.Equal(said.kinds, []string{sayCandidate}) || l.dial == nil || l.status.State() != Connecting {
			t.Errorf("offers %v: it says %q, and is %v", offers, said.kinds, l.status.State())
		}
	}
}

// Until the other side has described itself it is greeted, once a second.
func TestWhoHasNotAnsweredIsGreeted(t *testing.T) {
	began := time.Unix(1000, 0)
	for _, described := range []bool{true, false} {
		l, said := alone(t, true, began)
		l.dial.described = described
		l.hello = began
		for _, after := range []time.Duration{time.Second - 1, time.Second, time.Second + 1} {
			l.look(began.Add(after))
		}
		want := 1
		if described {
			want = 0
		}
		if len(said.kinds) != want {
			t.Errorf("described %v: it says %q", described, said.kinds)
		}
	}
}

// Messages that make no sense are counted, and nobody gets them.
func TestWhatMakesNoSenseIsNotRead(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	l.t.Deliver(3, "{")
	if n := l.t.Stats().BadSignals; n != 1 || len(l.t.mail.take()) != 0 {
		t.Errorf("%d are counted", n)
	}
	l.t.Deliver(3, (&message{Kind: sayHello, From: "x"}).encode())
	if n := l.t.Stats().BadSignals; n != 1 || len(l.t.mail.take()) != 1 {
		t.Errorf("one that makes sense: %d are counted", n)
	}
}

// A datagram that does not fit is dropped, and counted once.
func TestADatagramThatDoesNotFit(t *testing.T) {
	l, _ := alone(t, true, time.Unix(0, 0))
	l.t.queue.Push(l.ring, l.addr, make([]byte, 100), time.Unix(0, 0))
	if _, _, _, ok := l.t.Receive(make([]byte, 99)); ok || l.t.Stats().TooLong != 1 {
		t.Errorf("%+v", l.t.Stats())
	}
	if _, _, _, ok := l.t.Receive(make([]byte, 99)); ok || l.t.Stats().TooLong != 1 {
		t.Errorf("and again: %+v", l.t.Stats())
	}
}

// The end of a connection is reported.
func TestTheEndOfAConnectionIsTold(t *testing.T) {
	l, _ := alone(t, true, time.Now())
	states := make(chan pathState, 16)
	conn, err := l.t.maker.connect(callbacks{candidate: func(candidate) {}, state: func(s pathState) { states <- s }, open: func(bool) {}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.offer(false); err != nil {
		t.Fatal(err)
	}
	go conn.close()
	for s := range states {
		if s == pathFailed {
			return
		}
	}
}

// With invalid servers there is no transport.
func TestATransportWithServersThatCannotBe(t *testing.T) {
	if tr, err := New(Config{Self: 1, Signaler: &spoken{}, ICE: []ICEServer{{URLs: []string{"nonsense:there"}}}}); tr != nil || !errors.Is(err, ErrConfig) {
		t.Errorf("%v, %v", tr, err)
	}
}
