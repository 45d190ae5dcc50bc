package ui

import (
	"fmt"
	"math"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/mirror"
)

// key returns the name of a widget in a mirror.
func (i id) key() string {
	if i.own {
		return fmt.Sprintf("%s#%d", i.name, i.n)
	}
	return fmt.Sprintf("%s*%d", i.name, i.n)
}

// obey moves the focus to where it was moved in the mirror.
func (u *UI) obey() {
	for i := range u.in.Acts {
		for _, p := range u.last {
			if p.id.key() == u.in.Acts[i].Key {
				u.focus.give(p)
			}
		}
	}
}

// done returns the last action on a widget in the mirror, or nil.
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

// tell adds the widget that was registered last to the mirror, and stops adding texts: those that it writes are its
// own. The caller ends that with [UI.told].
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

// told ends what [UI.tell] began: texts are added to the mirror again.
func (u *UI) told(m *mirror.Mirror) {
	if m != nil {
		u.c.Mirror = m
	}
}

// Offer adds a button that is only in the mirror, for an action without a widget, such as a key or a part of the
// picture. It reports whether the button was pressed. The button never has the focus.
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
