package app

import (
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/words"
)

// What a match reports to assistive technology in addition to its texts: things that are drawn without words.

// quarter returns a share of health in percent, rounded up to quarters.
func quarter(now, full int) int { return (now*4 + full - 1) / full * 25 }

// tellHealth reports a player's health, once some of it is lost.
func tellHealth(m *mirror.Mirror, name string, now, full int) {
	if q := quarter(now, full); q < 100 {
		m.Live(words.F("%s: %d %% health", name, q))
	}
}

// tell reports the health of both fighters, and the rounds that they have won.
func (s *DuelStage) tell(m *mirror.Mirror) {
	if m == nil {
		return
	}
	now, score := s.Session.View().Current, s.Standing()
	for p := range now.P {
		tellHealth(m, s.Names[p], int(now.P[p].Hp), duel.FullHp)
	}
	if score.Wins != [2]int{} {
		m.Live(words.F("Rounds: %s %d, %s %d", s.Names[0], score.Wins[0], s.Names[1], score.Wins[1]))
	}
}

// tell reports the values of each fighter, and announces those of the player on this machine.
func (s *ArenaStage) tell(m *mirror.Mirror) {
	if m == nil {
		return
	}
	now := s.Session.View().Current
	for p := range s.view.Players {
		f := &now.Fighters[p]
		state := words.F("%d %% health", quarter(int(f.Hp), arena.FullHp))
		if f.Stance != arena.Standing {
			state = words.T("out of the round")
		}
		line := words.F("%s: %s, rounds won: %d", s.Names[p], state, f.Wins)
		if m.Text(line, 0); s.alone(uint8(p)+1) && now.Phase == arena.Fighting {
			m.Live(line)
		}
	}
}

// tell announces the score of the tank of the player on this machine, and its health.
func (s *TanksStage) tell(m *mirror.Mirror) {
	if m == nil || s.view.Mine.Len() != 1 {
		return
	}
	now := s.Session.View().Current
	for p := range s.view.Mine.All() {
		if int(p) >= len(now.Tanks) {
			return
		}
		t := &now.Tanks[p]
		if t.Stance == tanks.Alive {
			tellHealth(m, s.Names[p], int(t.Hp), tanks.FullHp)
		}
		m.Live(words.F("%s: destroyed %d, lost %d", s.Names[p], t.Kills, t.Deaths))
	}
}
