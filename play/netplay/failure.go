package netplay

import (
	"errors"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// failedScene is a room that could not be entered.
type failedScene struct {
	cfg     Config
	trouble foyer.Trouble
}

func (f *failedScene) Name() string { return "failed" }

func (f *failedScene) Report(s *app.Status) { s.Message = f.trouble.Text() }

func (f *failedScene) Picture(p *app.Picture) app.Scene {
	switch pressed := f.trouble.Draw(p, words.T("Try again"), words.T("Another room"), words.T("To the title")); {
	case pressed == 0 && f.cfg.Link != "":
		return join(p.App, f.cfg, f.cfg.Link)
	case pressed == 0:
		return create(p.App, f.cfg)
	case pressed == 1:
		f.cfg.Link = ""
		return f.cfg.way.setup(p.App, f.cfg)
	case pressed == 2 || p.UI.Back():
		return p.App.Title()
	}
	return f
}

// failure shows what went wrong in the room, with a way back to the room if it still exists.
func (v *stay) failure(p *app.Picture) app.Scene {
	buttons := []string{words.T("Back to the room"), words.T("Leave the room")}
	over := v.room.Err() != nil
	switch {
	case errors.Is(v.room.Err(), rooms.ErrKicked):
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
		cfg, link := v.cfg, v.room.Link()
		v.abandon()
		return join(p.App, cfg, link)
	case pressed == 0:
		v.failed = nil
		v.again = v.state.Match != 0
	case pressed == 1 || p.UI.Back():
		v.leave()
		return p.App.Title()
	case pressed == 2:
		v.cfg.Machine.Save("desync-report.bin", v.failed.Report)
		v.notices.Add(words.T("The report is saved"), 3)
	}
	return v
}

// abandon leaves, but keeps the place for a return.
func (v *stay) abandon() {
	v.drop()
	closing, room := v.closing, v.room
	go func() {
		if closing != nil {
			<-closing
		}
		room.Abandon()
		v.cfg.way.left(room)
	}()
}
