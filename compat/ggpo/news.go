package ggpo

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback"
)

// news has what the game is to be told.
type news struct {
	list    []Event
	running bool               // the match has begun
	gone    tickback.PlayerSet // those whose end has been told
	why     error              // why the session is over
	syncAt  int                // the frame of the next EventCodeTimeSync
	host    error              // why a spectator's host is gone
	skipped int                // how often the callback AdvanceFrame did not advance
}

func (n *news) add(e Event) { n.list = append(n.list, e) }

// notAdvanced notes that the callback AdvanceFrame has returned early.
func (n *news) notAdvanced(frame int) {
	n.skipped++
	n.add(Event{Code: EventCodeFrameNotAdvanced, NumFrameOfDesync: frame, Count: n.skipped, Text: "the callback AdvanceFrame returned without calling AdvanceFrame of the Backend"})
}

// timeSync notes how far this machine is ahead, if that is due.
func (n *news) timeSync(b *backend) {
	if b.mode != peerMode || len(b.places) == 0 || b.newest < n.syncAt {
		return
	}
	n.syncAt = b.newest + RecommendationInterval
	if b.newest == 0 {
		return
	}
	s, most := b.session.Stats(), float32(0)
	for i := range s.Links {
		if a := ahead(&s.Links[i], s.Nominal); a*a > most*most {
			most = a
		}
	}
	n.add(Event{Code: EventCodeTimeSync, FramesAhead: most, TimeSyncPeriodInFrames: RecommendationInterval})
}

// lose notes that players are gone, unless that is known.
func (n *news) lose(b *backend, players tickback.PlayerSet, why string, err error) {
	for p := range (players &^ n.gone &^ b.local).All() {
		if int(p) < b.numPlayers {
			n.gone |= tickback.SetOf(p)
			n.add(Event{Code: EventCodeDisconnectedFromPeer, Player: b.handle(p), Text: why, Err: err})
		}
	}
}

// take translates an event of the session.
func (n *news) take(b *backend, e *tickback.Event) {
	switch e.What {
	case tickback.Connected:
		players := e.Players
		if b.mode == spectatorMode {
			n.host = nil
			n.add(Event{Code: EventCodeConnectedToPeer, Text: e.Text})
			n.add(Event{Code: EventCodeSynchronizingWithPeer, Count: 1, Total: 1})
		}
		for p := range players.All() {
			n.add(Event{Code: EventCodeConnectedToPeer, Player: b.handle(p)})
			n.add(Event{Code: EventCodeSynchronizingWithPeer, Player: b.handle(p), Count: 1, Total: 1})
		}
	case tickback.Started:
		b.news.running = true
		if b.mode == spectatorMode {
			n.add(Event{Code: EventCodeSynchronizedWithPeer})
		}
		for _, place := range b.places {
			for p := range place.Players.All() {
				n.add(Event{Code: EventCodeSynchronizedWithPeer, Player: b.handle(p)})
			}
		}
		n.add(Event{Code: EventCodeRunning})
	case tickback.Silent:
		for p := range e.Players.All() {
			left := b.dropAfter() - e.For
			n.add(Event{Code: EventCodeConnectionInterrupted, Player: b.handle(p), DisconnectTimeout: max(0, int(left.Milliseconds()))})
		}
	case tickback.Heard:
		for p := range e.Players.All() {
			n.add(Event{Code: EventCodeConnectionResumed, Player: b.handle(p)})
		}
	case tickback.Left, tickback.Lost, tickback.Dropped:
		switch {
		case b.mode == peerMode:
			n.lose(b, e.Players, e.Text, nil)
		case e.Players == 0:
			n.host = errors.New("the host is gone: " + e.Text)
		}
	case tickback.Desync:
		n.add(Event{
			Code: EventCodeDesync, Player: b.first(e.Players), NumFrameOfDesync: int(e.Frame),
			LocalChecksum: int(e.Ours), RemoteChecksum: int(e.Theirs), Text: e.Text,
		})
	case tickback.Reported:
		report := Event{Code: EventCodeDesyncReport, Text: e.Text}
		if b.match != nil {
			if report.Report = b.match.DesyncReport(); report.Report != nil {
				report.NumFrameOfDesync = int(report.Report.State)
			}
		}
		n.add(report)
	case tickback.SpectatorJoined:
		n.add(Event{Code: EventCodeSpectatorJoined, Text: e.Text})
	case tickback.SpectatorLeft:
		n.add(Event{Code: EventCodeSpectatorLeft, Text: e.Text})
	}
}

// end notes that the session is over.
func (n *news) end(b *backend, why error) {
	if n.why != nil {
		return
	}
	switch b.mode {
	case syncTestMode:
		e := Event{Code: EventCodeSyncTestDesync, CurrentState: b.newest, Err: why, Text: why.Error()}
		var wrong *tickback.SyncTestError
		if errors.As(why, &wrong) {
			e.NumFrameOfDesync, e.LastVerified = int(wrong.Frame), int(wrong.Frame)-1
		}
		if b.fault != nil && !errors.Is(why, b.fault) {
			why = fmt.Errorf("%w; %w", b.fault, why)
			e.Err, e.Text = why, why.Error()
		}
		n.why = why
		n.add(e)
	case spectatorMode:
		n.why = why
		n.add(Event{Code: EventCodeDisconnectedFromPeer, Text: fromOne(why), Err: why})
	default:
		n.why = why
		n.lose(b, ^b.local, fromOne(why), why)
	}
}

// tell tells the game what has happened. If the game has left or closed the session meanwhile, the rest is forgotten.
func (b *backend) tell() {
	if b.closed || b.broken {
		return
	}
	n := &b.news
	for _, e := range b.session.Events() {
		if n.why == nil { // otherwise the match is over for the game, whatever its session does
			n.take(b, &e)
		}
	}
	if b.turnErr != nil {
		n.end(b, b.turnErr)
	}
	if len(n.list) == 0 {
		return
	}
	back := b.where // outside, or a spectator's first frame is open
	defer func() {
		n.list = n.list[:0]
		if b.where = back; b.closed {
			b.where = outside
		}
	}()
	b.where = inCall
	for i := 0; i < len(n.list) && !b.closed; i++ {
		e := n.list[i]
		b.cb.OnEvent(&e)
	}
}
