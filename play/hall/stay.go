package hall

import (
	"errors"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
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
	line  *line        // to a server without a room; nil in a room
	room  *online.Room // nil without one
	state rooms.State
	kept  string // the link stored by the machine
	names [tanks.MaxPlayers]string

	client  *clientView
	server  *hostedMatch // nil unless we are the host
	closing chan error   // of a house that is being left
	startAt time.Time    // when a start was requested
	failed  *foyer.Trouble
	absent  absence

	menu    menu
	notices foyer.Notices
	quality foyer.Quality
	time    float32
	gone    bool // we want to leave
	left    chan struct{}
}

// statusAway is the status of a member whose page is hidden.
const statusAway = "away"

func newVisit(a *app.App, from *connecting, f *found) *stay {
	v := &stay{app: a, cfg: from.cfg, retry: from.retry, room: f.room}
	v.client = newSeat(a, v.connect)
	v.client.restarted = v.restarted
	if v.room == nil {
		v.line = &line{cfg: &v.cfg, way: f}
		v.client.connect = v.line.connect
		return v
	}
	v.refresh()
	v.keep()
	if a.Away() {
		v.Away(a, true)
	}
	if v.isHost() {
		v.notices.Add(words.T("This is your match. Esc has the link for others."), 8)
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

// refresh reads the state of the room.
func (v *stay) refresh() {
	v.state = v.room.State()
	if !v.isHost() {
		v.call(online.ParseRoster(v.state.Settings))
	}
}

// call adopts the names of the players. After a match they stay, although the players leave.
func (v *stay) call(names [tanks.MaxPlayers]string) {
	if v.client.overAt.IsZero() {
		v.names = names
	}
}

// isHost reports whether the match is ours.
func (v *stay) isHost() bool { return v.room != nil && v.room.Me().Seat == 0 }

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

func (v *stay) Tick(a *app.App) app.Scene {
	v.client.held = 0
	now := time.Now()
	if v.failed == nil && v.client.client != nil {
		v.after(now, v.client.stage.Tick(a))
	}
	v.step(now)
	return v
}

func (v *stay) Away(_ *app.App, away bool) {
	if v.room == nil {
		return
	}
	status := ""
	if away {
		status = statusAway
	}
	_ = v.room.SetStatus(status) // it is remembered
}

func (v *stay) Picture(p *app.Picture) app.Scene {
	v.client.held = 0
	if !v.menu.on {
		v.client.held = p.HeldInTank(0, true)
	}
	now := time.Now()
	if v.failed == nil && v.client.begun {
		v.client.stage.Names = v.titles()
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
	err = v.client.after(now, err)
	var silent *tickback.ServerLostError
	switch {
	case err == nil && v.absent.lost && v.client.player() >= 0:
		v.absent.lost = false
		v.notices.Add(words.T("The server is there again."), 3)
	case err == nil:
	case v.room != nil && v.room.Err() == nil && (v.client.placed || v.stopped()) && (errors.As(err, &silent) || goodbye(err)):
		// The room reports when its owner is back.
		v.absent.lost, v.client.retryAt = true, now.Add(time.Second)
	default:
		v.fail(err)
	}
}

// goodbye reports whether the server has ended the match, possibly for another one.
func goodbye(err error) bool {
	var bye *tickback.ByeError
	return errors.As(err, &bye) && (bye.Reason == served.Closing || bye.Reason == "")
}

// step does what is due: it handles events of the room, owns its match if we are the host, and takes part in the
// match.
func (v *stay) step(now time.Time) {
	if v.room != nil {
		for e, ok := v.room.Receive(); ok; e, ok = v.room.Receive() {
			v.happened(e)
		}
	}
	if v.absent.over {
		resume(v, now)
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
		watch(v)
	}
}

// owner returns the member that owns the match.
func (v *stay) owner() (m rooms.Member, ok bool) { return v.state.At(0) }

// wanted reports whether there is a match in which we should be.
func (v *stay) wanted() bool {
	switch {
	case v.room == nil:
		return true
	case v.isHost():
		return v.server != nil && v.server.overAt.IsZero()
	case v.client.overAt.IsZero():
		return v.state.Match != 0 && !v.stopped()
	}
	return v.room.Started() // whether the next one has
}

// own does the host's part: it begins a match, and owns it.
func (v *stay) own(now time.Time) {
	if v.closing != nil {
		select {
		case <-v.closing:
			v.closing = nil
		default:
			return // one at a time
		}
	}
	switch {
	case v.server != nil:
		over, err := v.server.update(now)
		for _, text := range v.server.news {
			v.notices.Add(text, 4)
		}
		v.server.news = nil
		v.call(v.server.roster.Names())
		switch {
		case err != nil && !over:
			v.fail(err)
		case over && now.Sub(v.server.overAt) > nextMatch:
			v.next()
		}
	case v.room.Started():
		h, err := newHouse(v.app, v.room, &v.cfg)
		switch {
		case err == nil:
			v.server = h
		case !errors.Is(err, online.ErrBusy) && !errors.Is(err, online.ErrNoMatch):
			v.fail(err)
		}
	case v.room.Err() == nil && now.Sub(v.startAt) > startTime:
		v.startAt = now
		_ = v.room.Start() // a refusal is an event
	}
}

const (
	// startTime is how long to wait for a requested start before requesting it again.
	startTime = 3 * time.Second
	// nextMatch is how long after a match the next one begins automatically.
	nextMatch = 12 * time.Second
)

// next ends the match that is over, so that the next one begins.
func (v *stay) next() {
	if v.server == nil {
		return
	}
	v.client.retire()
	wait, done := v.server.leave(), make(chan error, 1)
	v.cfg.Fill = v.server.fill
	v.server, v.closing, v.startAt = nil, done, time.Time{}
	go func() {
		wait()
		done <- nil
	}()
}

// happened handles an event of the room.
func (v *stay) happened(e rooms.Event) {
	switch e.Kind {
	case rooms.Changed:
		v.refresh()
		v.keep()
	case rooms.Refused:
		if !errors.Is(e.Err, rooms.ErrNotReady) { // the start is requested again
			t := foyer.Explain(e.Err)
			v.notices.Add(t.Title+": "+t.What, 4)
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
		v.forget()
	} else if v.client.plays() {
		v.notices.Add(foyer.Explain(err).Title+". "+words.T("You can play this match to its end."), 8)
		return
	}
	v.fail(err)
}

// forget makes the machine forget our place, since we will not come back.
func (v *stay) forget() {
	if v.cfg.Machine.Keep != nil && v.room != nil {
		v.cfg.Machine.Keep("", "")
	}
}

// fail shows what went wrong.
func (v *stay) fail(err error) {
	if v.room != nil {
		err = v.room.Explain(err)
	}
	t := foyer.Explain(err)
	v.failed, v.absent = &t, absence{}
	v.menu.close()
	v.client.retire()
}

// leave gives up our place. It takes a moment, and happens in the background.
func (v *stay) leave() {
	v.forget()
	v.left = make(chan struct{})
	waits := []func(){v.client.leave()}
	if v.server != nil {
		waits = append(waits, v.server.leave())
	}
	line, room, closing := v.line, v.room, v.closing
	go func() {
		defer close(v.left)
		if closing != nil {
			<-closing
		}
		for _, wait := range waits {
			wait()
		}
		if line != nil {
			line.drop()
		}
		if room != nil {
			_ = room.Close()
		}
	}()
}

func (v *stay) Close() {
	if v.left == nil {
		v.leave()
	}
	<-v.left
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
	m, _ := v.owner()
	for _, p := range v.room.Peers() {
		if p.ID == m.ID && p.State == peers.Connected {
			return true
		}
	}
	return false
}
