package foyer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
	"github.com/tickback/tickback/session"
)

// Trouble explains to people what went wrong and what helps.
type Trouble struct {
	Title, What, Help string
	// Report is a file about it, or nil.
	Report []byte
}

// Text returns all of it in one line.
func (t *Trouble) Text() string { return t.Title + ": " + t.What + " " + t.Help }

// plain are the errors with fixed explanations.
var plain = []struct {
	err error
	Trouble
}{
	{rooms.ErrFull, Trouble{Title: "The room is full", What: "All seats and all places to watch are taken.", Help: "Ask the others to make room, or create a room of your own."}},
	{rooms.ErrSeatTaken, Trouble{Title: "The seat is taken", What: "Somebody else has this seat.", Help: "Take another one, or watch until it is free."}},
	{rooms.ErrGone, Trouble{Title: "The room is gone", What: "It has ended, or the link is not complete.", Help: "Ask for a new link, or create a room of your own."}},
	{rooms.ErrMember, Trouble{Title: "Your place is gone", What: "You were away for so long that it was given up.", Help: "Open the link again for a new place."}},
	{rooms.ErrRate, Trouble{Title: "Too much at once", What: "The server has heard too much from your network.", Help: "Wait a minute, and try again."}},
	{rooms.ErrServerFull, Trouble{Title: "The server is full", What: "It has no place for more.", Help: "Try again later."}},
	{rooms.ErrShutdown, Trouble{Title: "The server has shut down", What: "It ends all rooms, for an update perhaps.", Help: "Try again in a minute, and create a new room."}},
	{rooms.ErrExpired, Trouble{Title: "The room has ended", What: "It was too old, or nothing has happened in it for too long.", Help: "Create a new one."}},
	{rooms.ErrReplaced, Trouble{Title: "You are here in another page", What: "The same place was opened in another tab or window, which has it now.", Help: "Go on there, close this one; or try again to take it back."}},
	{rooms.ErrKicked, Trouble{Title: "You were sent away", What: "The host has taken you out of the room.", Help: "Join another room, or create one of your own."}},
	{rooms.ErrSlow, Trouble{Title: "The connection is too slow", What: "The server could not wait until its news were read.", Help: "Try again; your place is kept for two minutes."}},
	{rooms.ErrHost, Trouble{Title: "Only the host can do that", What: "The host is who has the first seat.", Help: "Ask the host."}},
	{rooms.ErrNotReady, Trouble{Title: "The match cannot begin", What: "One is played still, or the first seat is empty.", Help: "Wait a moment, and try again."}},
	{rooms.ErrBadMessage, Trouble{Title: "The server did not understand", What: "This page and the server are of different versions.", Help: "Load the page again."}},
	{context.DeadlineExceeded, Trouble{Title: "The server does not answer", What: "It has said nothing for too long.", Help: "Look at your connection, and try again."}},
	{webrtc.ErrUnsupported, Trouble{Title: "This browser cannot play online", What: "It has no WebRTC, or does not allow it.", Help: "Use another browser, or allow WebRTC in its settings."}},
	{online.ErrLink, Trouble{Title: "That is no link to a room", What: "A link looks like https://host/#room=...", Help: "Copy the whole link that you were sent, and paste it again."}},
}

// Explain explains an error of a room, or of a match in it.
func Explain(err error) Trouble {
	var mismatch *rooms.MismatchError
	var lost *online.PeerError
	switch {
	case errors.As(err, &mismatch):
		return explainMismatch(mismatch)
	case errors.As(err, &lost):
		return explainPeers(lost)
	case errors.Is(err, rooms.ErrGame):
		return Trouble{Title: "Not on this server", What: textOf(err) + ".", Help: "Choose another game, or another server."}
	case errors.Is(err, rooms.ErrUnreachable):
		return Trouble{Title: "The server cannot be reached", What: textOf(err) + ".", Help: "Look at your connection, and try again."}
	}
	for _, p := range plain {
		if errors.Is(err, p.err) {
			return p.Trouble
		}
	}
	if t, ok := explainServed(err); ok {
		return t
	}
	return explainMatch(err)
}

func explainMismatch(e *rooms.MismatchError) Trouble {
	return Trouble{
		Title: "Another version", What: fmt.Sprintf("The room plays %s %q, and you have %q.", e.Item, e.Rooms, e.Ours),
		Help: "Load the page again, and ask the host to do so.",
	}
}

// textOf returns the text of a server's error, as a sentence without a full stop.
func textOf(err error) string {
	var e *rooms.Error
	if errors.As(err, &e) && e.Text != "" {
		return strings.ToUpper(e.Text[:1]) + e.Text[1:]
	}
	return err.Error()
}

// explainPeers says which members we have no connection to, and why.
func explainPeers(e *online.PeerError) Trouble {
	t := Trouble{Title: "No connection to "}
	for i, p := range e.Peers {
		if i > 0 {
			t.Title += ", "
		}
		t.Title += Called(p.Member)
		switch p.Reason {
		case webrtc.Blocked:
			t.What = "A network between you lets no direct connection through, and there is no TURN server that could carry it."
			t.Help = "Try another network, such as a phone's; or ask who runs the server for a TURN server."
		case webrtc.Unsupported:
			t.What, t.Help = "WebRTC does not work here.", "Use another browser."
		case peers.Firewalled:
			t.What = "It answers by way of the room, and at none of its addresses: a firewall stands between you."
			t.Help = "Let this program through the firewalls of both machines, in and out; go back to the room, and try again."
		case webrtc.Gone:
			t.What, t.Help = "The connection was lost, and could not be made again.", "Look at your connection; go back to the room, and try again."
		default:
			t.What, t.Help = "The other page does not answer: it is closed, asleep, or offline.", "Ask whether it is still open; go back to the room, and try again."
		}
	}
	return t
}

// explainMatch explains how a match failed.
func explainMatch(err error) Trouble {
	var (
		lost    *session.LostError
		late    *session.TimeoutError
		quorum  *session.QuorumError
		removed *session.RemovedError
		join    *session.JoinError
		refused *session.RefusedError
		other   *session.MismatchError
		nobody  *tickback.HostsError
	)
	const back = "Go back to the room, and try again."
	switch {
	case errors.As(err, &other):
		return Trouble{Title: "Another version", What: fmt.Sprintf("The %s differs: you have %s, and the others %s.", other.Item, other.Ours, other.Theirs), Help: "Load the page again, and ask the others to do so."}
	case errors.As(err, &lost):
		return Trouble{Title: "The match has ended", What: "The others are gone: " + lost.Why + ".", Help: back}
	case errors.As(err, &late):
		return Trouble{Title: "Nobody came", What: fmt.Sprintf("Waited %v for %s.", late.After, late.For), Help: back}
	case errors.As(err, &quorum):
		return Trouble{Title: "Too few are left", What: "Most of the others are out of reach.", Help: "Look at your connection. " + back}
	case errors.As(err, &removed):
		return explainRemoved(removed)
	case errors.As(err, &join):
		return Trouble{Title: "The match cannot be joined", What: join.Error() + ".", Help: "Wait for the next one in the room."}
	case errors.As(err, &refused):
		return Trouble{Title: "The match was refused", What: refused.Reason + ".", Help: back}
	case errors.As(err, &nobody), errors.Is(err, online.ErrNobody):
		return Trouble{Title: "Nobody can be reached", What: "None of those who play lets us in.", Help: back}
	}
	return Trouble{Title: "That did not work", What: err.Error() + ".", Help: back}
}

// explainRemoved says who removed us from a match, and why.
func explainRemoved(e *session.RemovedError) Trouble {
	t := Trouble{Title: "You were sent away", What: "The host has taken you out of the match", Help: "Ask the host."}
	if !e.Kicked {
		t = Trouble{Title: "The others have gone on", What: "Too little was heard of you", Help: "Look at your connection, and join again."}
	}
	if e.Reason != "" {
		t.What += ": " + e.Reason
	}
	t.What += "."
	return t
}
