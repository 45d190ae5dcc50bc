package rooms

// EventKind is the kind of an [Event].
type EventKind uint8

// The kinds of an [Event].
const (
	// Changed: the state of the room has changed; see [Client.State]. Several changes may be one event.
	Changed EventKind = iota + 1
	// Signalled: Data has come from the member From.
	Signalled
	// Refused: the server refused a request; Err says why.
	Refused
	// Away: the connection to the server was lost, for the reason Err, and the client reconnects.
	Away
	// Back: the connection is restored.
	Back
	// Renewed: the STUN and TURN servers have new credentials; see [Client.ICE].
	Renewed
	// Closed: the client has ended, for the reason Err. It is the last event.
	Closed
)

// Event is something that has happened in a room, or to the connection.
type Event struct {
	Kind EventKind
	From uint32
	Data string
	Err  error
}

// maxEvents limits the queued events: enough for a burst of sixty signals from each of fifteen other members. When
// there are more, the oldest is dropped; if it is a signal, its sender repeats it.
const maxEvents = 1024

// inbox holds events until they are taken. Its owner has to lock it.
type inbox struct {
	events []Event
	notify chan struct{}
}

func (b *inbox) add(e Event) {
	if n := len(b.events); e.Kind == Changed && n > 0 && b.events[n-1].Kind == Changed {
		return
	}
	if len(b.events) >= maxEvents {
		b.events = b.events[1:]
	}
	b.events = append(b.events, e)
	select {
	case b.notify <- struct{}{}:
	default:
	}
}

func (b *inbox) take() (e Event, ok bool) {
	if len(b.events) == 0 {
		return e, false
	}
	e = b.events[0]
	b.events = b.events[1:]
	return e, true
}
