package mirror

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// every is the time between two descriptions, in seconds.
	every = 0.1
	// calm is the minimum time, in seconds, between two versions that only differ in texts: figures may change with
	// each picture.
	calm = 1
	// headings is the minimum height of texts that are headings, in units.
	headings = 40
	// Limits of what is stored, since texts from other players can make it long.
	maxItems, maxActs, maxText = 300, 100, 500
)

// Mirror collects the texts and widgets of a screen. The zero value is ready to use. A nil one ignores everything,
// and costs nothing. It is not safe for concurrent use.
type Mirror struct {
	now, last   []Item
	live, heard []string // texts of Live in this description, and in the previous one
	language    string
	acts        []Act
	taken       int     // the number of acts so far
	since       float32 // seconds since the previous description
	age         float32 // seconds since the last description with changes
	changed     bool
	said        []string // new texts since the last call of [Mirror.Next]
}

// Begin begins a picture, dt seconds after the previous one. It returns the mirror if the picture is to be described,
// or nil.
func (m *Mirror) Begin(dt float32) *Mirror {
	if m == nil {
		return nil
	}
	m.since += dt
	m.age += dt
	if m.since < every && m.taken == 0 && len(m.last) > 0 {
		return nil
	}
	m.since = 0
	m.now, m.live = m.now[:0], m.live[:0]
	return m
}

// Add adds an item.
func (m *Mirror) Add(i Item) {
	if m != nil && len(m.now) < maxItems {
		i.Label, i.Value = bounded(i.Label), bounded(i.Value)
		m.now = append(m.now, i)
	}
}

// Text adds a text of a size, in units. A text that is written twice, for its shadow, is added once. The changing
// dots at the end of a text about waiting are removed.
func (m *Mirror) Text(text string, size float32) {
	if m == nil {
		return
	}
	text = strings.TrimSpace(strings.TrimRight(text, "."))
	if n := len(m.now); text == "" || n > 0 && m.now[n-1].text() && m.now[n-1].Label == bounded(text) {
		return
	}
	kind := Text
	if size >= headings {
		kind = Heading
	}
	m.Add(Item{Kind: kind, Label: text})
}

// Cover removes everything that was added so far in this picture, because something covers it.
func (m *Mirror) Cover() {
	if m != nil {
		m.now = m.now[:0]
	}
}

// Live adds a text about what is happening. It is announced once, when it first appears, not again as long as each
// description has it.
func (m *Mirror) Live(text string) {
	if m == nil || len(m.live) >= maxItems {
		return
	}
	if text = bounded(strings.TrimSpace(strings.TrimRight(text, "."))); text != "" && !slices.Contains(m.live, text) {
		m.live = append(m.live, text)
	}
}

// bounded shortens a text that is too long to be read aloud.
func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// End ends a picture that is described, in the language with this tag.
func (m *Mirror) End(language string) {
	if m == nil {
		return
	}
	for _, text := range m.live {
		if !slices.Contains(m.heard, text) && len(m.said) < maxItems {
			m.said = append(m.said, text)
		}
	}
	m.live, m.heard = m.heard, m.live
	differs, widgets := m.compare()
	if language != m.language {
		differs, widgets = true, true
	}
	if len(m.said) == 0 && m.taken == 0 && (!differs || !widgets && m.age < calm) {
		return
	}
	m.language, m.changed, m.age = language, true, 0
	m.now, m.last = m.last, m.now
}

// compare reports whether anything differs from the last description, and whether anything other than texts does.
func (m *Mirror) compare() (differs, widgets bool) {
	for i := range max(len(m.now), len(m.last)) {
		switch {
		case i >= len(m.now):
			differs, widgets = true, widgets || !m.last[i].text()
		case i >= len(m.last):
			differs, widgets = true, widgets || !m.now[i].text()
		case !m.now[i].equal(&m.last[i]):
			differs, widgets = true, widgets || !m.now[i].text() || !m.last[i].text()
		}
	}
	return differs, widgets
}

// Description describes a screen.
type Description struct {
	Language string `json:"language"`
	Items    []Item `json:"items"`
	// Said has what has happened since the last description.
	Said []string `json:"said"`
	// Acts is the number of acts that had been handled before this description.
	Acts int `json:"acts"`
}

// Next returns the newest description, if it was not returned before.
func (m *Mirror) Next() (d Description, ok bool) {
	if !m.changed {
		return d, false
	}
	d = Description{m.language, m.last, m.said, m.taken}
	m.changed, m.said, m.taken = false, nil, 0
	return d, true
}

// Act records an action on an item. It takes effect in the next picture.
func (m *Mirror) Act(a Act) {
	if len(m.acts) < maxActs {
		a.Text = bounded(a.Text)
		m.acts = append(m.acts, a)
	}
}

// Take returns the actions since the last call.
func (m *Mirror) Take() []Act {
	if m == nil || len(m.acts) == 0 {
		return nil
	}
	acts := m.acts
	m.acts = nil
	m.taken += len(acts)
	return acts
}
