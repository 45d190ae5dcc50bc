package app

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/play/words"
)

// speed is the speed of a film.
type speed struct{ num, den int }

var speeds = [...]speed{{1, 4}, {1, 2}, {1, 1}, {2, 1}, {4, 1}, {8, 1}}

// normal is the index of the speed at which a match was played.
const normal = 2

// String returns the speed as people say it: "1/4 x", "2 x".
func (s speed) String() string {
	if s.den > 1 {
		return fmt.Sprintf("%d/%d x", s.num, s.den)
	}
	return fmt.Sprintf("%d x", s.num)
}

// player shows a recording.
type player struct {
	file   *theatre.File
	film   *film
	seeker *theatre.Seeker
	scan   *theatre.Scan
	inputs *theatre.Inputs
	verify *theatre.Verification

	playing bool
	speed   int
	runs    speed // the speed of the deck; 0 if it is paused
	drag    bool  // the pointer drags the bar
	moved   bool  // a jump has happened, and the stage must start over
	keys    keyRepeat
	note    string // what was saved, or why it could not be
	trouble string // what is wrong with the recording, as far as it was played
	started bool
}

func newPlayer(a *App, f *theatre.File) Scene {
	m, err := newFilm(a, f)
	if err != nil {
		return newTheatreAfter(a, &theatre.OpenError{Name: f.Name, Err: err})
	}
	s := &player{
		file: f, film: m, seeker: theatre.NewSeeker(f, m.deck), scan: f.Scan(), inputs: f.Inputs(), playing: true, speed: normal, moved: true,
	}
	if f.Damage != nil {
		s.trouble = words.F("damaged: %s", theatre.Plainly(f.Damage))
	}
	return s
}

// Name returns "player", which is the mode in a [Status].
func (s *player) Name() string { return "player" }

// OwnKeys says that keys do not move the focus of menus here.
func (s *player) OwnKeys() bool { return true }

// leaves stops verifying, and closes the stage.
func (s *player) leaves() {
	if s.verify != nil {
		s.verify.Cancel()
	}
	s.film.stage.Close()
}

// Report sets the frame that is shown, its checksum, the length, what is wrong, and the result of verifying.
func (s *player) Report(t *Status) {
	t.Frame, t.Frames = uint32(s.film.deck.At()), uint64(s.file.Frames())
	t.Checksum, t.Playing, t.Message = s.film.hash(), s.playing, s.trouble
	if s.verify != nil {
		t.Verified = s.verify.Text()
	}
}

// Picture handles the keys, plays what is due, and draws it with the panel. It also does part of the work that
// takes longer than a picture.
func (s *player) Picture(p *Picture) Scene {
	if !s.started {
		s.started = true
		p.UI.FocusNone()
	}
	s.work()
	s.hotkeys(p)
	s.run(p)
	s.draw(p)
	if s.controls(p) {
		s.leaves()
		return newTheatre(p.App)
	}
	return s
}

// work does the work that takes longer than a picture: seeking, finding marks, verifying. It does one of them at a
// time, the shortest first.
func (s *player) work() {
	if _, on := s.seeker.Active(); on {
		arrived, err := s.seeker.Work(slice)
		if err != nil {
			s.fail(err)
		}
		s.moved = s.moved || arrived
		return
	}
	if !s.scan.Work(slice / 4) {
		return
	}
	if err := s.scan.Err(); err != nil && s.trouble == "" {
		s.trouble = words.F("damaged at frame %d: %s", s.scan.Until(), theatre.Plainly(err))
	}
	if s.verify != nil {
		s.verify.Work(slice * 3 / 4)
	}
}

// fail records what is wrong with the recording at the current frame.
func (s *player) fail(err error) {
	s.trouble = words.F("frame %d cannot be played: %s", s.film.deck.At(), err)
	s.playing = false
}

// seek jumps to a frame.
func (s *player) seek(to int64) {
	d := s.film.deck
	s.seeker.Go(tickback.Frame(min(max(to, int64(d.First())), int64(d.Next()))))
	s.work()
}

// by jumps by this many frames, from the current frame or from the target of the current jump.
func (s *player) by(frames int) {
	at := s.film.deck.At()
	if to, on := s.seeker.Active(); on {
		at = to
	}
	s.seek(int64(at) + int64(frames))
}

// toggle starts or stops playing.
func (s *player) toggle() {
	if s.playing = !s.playing; s.playing && s.film.deck.At() == s.film.deck.Next() {
		s.seek(0)
	}
}

// step shows the next frame or the previous one, and stops there.
func (s *player) step(frames int) {
	s.playing = false
	if _, on := s.seeker.Active(); on || frames < 0 {
		s.by(frames)
		return
	}
	if err := s.film.deck.Step(frames); err != nil {
		s.fail(err)
	}
}

// run advances the film.
func (s *player) run(p *Picture) {
	d := s.film.deck
	_, going := s.seeker.Active()
	runs := s.playing && !s.drag && !going
	dt := float32(0)
	if runs {
		v := speeds[s.speed]
		s.start(v)
		dt = p.DT * float32(v.num) / float32(v.den)
	} else if s.runs != (speed{}) {
		s.runs = speed{}
		d.Pause()
	}
	if going {
		return // keep the picture
	}
	if s.moved {
		s.moved = false
		s.film.stage.Jumped()
	}
	if err := s.film.advance(p, dt, runs && s.speed == normal); err != nil {
		s.fail(err)
	}
	s.seeker.Met()
	if d.Stats().Phase == tickback.Ending {
		s.playing = s.playing && d.At() != d.Next() && s.trouble == ""
	}
	s.listen(d.Events())
}

// start runs the deck at this speed. It does nothing if that is already its speed, since that would delay the next
// frame.
func (s *player) start(v speed) {
	if s.runs == v {
		return
	}
	s.runs = v
	if err := s.film.deck.SetSpeed(v.num, v.den); err != nil {
		panic(err) // all speeds are valid
	}
	s.film.deck.Unpause()
}

// listen handles the deck's events about the recording.
func (s *player) listen(events []tickback.Event) {
	for i := range events {
		switch e := &events[i]; e.What {
		case tickback.Desync:
			s.trouble = words.F("from frame %d on it is not what was recorded", e.Frame)
		case tickback.Warning:
			if strings.HasPrefix(e.Text, "the recording ends before") || s.file.Damage != nil {
				continue // not a problem, or already known
			}
			if at := s.film.deck.At(); at != s.film.deck.Next() && e.Frame == at {
				s.trouble = words.F("frame %d cannot be played: %s", at, e.Text)
				s.playing = false
			}
		}
	}
}

// The parts of the screen.
var (
	screenBox = draw.Box{X: 128, W: 1024, H: 576}
	barBox    = draw.Box{X: 28, Y: 596, W: 1224, H: 14}
)

// draw draws the match, and the inputs.
func (s *player) draw(p *Picture) {
	q := *p
	if q.Box, q.Full = screenBox, screenBox; p.App.Bare() {
		q.Box, q.Full = p.Box, p.Full
	}
	p.C.Shade(p.Full, look.Ink, draw.RGB(0x232B57))
	p.C.Clip(q.Full)
	s.film.stage.Draw(&q)
	p.C.Clip(p.Full)
	if p.App.Bare() {
		return
	}
	s.drawInputs(p)
	if to, on := s.seeker.Active(); on {
		box := draw.Box{X: Width/2 - 150, Y: 270, W: 300, H: 44}
		p.C.RoundRect(box, 10, look.Ink.Alpha(0.85))
		p.C.Text(draw.Point{X: Width / 2, Y: 299}, 20, draw.Middle, look.Paper, words.F("going to frame %d", to))
	}
}

// drawInputs draws the players and what they held, on both sides of the picture: the inputs that led to the shown
// state.
func (s *player) drawInputs(p *Picture) {
	at := uint32(s.film.deck.At())
	var held [recordings.MaxPlayers]theatre.Held
	gone := uint16(0)
	if at > s.file.Reader.First() {
		held, gone, _ = s.inputs.At(at - 1)
	}
	players := s.file.Header().Shape.Players
	half := (players + 1) / 2
	space := min(142, screenBox.H/float32(half))
	for i := range players {
		box := draw.Box{X: 4, Y: 8 + float32(i)*space, W: 120, H: space - 8}
		if i >= half {
			box.X, box.Y = Width-124, 8+float32(i-half)*space
		}
		h := holder{name: s.film.names[i], col: s.film.colour(i), held: held[i], gone: gone>>i&1 != 0, buttons: s.film.buttons}
		h.draw(p.C, box)
	}
}

// skip jumps by this many seconds.
func (s *player) skip(seconds int) { s.by(seconds * s.file.Header().TickRate) }

// leap is the length of the longer jumps, in seconds.
const leap = 5
