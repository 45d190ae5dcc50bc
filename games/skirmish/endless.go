package skirmish

import "github.com/tickback/tickback/world"

// A match without an end is for measuring and for soaks: armies keep their size, however long they fight. A
// keep that is broken becomes whole again, no player can resign, and fallen units return at the keep of their
// side. So a single match has thousands of units for as long as it is played. As with [World.StandIns], it
// takes no space in the state: it is stored in Match.Winner, which has no other meaning until the end, and
// such a match has no end.
const (
	standIns        = 0xFF // bots stand in
	endless         = 0xFE
	endlessStandIns = 0xFD // both
)

// unended returns the value of Match.Winner in a match of this setup until its end.
func (s Setup) unended() uint8 {
	switch {
	case s.Bots && s.Endless:
		return endlessStandIns
	case s.Endless:
		return endless
	case s.Bots:
		return standIns
	}
	return 0
}

// Endless reports whether nobody can win.
func (w *World) Endless() bool {
	m := w.Match.Get()
	return !m.Over && (m.Winner == endless || m.Winner == endlessStandIns)
}

// reinforcements is the maximum number of units that a side gets per second.
const reinforcements = 16

// reinforce adds units at the keeps of sides that have fewer than at the beginning.
func (s *step) reinforce() {
	if !s.Endless() || !s.every(TicksPerSecond) {
		return
	}
	var have [MaxPlayers]int
	for c := range s.Units.Chunks() {
		who := s.Units.Who.Read(c)
		for row := range c.Live() {
			have[who.Ref(row).Side]++
		}
	}
	m := s.Match.Get()
	begun := min(int(m.Units), MaxAll/int(m.Players))
	for e := range s.Buildings.All() {
		if place, _ := s.Buildings.Place.Get(e); place.Structure == Keep {
			placeUnits(s, place, min(begun-have[place.Side], reinforcements))
		}
	}
}

// placeUnits puts up to n units around a keep.
func placeUnits(s *step, keep Place, n int) {
	for range min(n, MaxAll-s.Units.Len()) {
		kind := Kind(1 + s.Match.Write().Rng.Next()%Kinds)
		if at, ok := s.spawnPlace(keep, kind.Of().Radius); ok {
			s.raise(keep.Side, kind, at)
		}
	}
}

// repairKeep makes a keep whole again if keeps cannot be broken, and reports whether it did.
func repairKeep(s *step, e world.Entity) bool {
	place, ok := s.Buildings.Place.Get(e)
	if !ok || place.Structure != Keep || !s.Endless() {
		return false
	}
	s.Buildings.Health.Set(e, Keep.Of().Health)
	return true
}
