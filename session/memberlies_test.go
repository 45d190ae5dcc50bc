package session

// told is a forged message of the membership log.
type told = struct {
	name string
	make func(m *Machine, l *link) []byte
}

// memberLies are messages of matches that go on when somebody is
// gone.
var memberLies = []told{
	{"member wants a pause", func(m *Machine, _ *link) []byte {
		return about(messageMember, m.lobby.Number(), byte(0), m.slotAtHand(), Frame(0), byte(0), byte(0), byte(1), byte(0), byte(0), byte(0))
	}},
	{"chosen: a pause", func(m *Machine, l *link) []byte {
		return about(messageMember, m.lobby.Number(), byte(6), m.slotAtHand(), byte(5), byte(l.players), m.frame+9)
	}},
	{"chosen: we are dropped", func(m *Machine, _ *link) []byte {
		return about(messageMember, m.lobby.Number(), byte(6), m.slotAtHand(), byte(2), byte(m.cfg.Local), m.frame+9)
	}},
	{"no member message", func(m *Machine, _ *link) []byte { return about(messageMember, m.lobby.Number(), byte(99)) }},
	{"fill", func(m *Machine, l *link) []byte {
		p := l.List[0]
		return about(messageFill, m.lobby.Number(), byte(p), m.sim.Next(p), byte(0), byte(0), byte(7), byte(7))
	}},
	{"fill of us", func(m *Machine, _ *link) []byte {
		return about(messageFill, m.lobby.Number(), byte(m.local[0]), m.frame)
	}},
	{"kick", func(m *Machine, _ *link) []byte { return about(messageKick, m.lobby.Number(), byte('x')) }},
	{"candidate", func(m *Machine, l *link) []byte {
		return appendAddr(about(messageNewcomer, m.lobby.Number(), byte(l.players), uint64(7)), nobody)
	}},
	{"candidate without a place", func(m *Machine, _ *link) []byte {
		return appendAddr(about(messageNewcomer, m.lobby.Number(), byte(0xFF), uint64(0)), nobody)
	}},
}

// lieKinds are all kinds of messages that a liar sends.
var lieKinds = append(append([]told(nil), kinds...), memberLies...)

// slotAtHand is the current slot of the log, if there is one.
func (m *Machine) slotAtHand() Frame {
	if m.match.Log() == nil {
		return 0
	}
	return Frame(m.match.Log().State().Slot)
}
