package spectate

import (
	"errors"
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Receive handles an incoming datagram.
func (v *Follower) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	v.now = max(v.now, at)
	if len(b) == 0 || v.err != nil || from != v.Host() || !v.started {
		v.traffic.Strangers++
		return
	}
	switch {
	case b[0] == datagram.KindWelcome:
		v.receiveWelcome(at, b)
	case v.pipe != nil && datagram.IsWatch(b):
		v.receiveSession(at, b)
	default:
		v.traffic.Strangers++
	}
}

func (v *Follower) receiveSession(at time.Duration, b []byte) {
	ok, err := v.pipe.Receive(at, b)
	switch {
	case err != nil:
		breaks(v, err)
		return
	case !ok:
		v.traffic.Strangers++
		return
	}
	if v.take(); v.pipe == nil {
		return
	}
	if !v.heard {
		v.heard, v.useful = true, v.now
		v.news = append(v.news, HostNews{Addr: v.Host(), Found: true})
	}
	if v.unsaid++; v.unsaid >= 2 || v.pipe.Asked() {
		v.send()
	}
}

// take handles messages while there is room in the queue.
func (v *Follower) take() {
	for v.pipe != nil && !v.Full() {
		b, ok := v.pipe.Channel.Next()
		if !ok {
			return
		}
		v.useful = v.now
		if err := v.message(b); errors.Is(err, errBehind) {
			v.lose(err, false)
		} else if err != nil {
			breaks(v, err)
		}
	}
}

// send sends what is due.
func (v *Follower) send() {
	if v.out.Full() {
		return
	}
	if !v.heard {
		v.attach()
	}
	v.out.Seal(v.pipe.Append(v.out.Bytes, v.now), v.Host())
	v.unsaid = 0
}

// attach answers the host's Welcome, until the host accepts us.
func (v *Follower) attach() {
	s := &v.search
	a := datagram.Attach{Nonce: s.nonce}
	if seat := v.cfg.Join; seat != nil {
		a.Players, a.Sets, a.ID = seat.Players, seat.Sets, seat.ID
		a.Prove(seat.Token, s.theirs)
	} else if v.cfg.Token != nil {
		a.Prove(v.cfg.Token, s.theirs)
	}
	b := a.Append(v.out.Bytes)
	v.out.Seal(datagram.KeyOf(s.nonce, s.theirs).Seal(b, v.out.Start(), 0), v.Host())
}

// Update sends what is due, and looks for another host if the current one is lost. It returns the time of the next
// call.
func (v *Follower) Update(now time.Duration) (next time.Duration) {
	v.now = max(v.now, now)
	if !v.started {
		v.started = true
		v.search.begin(v)
		v.search.since, v.updated = v.now, v.now
	}
	extendDeadlines(v)
	if v.err != nil {
		return v.now + time.Second
	}
	v.take()
	if v.pipe == nil {
		return v.askHost()
	}
	if v.now-v.pipe.Heard > v.cfg.Drop {
		v.lose(errSilent, false)
		return v.now
	}
	if v.heard {
		v.search.since = v.now
	}
	if idle(v) {
		v.lose(errIdle, false)
		return v.now
	}
	asks, due := askRun(v), v.pipe.Due(v.now)
	if !v.heard {
		due = min(due, v.search.next)
	}
	if due <= v.now {
		v.search.next = v.now + attachEvery
		v.send()
		due = v.now + v.cfg.Period
	}
	return min(due, asks)
}

// extendDeadlines extends the deadlines if our own program was asleep: the hosts are not to blame.
func extendDeadlines(v *Follower) {
	if gap := v.now - v.updated; gap > time.Second {
		v.search.since += gap
		v.search.tried += gap
	}
	v.updated = v.now
}

// idle reports whether to try another host because the current one answers, but has sent nothing useful for a
// while.
func idle(v *Follower) bool {
	patience := matchPatience
	if v.match == 0 || v.over {
		patience = lobbyPatience
	}
	return v.heard && len(v.cfg.Hosts) > 1 && !v.Full() && v.now-v.useful > patience
}

const (
	matchPatience = 15 * time.Second
	lobbyPatience = time.Minute
)

// attachEvery is the interval between attempts to be accepted.
const attachEvery = 40 * time.Millisecond

// Leave notifies the host that we are leaving.
func (v *Follower) Leave() {
	v.depart()
	v.err = ErrLeft
}

// depart notifies the host once that we are leaving. If that is lost, the host will notice our silence.
func (v *Follower) depart() {
	if v.pipe != nil && v.pipe.Channel.Send([]byte{messageBye}) == nil {
		v.send()
	}
}
