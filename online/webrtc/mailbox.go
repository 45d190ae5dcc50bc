package webrtc

import "sync"

// letterKind is the kind of a letter.
type letterKind uint8

const (
	forPeers letterKind = iota + 1
	forSignal
	forPath      // the state of a connection's path has changed
	forChannel   // its data channel has opened or closed
	forCandidate // it has a new candidate
	forServers   // the servers have changed
	forClose
)

// letter is a message to the goroutine that manages the connections.
type letter struct {
	kind    letterKind
	peers   []uint32
	from    uint32
	message message
	maker   *maker

	link      *link
	dial      *dial
	path      pathState
	open      bool
	candidate candidate
}

// maxMail is the maximum number of letters: enough for several attempts of all peers at once, with their candidates.
// Beyond that, signals are dropped, and their senders repeat them; there are few other letters for each connection.
const maxMail = 4096

// mailbox holds letters until they are read. It is not a channel because callbacks must not block.
type mailbox struct {
	mu   sync.Mutex
	list []letter
	wake chan struct{}
}

// newMailbox makes an empty mailbox. A wake-up is kept until a goroutine waits for it.
func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

func (m *mailbox) add(l letter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.list) >= maxMail && (l.kind == forSignal || l.kind == forCandidate) {
		return
	}
	m.list = append(m.list, l)
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take returns all letters, the oldest first.
func (m *mailbox) take() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.list
	m.list = nil
	return list
}
