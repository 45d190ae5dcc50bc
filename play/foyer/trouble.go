package foyer

import (
	"context"
	"errors"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session"
)

// Trouble explains to people what went wrong and what helps.
type Trouble struct {
	Title, What, Help string
	// Report is a file about the problem, or nil.
	Report []byte
}

// Text returns the explanation in one line.
func (t *Trouble) Text() string { return t.Title + ": " + t.What + " " + t.Help }

// Own returns the explanation in the current language; its texts must be marked by words.K.
func (t Trouble) Own() Trouble {
	t.Title, t.What, t.Help = words.T(t.Title), words.T(t.What), words.T(t.Help)
	return t
}

// plain are the errors with fixed explanations.
var plain = []struct {
	err error
	Trouble
}{
	{rooms.ErrFull, Trouble{Title: words.K("The room is full"), What: words.K("All seats and all places to watch are taken."), Help: words.K("Ask the others to make room, or create a room of your own.")}},
	{rooms.ErrSeatTaken, Trouble{Title: words.K("The seat is taken"), What: words.K("Somebody else has this seat."), Help: words.K("Take another one, or watch until it is free.")}},
	{rooms.ErrGone, Trouble{Title: words.K("The room is gone"), What: words.K("It has ended, or the link is not complete."), Help: words.K("Ask for a new link, or create a room of your own.")}},
	{rooms.ErrMember, Trouble{Title: words.K("Your place is gone"), What: words.K("You were away for so long that it was given up."), Help: words.K("Open the link again for a new place.")}},
	{rooms.ErrRate, Trouble{Title: words.K("Too much at once"), What: words.K("The server has heard too much from your network."), Help: words.K("Wait a minute, and try again.")}},
	{rooms.ErrServerFull, Trouble{Title: words.K("The server is full"), What: words.K("It has no place for more."), Help: words.K("Try again later.")}},
	{rooms.ErrShutdown, Trouble{Title: words.K("The server has shut down"), What: words.K("It ends all rooms, for an update perhaps."), Help: words.K("Try again in a minute, and create a new room.")}},
	{rooms.ErrExpired, Trouble{Title: words.K("The room has ended"), What: words.K("It was too old, or nothing has happened in it for too long."), Help: words.K("Create a new one.")}},
	{rooms.ErrReplaced, Trouble{Title: words.K("You are here in another page"), What: words.K("The same place was opened in another tab or window, which has it now."), Help: words.K("Go on there, close this one; or try again to take it back.")}},
	{rooms.ErrKicked, Trouble{Title: words.K("You were sent away"), What: words.K("The host has taken you out of the room."), Help: words.K("Join another room, or create one of your own.")}},
	{rooms.ErrSlow, Trouble{Title: words.K("The connection is too slow"), What: words.K("The server could not wait until its news were read."), Help: words.K("Try again; your place is kept for two minutes.")}},
	{rooms.ErrHost, Trouble{Title: words.K("Only the host can do that"), What: words.K("The host is who has the first seat."), Help: words.K("Ask the host.")}},
	{rooms.ErrNotReady, Trouble{Title: words.K("The match cannot begin"), What: words.K("One is played still, or the first seat is empty."), Help: words.K("Wait a moment, and try again.")}},
	{rooms.ErrBadMessage, Trouble{Title: words.K("The server did not understand"), What: words.K("This page and the server are of different versions."), Help: words.K("Load the page again.")}},
	{context.DeadlineExceeded, Trouble{Title: words.K("The server does not answer"), What: words.K("It has said nothing for too long."), Help: words.K("Look at your connection, and try again.")}},
	{webrtc.ErrUnsupported, Trouble{Title: words.K("This browser cannot play online"), What: words.K("It has no WebRTC, or does not allow it."), Help: words.K("Use another browser, or allow WebRTC in its settings.")}},
	{online.ErrLink, Trouble{Title: words.K("That is no link to a room"), What: words.K("A link looks like https://host/#room=..."), Help: words.K("Copy the whole link that you were sent, and paste it again.")}},
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
		return Trouble{Title: words.T("Not on this server"), What: textOf(err) + ".", Help: words.T("Choose another game, or another server.")}
	case errors.Is(err, rooms.ErrUnreachable):
		return Trouble{Title: words.T("The server cannot be reached"), What: textOf(err) + ".", Help: words.T("Look at your connection, and try again.")}
	}
	for _, p := range plain {
		if errors.Is(err, p.err) {
			return p.Own()
		}
	}
	if t, ok := explainServed(err); ok {
		return t
	}
	return explainMatch(err)
}

func explainMismatch(e *rooms.MismatchError) Trouble {
	return Trouble{
		Title: words.T("Another version"), What: words.F("The room plays %s %q, and you have %q.", e.Item, e.Rooms, e.Ours),
		Help: words.T("Load the page again, and ask the host to do so."),
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

// explainPeers explains to which members there is no connection, and why.
func explainPeers(e *online.PeerError) Trouble {
	t := Trouble{}
	var names []string
	for _, p := range e.Peers {
		names = append(names, Called(p.Member))
		switch p.Reason {
		case webrtc.Blocked:
			t.What = words.T("A network between you lets no direct connection through, and there is no TURN server that could carry it.")
			t.Help = words.T("Try another network, such as a phone's; or ask who runs the server for a TURN server.")
		case webrtc.Unsupported:
			t.What, t.Help = words.T("WebRTC does not work here."), words.T("Use another browser.")
		case peers.Firewalled:
			t.What = words.T("It answers by way of the room, and at none of its addresses: a firewall stands between you.")
			t.Help = words.T("Let this program through the firewalls of both machines, in and out; go back to the room, and try again.")
		case webrtc.Gone:
			t.What, t.Help = words.T("The connection was lost, and could not be made again."), words.T("Look at your connection; go back to the room, and try again.")
		default:
			t.What, t.Help = words.T("The other page does not answer: it is closed, asleep, or offline."), words.T("Ask whether it is still open; go back to the room, and try again.")
		}
	}
	t.Title = words.F("No connection to %s", strings.Join(names, ", "))
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
	back := words.T("Go back to the room, and try again.")
	switch {
	case errors.As(err, &other):
		return Trouble{Title: words.T("Another version"), What: words.F("The %s differs: you have %s, and the others %s.", other.Item, other.Ours, other.Theirs), Help: words.T("Load the page again, and ask the others to do so.")}
	case errors.As(err, &lost) && lost.Restarted != 0:
		return Trouble{Title: words.T("The match has ended"), What: words.T("The game of another player was started again, and has forgotten the match."), Help: back}
	case errors.As(err, &lost):
		return Trouble{Title: words.T("The match has ended"), What: words.F("The others are gone: %s.", lost.Why), Help: back}
	case errors.As(err, &late):
		return Trouble{Title: words.T("Nobody came"), What: words.F("Waited %v for %s.", late.After, late.For), Help: back}
	case errors.As(err, &quorum):
		return Trouble{Title: words.T("Too few are left"), What: words.T("Most of the others are out of reach."), Help: words.T("Look at your connection. Go back to the room, and try again.")}
	case errors.As(err, &removed):
		return explainRemoved(removed)
	case errors.As(err, &join):
		return Trouble{Title: words.T("The match cannot be joined"), What: join.Error() + ".", Help: words.T("Wait for the next one in the room.")}
	case errors.As(err, &refused):
		return Trouble{Title: words.T("The match was refused"), What: refused.Reason + ".", Help: back}
	case errors.As(err, &nobody), errors.Is(err, online.ErrNobody):
		return Trouble{Title: words.T("Nobody can be reached"), What: words.T("None of those who play lets us in."), Help: back}
	}
	return Trouble{Title: words.T("That did not work"), What: err.Error() + ".", Help: back}
}

// explainRemoved explains who removed us from a match, and why.
func explainRemoved(e *session.RemovedError) Trouble {
	t := Trouble{Title: words.T("You were sent away"), What: words.T("The host has taken you out of the match"), Help: words.T("Ask the host.")}
	if !e.Kicked {
		t = Trouble{Title: words.T("The others have gone on"), What: words.T("Too little was heard of you"), Help: words.T("Look at your connection, and join again.")}
	}
	if e.Reason != "" {
		t.What += ": " + e.Reason
	}
	t.What += "."
	return t
}
