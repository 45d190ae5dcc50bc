package hall

import (
	"errors"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session/served"
)

// stay is our stay in a match that a server owns, or in a room with one match after another: as a guest, or as its
// host.
type stay struct {
	app   *app.App
	cfg   Config
	retry func(a *app.App) app.Scene
	line  *line        // the connection to a server without a room; nil in a room
	room  *online.Room // nil without one
	state rooms.State
	place foyer.Place // in the room
	names [tanks.MaxPlayers]string

	client  *clientView
	server  *hostedMatch  // nil unless we are the host
	closing foyer.Leaving // a match that we hosted
	start   foyer.Retry   // requests the start
	failed  *foyer.Trouble
	absent  absence

	menu    menu
	notices foyer.Notices
	quality foyer.Quality
	time    float32
	gone    bool          // we want to leave
	left    foyer.Leaving // our stay
}

func newStay(a *app.App, c Config, retry func(a *app.App) app.Scene, f found) *stay {
	v := &stay{app: a, cfg: c, retry: retry, room: f.room, place: foyer.NewPlace(&c.Machine)}
	connect := v.connect
	if v.room == nil {
		v.line = &line{cfg: &v.cfg, way: &f}
		connect = v.line.connect
	}
	v.client = newClientView(a, connect)
	if v.room == nil {
		return v
	}
	v.refresh()
	v.place.Keep(v.room)
	if a.Away() {
		v.Away(a, true)
	}
	if v.isHost() {
		v.notices.Add(words.T("This is your match. Esc has the link for others."), 8)
	}
	return v
}

// refresh reads the state of the room.
func (v *stay) refresh() {
	v.state = v.room.State()
	if !v.isHost() {
		v.call(online.ParseRoster(v.state.Settings))
	}
}

// call sets the names of the players. After a match they stay, although the players leave.
func (v *stay) call(names [tanks.MaxPlayers]string) {
	if v.client.overAt.IsZero() {
		v.names = names
	}
}

// isHost reports whether the match is ours.
func (v *stay) isHost() bool { return v.room != nil && v.room.Me().Seat == 0 }

// Name returns "hall", or "failed" while an error is shown; it is the mode in an [app.Status].
func (v *stay) Name() string {
	if v.failed != nil {
		return "failed"
	}
	return "hall"
}

// Labels returns the labels of the touch buttons.
func (v *stay) Labels() map[controls.Action]string { return app.TanksLabels }

// connect opens our client, in a room.
func (v *stay) connect(o options) (*client, error) {
	if v.isHost() {
		if v.server == nil {
			return nil, online.ErrNoMatch
		}
		return v.server.connect(o)
	}
	return online.Connect(v.room, tanks.Game(0), o)
}

// Tick continues without a picture, since others wait for us. Our tank gets no input meanwhile.
func (v *stay) Tick(a *app.App) app.Scene {
	v.client.hold(0)
	now := time.Now()
	if v.failed == nil && v.client.client != nil {
		v.after(now, v.client.stage.Tick(a))
	}
	v.step(now)
	return v
}

// Away sets our status in the room, for the others to see. Without a room it does nothing.
func (v *stay) Away(_ *app.App, away bool) {
	if v.room == nil {
		return
	}
	status := ""
	if away {
		status = foyer.StatusAway
	}
	_ = v.room.SetStatus(status) // it is remembered
}

// Picture samples our input, which is empty while the menu is open, runs what is due, and draws the match or the
// error.
func (v *stay) Picture(p *app.Picture) app.Scene {
	held := controls.Action(0)
	if !v.menu.On() {
		held = p.HeldInTank(0, true)
	}
	v.client.hold(held)
	now := time.Now()
	if v.failed == nil && v.client.begun {
		v.client.name(v.titles())
		v.after(now, v.client.stage.Advance(p))
	}
	v.step(now)
	next := app.Scene(v)
	if v.failed != nil {
		next = v.failure(p)
	} else {
		v.draw(p)
	}
	if v.gone {
		v.leave()
		return p.App.Title()
	}
	return next
}

// after handles the result of an update of our client.
func (v *stay) after(now time.Time, err error) {
	again, err := v.client.after(now, err)
	if again {
		v.restarted()
	}
	var silent *tickback.ServerLostError
	switch {
	case err == nil:
		if v.absent.back(v.client.player() >= 0) {
			v.notices.Add(words.T("The server is there again."), 3)
		}
	case v.room != nil && v.room.Err() == nil && (v.client.placed || v.stopped()) && (errors.As(err, &silent) || goodbye(err)):
		// The room reports when its owner is back.
		v.absent.lose()
		v.client.retryAt(now.Add(time.Second))
	default:
		v.fail(err)
	}
}

// goodbye reports whether the server has ended the match, possibly in order to begin another one.
func goodbye(err error) bool {
	var bye *tickback.ByeError
	return errors.As(err, &bye) && (bye.Reason == served.Closing || bye.Reason == "")
}

// step does what is due: it handles events of the room, runs the match if we are the host, and takes part in the
// match.
func (v *stay) step(now time.Time) {
	if v.room != nil {
		for e, ok := v.room.Receive(); ok; e, ok = v.room.Receive() {
			v.happened(e)
		}
	}
	m, there := v.owner()
	if v.absent.resumes(there) {
		v.failed = nil
		v.client.retryAt(now)
	}
	if v.failed != nil {
		return
	}
	if v.isHost() {
		v.own(now)
	}
	if err := v.client.follow(now, v.cfg.Build, v.wanted()); err != nil {
		v.fail(err)
	}
	if v.room != nil {
		if t := v.absent.watch(there, m.Connected); t != nil {
			v.failed = t
		}
	}
}

// owner returns the member that owns the match.
func (v *stay) owner() (m rooms.Member, ok bool) { return v.state.At(0) }

// wanted reports whether there is a match in which we should take part.
func (v *stay) wanted() bool {
	switch {
	case v.room == nil:
		return true
	case v.isHost():
		return v.server != nil && v.server.overAt.IsZero()
	case v.client.overAt.IsZero():
		return v.state.Match != 0 && !v.stopped()
	}
	return v.room.Started() // whether the next match has started
}

// own does the host's part: it begins a match, and runs its server.
func (v *stay) own(now time.Time) {
	switch {
	case !v.closing.Over(): // one match at a time
	case v.server != nil:
		over, err := v.server.update(now)
		for _, text := range v.server.takeNews() {
			v.notices.Add(text, 4)
		}
		v.call(v.server.roster.Names())
		switch {
		case err != nil && !over:
			v.fail(err)
		case over && now.Sub(v.server.overAt) > nextMatch:
			v.next()
		}
	case v.room.Started():
		h, err := newHostedMatch(v.app, v.room, &v.cfg)
		switch {
		case err == nil:
			v.server = h
		case !errors.Is(err, online.ErrBusy) && !errors.Is(err, online.ErrNoMatch):
			v.fail(err)
		}
	case v.room.Err() == nil && v.start.Due(now):
		v.start.At(now.Add(foyer.StartTime))
		_ = v.room.Start() // a refusal is an event
	}
}

// nextMatch is how long after a match the next one begins automatically.
const nextMatch = 12 * time.Second

// next cleans up after a match, so that the next one can begin.
func (v *stay) next() {
	if v.server == nil {
		return
	}
	v.client.retire()
	v.cfg.Fill = v.server.fill
	v.closing.Start(v.server.leave())
	v.server, v.start = nil, foyer.Retry{}
}

// happened handles an event of the room.
func (v *stay) happened(e rooms.Event) {
	switch e.Kind {
	case rooms.Changed:
		v.refresh()
		v.place.Keep(v.room)
	case rooms.Refused:
		if !errors.Is(e.Err, rooms.ErrNotReady) { // the start is requested again
			v.notices.Refused(foyer.Explain(e.Err))
		}
	case rooms.Away:
		v.notices.Add(words.T("The server is out of reach. The match goes on without it."), 5)
	case rooms.Back:
		v.notices.Add(words.T("The server is there again."), 3)
	case rooms.Closed:
		v.closed(e.Err)
	}
}

// closed handles the end of the connection to the server of rooms. A running match continues.
func (v *stay) closed(err error) {
	if errors.Is(err, rooms.ErrReplaced) || errors.Is(err, rooms.ErrKicked) {
		v.place.Forget()
	} else if v.client.plays() {
		v.notices.PlayOn(foyer.Explain(err))
		return
	}
	v.fail(err)
}

// fail shows what went wrong.
func (v *stay) fail(err error) {
	if v.room != nil {
		err = v.room.Explain(err)
	}
	t := foyer.Explain(err)
	v.failed, v.absent = &t, absence{}
	v.menu.Close()
	v.app.Uncover()
	v.client.retire()
}

// leave gives up our place. This takes a moment, and happens in the background.
func (v *stay) leave() {
	if v.room != nil {
		v.place.Forget()
	}
	v.client.retire()
	if v.server != nil {
		v.closing.Start(v.server.leave())
	}
	line, room, closing, client := v.line, v.room, v.closing.Done(), v.client.closing.Done()
	v.left.Start(func() {
		<-client
		<-closing
		if line != nil {
			line.drop()
		}
		if room != nil {
			_ = room.Close()
		}
	})
}

// Close gives up our place, unless that has begun already, and waits until the match and the room are closed.
func (v *stay) Close() {
	if !v.left.Started() {
		v.leave()
	}
	<-v.left.Done()
}

// failure shows what went wrong.
func (v *stay) failure(p *app.Picture) app.Scene {
	switch pressed := v.failed.Draw(p, words.T("Try again"), words.T("Back"), words.T("To the title")); {
	case pressed == 0:
		v.leave()
		return v.retry(p.App)
	case pressed == 1:
		v.leave()
		return newSetup(p.App, v.cfg)
	case pressed == 2 || p.UI.Back():
		v.leave()
		return p.App.Title()
	}
	return v
}

// linked reports whether there is a connection to the owner of the match.
func (v *stay) linked() bool {
	m, there := v.owner()
	return there && foyer.Connection(v.room, m) == foyer.Connected
}
