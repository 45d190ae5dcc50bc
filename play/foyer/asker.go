package foyer

import (
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// Asker asks for the player's name and for a link, on the screen before a match with others.
type Asker struct {
	machine *Machine
	name    string
	said    string
	pasted  chan string
}

// NewAsker returns an asker that begins with a name; see [NameOf].
func NewAsker(a *app.App, m *Machine, name string) Asker {
	return Asker{machine: m, name: NameOf(a, name), pasted: make(chan string, 1)}
}

// Said returns what there is to say to the player: that of the last call of Say, or about a link.
func (s *Asker) Said() string { return s.said }

// Say says something to the player.
func (s *Asker) Say(text string) { s.said = text }

// AskName draws a field for the name.
func (s *Asker) AskName(p *app.Picture, box draw.Box) {
	name, asked := p.UI.Field(box, words.T("Your name"), s.name, settings.MaxName)
	if asked && p.Devices.Touch && s.machine.Ask != nil {
		if answer, ok := s.machine.Ask(words.T("Your name"), name); ok {
			name = settings.Name(answer)
		}
	}
	s.name = name
}

// SaveName stores the name for the next time, and returns it.
func (s *Asker) SaveName(a *app.App) string {
	name := settings.Name(s.name)
	if name != "" && name != a.Settings.Name {
		a.Settings.Name = name
		a.Save()
	}
	return name
}

// AskLink draws a button that reads a link from the clipboard, or asks for one.
func (s *Asker) AskLink(p *app.Picture, box draw.Box) {
	if !p.UI.Button(box, words.T("Join by link")) {
		return
	}
	switch m := s.machine; {
	case m.Paste != nil && !p.Devices.Touch:
		s.said = words.T("Reading the clipboard")
		pasted := s.pasted
		m.Paste(func(text string) { offer(pasted, text) })
	case m.Ask != nil:
		if text, ok := m.Ask(words.T("The link to the room"), ""); ok {
			s.Pasted(text)
		}
	default:
		s.said = words.T("Start with -room LINK to join by link")
	}
}

// Pasted keeps a text for the next call of Link, unless another one waits.
func (s *Asker) Pasted(text string) { offer(s.pasted, text) }

// Link returns the link in the text that was pasted, or "".
func (s *Asker) Link() (link string) {
	select {
	case text := <-s.pasted:
		if link = online.LinkIn(text); link == "" { // the text may be a whole message
			s.said = words.T("There is no link in the clipboard. Copy the one you were sent, then press Ctrl+V here.")
		}
	default:
	}
	return link
}

// offer sends a value, unless another one waits.
func offer[T any](to chan<- T, v T) {
	select {
	case to <- v:
	default:
	}
}
