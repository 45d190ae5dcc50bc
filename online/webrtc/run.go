package webrtc

import (
	"slices"
	"time"
)

// beat is the interval at which the connections are checked.
const beat = 250 * time.Millisecond

// run manages the connections, until Close. Links are only used here.
func (t *Transport) run() {
	defer close(t.done)
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-t.mail.wake:
		case <-ticker.C:
		}
		for _, m := range t.mail.take() {
			if m.kind == forClose {
				t.end()
				return
			}
			t.read(m)
		}
		for _, l := range t.all() {
			l.look(time.Now())
		}
	}
}

// all returns the links. Only this goroutine changes their map.
func (t *Transport) all() []*link {
	list := make([]*link, 0, len(t.links))
	for _, l := range t.links {
		list = append(list, l)
	}
	return list
}

func (t *Transport) read(m letter) {
	switch m.kind {
	case forPeers:
		t.setPeers(m.peers)
	case forSignal:
		if l := t.links[AddrOf(m.from)]; l != nil {
			l.signalled(&m.message, time.Now())
		}
	case forServers:
		t.maker = m.maker
		for _, l := range t.all() {
			if l.dial != nil {
				l.dial.conn.serve(m.maker)
			}
		}
	default:
		if m.link.dial == m.dial { // otherwise the letter is about an earlier connection
			m.link.happened(&m, time.Now())
		}
	}
}

func (t *Transport) setPeers(ids []uint32) {
	for _, l := range t.all() {
		if !slices.Contains(ids, l.id) {
			t.remove(l)
		}
	}
	for _, id := range ids {
		if t.links[AddrOf(id)] == nil {
			t.insert(id)
		}
	}
}

func (t *Transport) insert(id uint32) {
	l := newLink(t, id, time.Now())
	t.mu.Lock()
	t.links[l.addr] = l
	t.mu.Unlock()
	l.look(time.Now())
}

func (t *Transport) remove(l *link) {
	t.mu.Lock()
	delete(t.links, l.addr)
	t.mu.Unlock()
	l.hangUp()
	t.queue.Leave(l.ring)
}

func (t *Transport) end() {
	for _, l := range t.all() {
		t.remove(l)
	}
	t.closing.Wait()
}

// closeLater closes a connection in the background, since it may take a moment.
func (t *Transport) closeLater(c connection) { t.closing.Go(c.close) }
