package ui

import (
	"fmt"
	"math"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/mirror"
)

// key names a widget in a mirror.
func (i id) key() string {
	if i.own {
		return fmt.Sprintf("%s#%d", i.name, i.n)
	}
	return fmt.Sprintf("%s*%d", i.name, i.n)
}

// obey moves the focus as it was moved in the mirror.
func (u *UI) obey() {
	for i := range u.in.Acts {
		for _, p := range u.last {
			if p.id.key() == u.in.Acts[i].Key {
				u.focus.give(p)
			}
		}
	}
}

// done returns the last thing that was done with a widget in the mirror, or nil.
func (u *UI) done(p place) (act *mirror.Act) {
	if len(u.in.Acts) == 0 {
		return nil
	}
	key := p.id.key()
	for i := range u.in.Acts {
		if u.in.Acts[i].Key == key && u.in.Acts[i].Do != mirror.Focus {
			act = &u.in.Acts[i]
		}
	}
	return act
}

// set returns the value that was set in the mirror.
func (s *state) set() (value float64, ok bool) {
	if s.act == nil || s.act.Do != mirror.Set || math.IsNaN(s.act.Number) || math.IsInf(s.act.Number, 0) {
		return 0, false
	}
	return s.act.Number, true
}

// tell adds the widget that was registered last to the mirror, and begins to be quiet: what it writes is its own. The
// caller ends that with [UI.told].
func (u *UI) tell(i mirror.Item, s state) (m *mirror.Mirror) {
	if m = u.c.Mirror; m == nil {
		return nil
	}
	p := u.next[len(u.next)-1]
	i.Key, i.Focused, i.Box = p.id.key(), s.focused, u.c.Share(p.box)
	m.Add(i)
	u.c.Mirror = nil
	return m
}

// told ends to be quiet.
func (u *UI) told(m *mirror.Mirror) {
	if m != nil {
		u.c.Mirror = m
	}
}

// Offer is a button that is only in the mirror, for what has no widget, but a key or a part of the picture. It reports
// whether it was pressed. The focus is never there.
func (u *UI) Offer(b draw.Box, name string, n int, label string) bool {
	if u.c.Mirror == nil && len(u.in.Acts) == 0 {
		return false
	}
	key := id{name, n, true}.key()
	u.c.Mirror.Add(mirror.Item{Kind: mirror.Button, Key: key, Label: label, Box: u.c.Share(b)})
	for i := range u.in.Acts {
		if u.in.Acts[i].Key == key && u.in.Acts[i].Do == mirror.Press {
			return true
		}
	}
	return false
}
