package arena

import "github.com/tickback/tickback/rollback"

// advance runs the match for one tick of its phase. Each phase is entered by one function,
// which sets everything that belongs to the phase.
func (t *tick) advance() {
	t.s.PhaseTicks++
	switch t.s.Phase {
	case Waiting:
		t.wait()
	case Countdown:
		t.countDown()
	case Fighting:
		t.fight()
	case RoundOver:
		t.runOut()
	}
}

func (s *State) enter(p Phase) { s.Phase, s.PhaseTicks = p, 0 }

func (t *tick) becomeWaiting() { t.s.enter(Waiting) }

// wait begins a round as soon as there are two players. After WaitTicks it gives up, and a
// player that is still alone wins.
func (t *tick) wait() {
	switch {
	case t.present.Len() >= 2:
		t.becomeCountdown()
	case t.s.PhaseTicks >= WaitTicks:
		winner := uint8(0)
		for p := range t.present.All() {
			winner = uint8(p) + 1
		}
		t.becomeMatchOver(winner)
	}
}

// becomeCountdown clears the arena and puts all present players in place.
func (t *tick) becomeCountdown() {
	s := t.s
	s.enter(Countdown)
	s.clearShots()
	s.Pickups = [Spots]Pickup{}
	for p := range s.Fighters {
		f := &s.Fighters[p]
		if t.present.Has(rollback.Player(p)) {
			*f = f.ready(starts[(p+2*int(s.Round))%MaxPlayers])
		}
	}
}

func (s *State) clearShots() { s.Shots = [MaxPlayers][ShotsEach]Shot{} }

// countDown beeps every second. If fewer than two fighters are left, there is no round.
func (t *tick) countDown() {
	left := CountdownTicks + 1 - t.s.PhaseTicks // in the first tick, all of it
	seconds := left / TicksPerSecond
	switch {
	case t.s.standing().Len() < 2:
		t.becomeWaiting()
	case t.s.PhaseTicks > CountdownTicks:
		t.becomeFighting()
	case left%TicksPerSecond == 0:
		Beep.Emit(t.out, uint32(seconds), Count{Seconds: uint8(seconds)})
	}
}

func (t *tick) becomeFighting() {
	t.s.enter(Fighting)
	t.s.Round++
	t.s.SpawnIn = PickupInterval
	RoundStarted.Emit(t.out, 0, Count{Round: t.s.Round})
}

// fight runs the world until at most one fighter is left, or the time is up.
func (t *tick) fight() {
	t.world()
	standing := t.s.standing()
	if standing.Len() <= 1 || t.s.PhaseTicks >= RoundTicks {
		t.becomeRoundOver(t.s.healthiest(standing))
	}
}

// becomeRoundOver ends the round. The winner is a player's number + 1, or 0.
func (t *tick) becomeRoundOver(winner uint8) {
	s := t.s
	s.enter(RoundOver)
	s.clearShots()
	s.RoundWinner = winner
	if winner != 0 {
		s.Fighters[winner-1].Wins++
	}
	for p := range s.Fighters {
		s.Fighters[p].Charge = 0
		s.Fighters[p].lower()
	}
	RoundEnded.Emit(t.out, 0, Count{Round: s.Round, Winner: winner})
}

// runOut lets the fighters run about for a while, and then starts the next round or ends the
// match.
func (t *tick) runOut() {
	t.run(0)
	if t.s.PhaseTicks < RoundOverTicks {
		return
	}
	wins, winner := t.s.leader()
	if wins >= WinsToMatch || t.s.Round >= MaxRounds {
		t.becomeMatchOver(winner)
		return
	}
	t.becomeWaiting()
}

func (t *tick) becomeMatchOver(winner uint8) {
	t.s.enter(MatchOver)
	t.s.Winner = winner
	MatchEnded.Emit(t.out, 0, Count{Round: t.s.Round, Winner: winner})
}

// standing returns the players whose fighters stand.
func (s *State) standing() rollback.PlayerSet {
	var set rollback.PlayerSet
	for p := range s.Fighters {
		if s.Fighters[p].Stance == Standing {
			set |= rollback.SetOf(rollback.Player(p))
		}
	}
	return set
}

// healthiest returns which of these players has the most health, as a number + 1; 0 if two
// have the most or the set is empty.
func (s *State) healthiest(of rollback.PlayerSet) uint8 {
	most, winner := int16(-1), uint8(0)
	for p := range of.All() {
		switch hp := s.Fighters[p].Hp; {
		case hp > most:
			most, winner = hp, uint8(p)+1
		case hp == most:
			winner = 0
		}
	}
	return winner
}

// leader returns the number of rounds won by the leading player, and that player's number + 1; of several
// with equally many rounds, the one with the most knock-outs leads. The number is 0 if two are still equal.
func (s *State) leader() (wins, winner uint8) {
	best := uint16(0)
	for p := range s.Fighters {
		f := &s.Fighters[p]
		switch score := uint16(f.Wins)<<8 | uint16(f.Knockouts); {
		case score > best:
			best, winner = score, uint8(p)+1
		case score == best:
			winner = 0
		}
	}
	return uint8(best >> 8), winner
}
