package app

import (
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/words"
)

// What a match tells those who do not see it, beside its texts: what is drawn without words. Health is told in quarters,
// since it is announced when it changes.

// quarter returns a share of health in percent, rounded up to quarters.
func quarter(now, full int) int { return (now*4 + full - 1) / full * 25 }

// tellHealth tells how much health somebody has, once some of it is lost.
func tellHealth(m *mirror.Mirror, name string, now, full int) {
	if q := quarter(now, full); q < 100 {
		m.Live(words.F("%s: %d %% health", name, q))
	}
}

// tell tells the health of both fighters, and the rounds that they have won.
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

// tell tells what each fighter has, and announces that of the one who plays here.
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

// tell announces the score of the tank that somebody has here, and its health.
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
