package lab

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback/effects"
)

// Settings can be changed. Delay and jitter are for one direction.
type Settings struct {
	Delay, Jitter   time.Duration // 0 to MaxDelay
	Back            time.Duration // how much more delay the direction from peer 2 to peer 1 has, 0 to MaxDelay
	Loss, Duplicate int           // percent, 0 to MaxPercent
	Bursts          bool          // losses occur in a row: a burst loses all of some 8 datagrams
	InputDelay      int           // frames, 0 to MaxInputDelay
	Lockstep        bool          // no rollback: frames wait for all inputs
}

// Limits of the settings.
const (
	MaxDelay      = 300 * time.Millisecond
	MaxPercent    = 40
	MaxInputDelay = 8
	// Window is the number of frames that a peer may predict.
	Window = 12
	// step is the longest time between two updates of the peers, so that datagrams wait no longer than in separate
	// programs.
	step = 4 * time.Millisecond
	// burst is the average number of datagrams in a burst of losses: an eighth of a second.
	burst = 8
	// after is how long play continues after a knock-out before the next duel begins.
	after = 1500 * time.Millisecond
)

func (s *Settings) check() error {
	switch {
	case s.Delay < 0 || s.Delay > MaxDelay || s.Jitter < 0 || s.Jitter > MaxDelay:
		return fmt.Errorf("lab: delay %v and jitter %v must be 0 to %v", s.Delay, s.Jitter, MaxDelay)
	case s.Back < 0 || s.Back > MaxDelay:
		return fmt.Errorf("lab: the way back can be 0 to %v longer, not %v", MaxDelay, s.Back)
	case s.Loss < 0 || s.Loss > MaxPercent || s.Duplicate < 0 || s.Duplicate > MaxPercent:
		return fmt.Errorf("lab: loss %d %% and duplication %d %% must be 0 to %d", s.Loss, s.Duplicate, MaxPercent)
	case s.InputDelay < 0 || s.InputDelay > MaxInputDelay:
		return fmt.Errorf("lab: input delay %d must be 0 to %d frames", s.InputDelay, MaxInputDelay)
	}
	return nil
}

// link returns the link from a peer to the other.
func (s *Settings) link(from int) netem.Link {
	l := netem.Link{
		Delay: s.Delay, Jitter: s.Jitter, Distribution: netem.Exponential,
		Loss: netem.PPM(s.Loss) * netem.Percent, Duplicate: netem.PPM(s.Duplicate) * netem.Percent,
		Reorder: true,
	}
	if from == 1 {
		l.Delay += s.Back
	}
	if s.Bursts && s.Loss > 0 {
		// The fraction of datagrams in bursts is Begin / (Begin + End): it is the loss.
		end := 100 * netem.Percent / burst
		l.Loss, l.Burst = 0, netem.Burst{Begin: end * netem.PPM(s.Loss) / netem.PPM(100-s.Loss), End: end, Loss: 100 * netem.Percent}
	}
	return l
}

// connect applies the settings to both links of a network.
func (s *Settings) connect(n *netem.Datagrams) error {
	if err := n.SetLink(0, 1, s.link(0)); err != nil {
		return err
	}
	return n.SetLink(1, 0, s.link(1))
}

// Player returns what the player at a peer holds in a frame, given a state.
type Player func(p tickback.Player, f tickback.Frame, s *duel.State) duel.Input

// epoch is the beginning of a lab, in its own time.
var epoch = time.Unix(1, 0)

// Lab is two peers and the network between them.
type Lab struct {
	players  [2]Player
	settings Settings
	cable    *cable
	peers    [2]*Peer
	now      time.Time
	seed     uint32
	ending   time.Duration // the time since the knock-out
}

// New returns a lab with these players at the peers. Everything random comes from the seed, which must
// not be 0.
func New(seed uint32, s Settings, players [2]Player) (*Lab, error) {
	l := &Lab{players: players, settings: s, seed: seed, now: epoch}
	for p := range l.peers {
		l.peers[p] = &Peer{player: tickback.Player(p)}
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return l, l.begin()
}

// begin begins a duel between new peers, over a new network.
func (l *Lab) begin() error {
	var err error
	if l.cable, err = newCable(uint64(l.seed), func() time.Time { return l.now }); err != nil {
		return err
	}
	if err = l.settings.connect(l.cable.net); err != nil {
		return err
	}
	for p := range l.peers {
		if err := l.peers[p].begin(l); err != nil {
			return err
		}
	}
	l.ending = 0
	return nil
}

// Set changes the network and the input delay from now on. A change of Lockstep starts a new duel, since peers have
// to agree on it.
func (l *Lab) Set(s Settings) error {
	if err := s.check(); err != nil {
		return err
	}
	before := l.settings
	l.settings = s
	if s.Lockstep != before.Lockstep {
		l.seed++
		return l.begin()
	}
	if err := s.connect(l.cable.net); err != nil {
		return err
	}
	if s.InputDelay != before.InputDelay {
		for _, p := range l.peers {
			if err := p.match.SetDelay(p.player, s.InputDelay); err != nil {
				return err
			}
		}
	}
	return nil
}

// Settings returns the settings.
func (l *Lab) Settings() Settings { return l.settings }

// Time returns how much time has passed in the lab.
func (l *Lab) Time() time.Duration { return l.now.Sub(epoch) }

// Peers returns both peers.
func (l *Lab) Peers() [2]*Peer { return l.peers }

// Advance lets time pass in small steps, so that both peers do everything on time. After a knock-out a new duel
// begins.
func (l *Lab) Advance(dt time.Duration) error {
	for _, p := range l.peers {
		p.Effects, p.Wrong = p.Effects[:0], p.Wrong[:0]
	}
	for dt > 0 {
		d := min(dt, step)
		dt -= d
		if err := l.advance(d); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) advance(dt time.Duration) error {
	l.now = l.now.Add(dt)
	for _, p := range l.peers {
		if err := p.advance(); err != nil {
			return err
		}
	}
	if l.peers[0].out && l.peers[1].out {
		if l.ending += dt; l.ending > after {
			l.seed++
			return l.begin()
		}
	}
	return nil
}

// Counts are totals over all duels of a peer.
type Counts struct {
	Rollbacks, Resimulated, Mispredicted uint64
	Deepest                              int
	Duels                                int
}

// shownStates is the number of frames for which a peer keeps what it has shown.
const shownStates = 64

// Peer is one of the two peers.
type Peer struct {
	// Effects are the events about effects in the last Advance, valid until the next one.
	Effects []effects.Event
	// Wrong are the fighters that were shown wrongly in the frame before this one, as found in the last Advance.
	Wrong []Wrong

	player tickback.Player
	lab    *Lab
	match  *tickback.Match[duel.State, duel.Input]
	shown  [shownStates]struct {
		frame tickback.Frame
		state duel.State
		set   bool
	}
	before Counts // the counts of the finished duels
	out    bool
	diary  diary
}

// Wrong is a mispredicted fighter, as it was shown.
type Wrong struct {
	Player int
	Was    duel.Fighter
}

func (p *Peer) begin(l *Lab) error {
	p.before = p.Counts()
	p.before.Duels++
	game, err := duel.Game(l.seed)
	if err != nil {
		return err
	}
	o := tickback.Options[duel.State, duel.Input]{
		Players: 2, Peers: tickback.Mesh(p.player, address(1-int(p.player))), Transport: &l.cable.ends[p.player],
		GameID: "duel", Sample: p.sample, Lockstep: l.settings.Lockstep,
		Match:    tickback.Parameters{Seed: uint64(l.seed)},
		Advanced: tickback.Advanced{Now: func() time.Time { return l.now }, Snapshots: Window + 2, Random: l.random(p.player)},
	}
	if !o.Lockstep {
		o.Window = Window
	}
	o.Delay[p.player] = l.settings.InputDelay
	if p.match, err = tickback.P2P(game, o); err != nil {
		return err
	}
	p.lab, p.out = l, false
	p.diary.begin()
	p.shown = [shownStates]struct {
		frame tickback.Frame
		state duel.State
		set   bool
	}{}
	p.Effects, p.Wrong = p.Effects[:0], p.Wrong[:0]
	return nil
}

// random derives the session's random numbers from the seed, so that a lab can be repeated.
func (l *Lab) random(p tickback.Player) func() uint64 {
	x := uint64(l.seed)<<8 | uint64(p) + 1
	return func() uint64 {
		x = x*6364136223846793005 + 1442695040888963407
		return x ^ x>>33
	}
}

func (p *Peer) sample(q tickback.Player) duel.Input {
	v := p.match.View()
	if p.out {
		return 0
	}
	return p.lab.players[q](q, v.Frame, v.Current)
}

func (p *Peer) advance() error {
	front, engine := p.match.View().Frame, p.match.Stats().Engine
	if _, err := p.match.Update(); err != nil {
		return fmt.Errorf("lab: peer %d: %w", p.player+1, err)
	}
	p.diary.note(p.lab.Time(), front, p.match.View().Frame, engine, p.match.Stats().Engine)
	p.match.Events() // not needed here
	known := len(p.Effects)
	p.Effects = append(p.Effects, p.match.Effects()...)
	for i := range p.Effects[known:] {
		if e := &p.Effects[known+i]; duel.KnockedOut.Is(e) && e.What == effects.Started {
			p.out = true
		}
	}
	p.compare()
	return nil
}

// compare checks whether the last shown frame was shown correctly.
func (p *Peer) compare() {
	v, known := p.match.View(), len(p.Wrong)
	if old := &p.shown[(v.Frame+shownStates-1)%shownStates]; old.set && old.frame+1 == v.Frame {
		for q := range old.state.P {
			was, is := old.state.P[q], v.Previous.P[q]
			if was.X != is.X || was.Y != is.Y || was.State != is.State {
				p.Wrong = append(p.Wrong, Wrong{q, was})
			}
		}
		if len(p.Wrong) > known {
			p.before.Mispredicted++
		}
		old.set = false // it is reported only once
	}
	next := &p.shown[v.Frame%shownStates]
	if !next.set || next.frame != v.Frame {
		next.frame, next.state, next.set = v.Frame, *v.Current, true
	}
}

// View returns what the peer shows.
func (p *Peer) View() tickback.View[duel.State] { return p.match.View() }

// Stats returns the statistics of the current duel.
func (p *Peer) Stats() tickback.Stats { return p.match.Stats() }

// Counts returns the totals over all duels.
func (p *Peer) Counts() Counts {
	c := p.before
	if p.match != nil {
		e := p.match.Stats().Engine
		c.Rollbacks += e.Rollbacks
		c.Resimulated += e.Resimulated
		c.Deepest = max(c.Deepest, e.Deepest)
	}
	return c
}
