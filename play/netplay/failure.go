package netplay

import (
	"errors"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/words"
)

// fail shows what went wrong.
func (v *stay) fail(err error) {
	t := v.cfg.explain(err)
	v.failed = &t
	v.closeMenu()
}

// failure shows what went wrong in the room, with a way back to the room if it still exists.
func (v *stay) failure(p *app.Picture) app.Scene {
	r, buttons := v.room.room, []string{words.T("Back to the room"), words.T("Leave the room")}
	over := r.Err() != nil
	switch {
	case errors.Is(r.Err(), rooms.ErrKicked):
		if v.failed.Draw(p, words.T("To the title")) == 0 || p.UI.Back() {
			v.leave()
			return p.App.Title()
		}
		return v
	case over:
		buttons[0] = words.T("Try again")
	}
	if v.failed.Report != nil && v.cfg.Machine.Save != nil {
		buttons = append(buttons, words.T("Save the report"))
	}
	switch pressed := v.failed.Draw(p, buttons...); {
	case pressed == 0 && over:
		v.drop()
		v.part(r.Abandon) // it keeps our place, so that we can return
		return join(p.App, v.cfg, r.Link())
	case pressed == 0:
		v.failed = nil
		if v.room.state.Match != 0 {
			v.entry.join()
		}
	case pressed == 1 || p.UI.Back():
		v.leave()
		return p.App.Title()
	case pressed == 2:
		v.cfg.Machine.Save("desync-report.bin", v.failed.Report)
		v.news.Add(words.T("The report is saved"), 3)
	}
	return v
}

// leave gives up our place. It may take seconds, and runs in the background.
func (v *stay) leave() {
	v.place.Forget()
	v.match.retire()
	r := v.room.room
	for _, id := range v.kicks.all() {
		_ = r.Kick(id) // the next leader may decide otherwise
	}
	v.part(func() { _ = r.Close() })
}

// part closes the room with a function, in the background, once the match is closed.
func (v *stay) part(closes func()) {
	match, r, way := v.match.closing.Done(), v.room.room, v.cfg.way
	v.left.Start(func() {
		<-match
		closes()
		way.left(r)
	})
}

// Close gives up our place, unless that has begun already, and waits until the match and the room are closed.
func (v *stay) Close() {
	if !v.left.Started() {
		v.leave()
	}
	<-v.left.Done()
}
