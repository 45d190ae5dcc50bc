package netplay

import (
	"errors"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// stay is our stay in a room, with all matches that are played during it. Its parts decide; it tells them what has
// happened, and does what follows.
type stay struct {
	app   *app.App
	cfg   Config
	place foyer.Place // in the room

	room    roomInfo
	match   current
	others  others
	news    news
	entry   entry
	seating seating
	kicks   kicks
	start   foyer.Retry // when a start may be requested
	lobby   lobby
	view    matchView

	failed *foyer.Trouble
	asked  bool          // we have asked the others for a rematch
	gone   bool          // we want to leave the room
	left   foyer.Leaving // the room
}

// newStay returns a stay in a room, which it takes over.
func newStay(a *app.App, cfg Config, r *online.Room, k *kind) *stay {
	v := &stay{
		app: a, cfg: cfg, place: foyer.NewPlace(&cfg.Machine),
		room: roomInfo{room: r, kind: k, frames: cfg.Frames}, seating: seating{watches: cfg.Watch},
	}
	v.news = news{room: &v.room, match: &v.match, others: &v.others, says: cfg.way.says(), slowed: cfg.slowed}
	v.lobby = lobby{room: &v.room, machine: &v.cfg.Machine, way: cfg.way, kicks: &v.kicks}
	v.view = matchView{room: &v.room, match: &v.match, others: &v.others, news: &v.news, lobby: &v.lobby}
	v.room.refresh()
	v.news.welcome(r.Lost())
	v.seated(v.room.state)
	v.place.Keep(r)
	if a.Away() {
		v.Away(a, true)
	}
	return v
}

// Name returns "failed" while an error is shown, or else "match" or "room"; it is the mode in an [app.Status].
func (v *stay) Name() string {
	switch {
	case v.failed != nil:
		return "failed"
	case v.match.bout != nil:
		return "match"
	}
	return "room"
}

// Labels returns the labels of the touch buttons.
func (v *stay) Labels() map[controls.Action]string { return v.room.kind.labels }

// OwnKeys says that keys do not move the focus of menus while units are commanded.
func (v *stay) OwnKeys() bool {
	return v.match.commander() != nil && !v.view.menu.On() && v.failed == nil
}

// Away sets our status in the room, for the others to see, and empties our input. Once we are back, the status
// says again whether we ask for a rematch.
func (v *stay) Away(_ *app.App, away bool) {
	text := ""
	if v.asked {
		text = foyer.StatusAgain
	}
	if away {
		text = foyer.StatusAway
		v.hold(0)
	}
	_ = v.room.room.SetStatus(text) // it is sent later, unless the room has ended
}

// hold sets what our player holds in the match.
func (v *stay) hold(held controls.Action) {
	if v.match.bout != nil {
		v.match.bout.hold(held)
	}
}

// Report adds the room with its members, the score, and what is shown about the match or an error.
func (v *stay) Report(s *app.Status) {
	s.Room, s.Players, s.Seat = v.room.room.Link(), v.room.state.Seats, v.room.room.Me().Seat
	if m, ok := v.match.bout.(*match[skirmish.World, skirmish.Input]); ok {
		m.stage.(*app.SkirmishStage).Report(s)
	}
	if v.failed != nil {
		s.Message = v.failed.Text()
	}
	s.Banner = v.news.lasting(time.Now())
	score := v.match.standing()
	s.Wins, s.Rounds = score.Wins, score.Round
	s.Members = foyer.Report(v.room.room, v.room.state.Members)
}

// Tick continues without a picture, since others wait for our inputs. While we are away our inputs are empty, and
// while pictures are slow they are those of the last picture.
func (v *stay) Tick(a *app.App) app.Scene {
	if a.Away() {
		v.hold(0)
	}
	now := time.Now()
	if v.match.bout != nil && v.failed == nil {
		v.after(v.match.bout.tick(a), now)
	}
	v.step(now)
	return v
}

// Picture samples our input, which is empty while the menu is open, runs what is due, and draws the match, the
// room or the error.
func (v *stay) Picture(p *app.Picture) app.Scene {
	now, held := time.Now(), controls.Action(0)
	if !v.view.menu.On() {
		held = p.Held(0, true)
	}
	v.hold(held)
	if v.match.bout != nil && v.failed == nil {
		if s := v.match.commander(); s != nil && !v.view.menu.On() {
			commands(s, p)
		}
		v.after(v.match.bout.advance(p), now)
	}
	v.step(now)
	switch {
	case v.failed != nil:
		return v.failure(p)
	case v.match.bout != nil:
		v.do(v.view.draw(p, v.seating.watches, v.asked), now)
	default:
		w := v.lobby.draw(p, v.entry.again)
		v.news.Advance(p.DT)
		v.news.Draw(p, 24, "")
		v.do(w, now)
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
	r := v.room.room
	for e, ok := r.Receive(); ok; e, ok = r.Receive() {
		v.happened(e)
	}
	here := func(id uint32) bool {
		_, here := v.room.state.Member(id)
		return here
	}
	for _, id := range v.kicks.due(now, r.IsHost() && r.Err() == nil, here) {
		_ = r.Kick(id) // a refusal is an event
	}
	if v.failed != nil {
		return
	}
	v.follow(now)
	v.sit(now)
	v.lead(now)
}

// happened handles an event of the room.
func (v *stay) happened(e rooms.Event) {
	switch e.Kind {
	case rooms.Changed:
		v.seated(v.room.refresh())
		v.place.Keep(v.room.room)
	case rooms.Refused:
		v.news.Refused(v.cfg.explain(e.Err))
		v.start = foyer.Retry{}
	case rooms.Away:
		v.room.reach(true)
		v.news.Add(words.T(v.cfg.way.says().lost), 5)
	case rooms.Back:
		v.room.reach(false)
		v.news.Add(words.T(v.cfg.way.says().found), 3)
	case rooms.Closed:
		v.closed(e.Err)
	}
}

// closed handles the end of the connection to the server. A running match continues.
func (v *stay) closed(err error) {
	switch {
	case errors.Is(err, rooms.ErrReplaced):
		v.drop() // we play in the other page now
	case errors.Is(err, rooms.ErrKicked):
		v.drop() // the others no longer play with us
		v.place.Forget()
	}
	if v.match.bout != nil && !v.match.over() {
		v.news.PlayOn(v.cfg.explain(err))
		return
	}
	v.fail(err)
}

// seated handles changes of seats in the room: of our own, and of those of absent players.
func (v *stay) seated(before rooms.State) {
	me, here := v.room.state.Member(v.room.room.Me().ID)
	was, _ := before.Member(me.ID)
	v.news.place(me)
	watches := me.Seat == rooms.NoSeat
	if here && v.plays() && watches != (was.Seat == rooms.NoSeat) && watches == (v.match.player() != nil) {
		v.drop() // a watched match is joined now, or the other way round
		v.entry.join()
	}
	v.reportAbsent()
}

// plays reports whether the match of the room is running here.
func (v *stay) plays() bool { return v.match.undecided() && !v.room.room.Started() }

// reportAbsent makes the host report to the room which members have left both the match and the server: the room
// cannot find out by itself, since matches continue without it.
func (v *stay) reportAbsent() {
	if !v.room.room.IsHost() || !v.plays() || v.match.player() == nil {
		return
	}
	for _, m := range v.room.seated() {
		if !m.Connected && m.Playing == v.room.state.Match && v.others.absent.Has(tickback.Player(m.Seat)) {
			_ = v.room.room.Absent(m.ID) // it is repeated at the next news from the room, if it was lost
		}
	}
}

// sit takes a seat if we are a spectator who wants to play, when one is free and no match is running. It leaves the
// first seat to the leader, so that a member who has just joined does not become the host.
func (v *stay) sit(now time.Time) {
	r := &v.room
	led := !r.firstFree() || r.state.Host == 0
	if v.seating.asks(now, r.watching() && r.state.Match == 0 && !v.match.live() && r.free() && led) {
		_ = r.room.TakeSeat(nil) // a refusal is an event
	}
}

// lead does the host's part: it begins the next round of a duel, and matches that begin automatically.
func (v *stay) lead(now time.Time) {
	r := &v.room
	if !r.room.IsHost() || r.room.Err() != nil || r.state.Match != 0 || v.match.live() || !v.start.Due(now) {
		return
	}
	l := lead{
		seat: r.room.Me().Seat, firstFree: r.firstFree(), round: r.betweenRounds(), start: v.cfg.Start,
		shown: v.match.bout != nil, since: now.Sub(v.match.overAt),
	}
	l.sit, l.all = r.present()
	switch l.decide() {
	case nothing:
	case firstSeat:
		first := 0
		v.start.At(now.Add(foyer.StartTime))
		_ = r.room.TakeSeat(&first) // a refusal is an event
	case begin:
		v.begin(now)
	}
}

// begin makes the room begin the next match.
func (v *stay) begin(now time.Time) {
	t := v.room.terms
	if !v.room.betweenRounds() {
		t.Round, t.Wins, t.Who = 0, [2]int{}, v.room.duelists()
	}
	v.start.At(now.Add(foyer.StartTime))
	if v.room.change(t) == nil {
		_ = v.room.room.Start() // a refusal is an event
	}
}
