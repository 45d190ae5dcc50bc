package netplay

import (
	"errors"
	"io"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/words"
)

// stay is our stay in a room, with all matches that are played during it.
type stay struct {
	roomMembers
	app   *app.App
	cfg   Config
	kind  *kind  // of the room's game
	terms terms  // as the host has decided
	kept  string // the link stored by the machine

	bout    bout
	closing chan error    // of a match that is being left; nil if there is none
	score   contest.Score // before the shown match
	overAt  time.Time     // when the shown match was over; zero before
	retired bool          // it was left, but its last picture is shown
	begun   bool          // it has run here
	again   bool          // the match continues without us, and we will join it
	retryAt time.Time
	tries   int
	report  *tickback.DesyncReport
	failed  *foyer.Trouble

	startAt  time.Time // when a start was requested
	quality  foyer.Quality
	held     controls.Action
	series   uint64 // of the rounds of a duel, for recordings
	menu     menu
	lobby    lobby
	kicks    []kick
	notices  foyer.Notices
	unserved bool // the server is out of reach
	others   others
	watches  bool          // we want no seat
	gone     bool          // we want to leave the room
	left     chan struct{} // closed once we have left; nil before
}

// newVisit returns a stay in a room, which it takes over.
func newVisit(a *app.App, cfg Config, r *online.Room, k *kind) *stay {
	v := &stay{roomMembers: roomMembers{room: r}, app: a, cfg: cfg, kind: k, watches: cfg.Watch}
	v.refresh()
	welcome(v)
	v.keep()
	if a.Away() {
		v.Away(a, true)
	}
	return v
}

// keep stores where we are.
func (v *stay) keep() {
	if link, ticket := v.room.Link(), v.room.Ticket(); v.cfg.Machine.Keep != nil && v.kept != link+ticket {
		v.kept = link + ticket
		v.cfg.Machine.Keep(link, ticket)
	}
}

// forget makes the machine forget our place, since we will not come back.
func (v *stay) forget() {
	if v.cfg.Machine.Keep != nil {
		v.cfg.Machine.Keep("", "")
	}
}

// refresh reads the state of the room.
func (v *stay) refresh() {
	v.meet(v.room.State(), v.kind.most)
	v.terms = parse(v.kind, v.state.Settings)
}

func (v *stay) Name() string {
	switch {
	case v.failed != nil:
		return "failed"
	case v.bout != nil:
		return "match"
	}
	return "room"
}

// Labels returns the labels of the touch buttons.
func (v *stay) Labels() map[controls.Action]string {
	return v.kind.labels
}

// OwnKeys says that keys do not move the focus of menus while units are commanded.
func (v *stay) OwnKeys() bool { return commander(v) != nil && !v.menu.on && v.failed == nil }

func (v *stay) Away(_ *app.App, away bool) {
	text := ""
	if v.others.asked {
		text = statusAgain
	}
	if away {
		text = statusAway
		v.held = 0
	}
	_ = v.room.SetStatus(text) // it is sent later, unless the room has ended
}

// statusAway is our status while we are away.
const statusAway = "away"

// statusAgain is the status of a guest who asks for a rematch.
const statusAgain = "rematch"

// Tick continues without a picture, since others wait for our inputs. There are none while we are away, and those of
// the last picture while pictures are slow.
func (v *stay) Tick(a *app.App) app.Scene {
	if a.Away() {
		v.held = 0
	}
	if v.bout != nil && v.failed == nil {
		v.after(v.bout.tick(a))
	}
	v.step(time.Now())
	return v
}

func (v *stay) Picture(p *app.Picture) app.Scene {
	v.held = 0
	if !v.menu.on {
		v.held = p.Held(0, true)
	}
	if v.bout != nil && v.failed == nil {
		commands(v, p)
		v.after(v.bout.advance(p))
	}
	v.step(time.Now())
	switch {
	case v.failed != nil:
		return v.failure(p)
	case v.bout != nil:
		v.drawMatch(p)
	default:
		v.drawRoom(p)
	}
	if v.gone {
		v.leave()
		return p.App.Title()
	}
	return v
}

// step does what is due in the room: it handles events, plays or watches the room's match, and does the host's part
// if we are the host.
func (v *stay) step(now time.Time) {
	for e, ok := v.room.Receive(); ok; e, ok = v.room.Receive() {
		v.happened(e)
	}
	v.finishKicks(now)
	if v.failed != nil {
		return
	}
	v.follow(now)
	v.takeSeat()
	v.lead(now)
}

// happened handles an event of the room.
func (v *stay) happened(e rooms.Event) {
	switch e.Kind {
	case rooms.Changed:
		before := v.state
		v.refresh()
		seated(v, before)
		v.keep()
	case rooms.Refused:
		t := v.cfg.explain(e.Err)
		v.notices.Add(t.Title+": "+t.What, 4)
		v.startAt = time.Time{}
	case rooms.Away:
		v.unserved = true
		v.notices.Add(words.T(v.cfg.way.says().lost), 5)
	case rooms.Back:
		v.unserved = false
		v.notices.Add(words.T(v.cfg.way.says().found), 3)
	case rooms.Closed:
		v.closed(e.Err)
	}
}

// closed handles the end of the connection to the server. A running match continues.
func (v *stay) closed(err error) {
	switch {
	case errors.Is(err, rooms.ErrReplaced):
		v.drop() // the other page plays
	case errors.Is(err, rooms.ErrKicked):
		v.drop() // the others no longer play with us
		v.forget()
	}
	if v.bout != nil && v.overAt.IsZero() {
		v.notices.Add(v.cfg.explain(err).Title+". "+words.T("You can play this match to its end."), 8)
		return
	}
	v.fail(err)
}

// takeSeat gives a seat to a spectator who wants to play, when one is free and no match is running. It leaves the
// first one to the leader, so that nobody who has just come becomes the host of others.
func (v *stay) takeSeat() {
	if v.watches || v.room.Me().Seat != rooms.NoSeat || v.state.Match != 0 || v.bout != nil && !v.retired || !v.free() {
		return
	}
	now := time.Now()
	if _, taken := v.state.At(0); !taken && v.state.Host != 0 || now.Before(v.lobby.sitAt) {
		return
	}
	v.lobby.sitAt = now.Add(2 * time.Second)
	_ = v.room.TakeSeat(nil) // a refusal is an event
}

// leave gives up our place. It may take seconds, and runs in the background.
func (v *stay) leave() {
	v.forget()
	v.retire()
	closing, room := v.closing, v.room
	for _, k := range v.kicks {
		_ = room.Kick(k.id) // the next leader may decide otherwise
	}
	v.left = make(chan struct{})
	go func() {
		defer close(v.left)
		if closing != nil {
			<-closing
		}
		_ = room.Close()
		v.cfg.way.left(room)
	}()
}

func (v *stay) Close() {
	if v.left == nil {
		v.leave()
	}
	<-v.left
}

// record records the match that begins, with the match's own method.
func (v *stay) record(begin func(io.Writer, tickback.RecordOptions) error) {
	about := recordings.About("online", recorded(v))
	if v.kind.id == duelID {
		if v.terms.Round == 0 {
			v.series = v.app.NewSeries()
		}
		about.InSeries(v.series, v.terms.Round+1)
	}
	tape, o := v.app.Record(about)
	if err := begin(tape, o); err != nil {
		tape.Drop()
		v.notices.Add(words.F("This match is not recorded: %v", err), 4)
	}
}
