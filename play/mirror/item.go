package mirror

import "slices"

// Kind is the kind of an item.
type Kind string

// The kinds of items.
const (
	Text    Kind = "text"
	Heading Kind = "heading"
	Button  Kind = "button"
	Slider  Kind = "slider"
	Switch  Kind = "switch"
	Choice  Kind = "choice"
	Field   Kind = "field"
)

// Item is a text or a widget.
type Item struct {
	Kind  Kind   `json:"kind"`
	Key   string `json:"key"` // identifies a widget as long as it is shown; "" for a text
	Label string `json:"label"`
	// Value is the value of a slider in words, or the text in a field.
	Value string `json:"value,omitempty"`
	// Now is the value of a slider, between Least and Most in steps of Step, the index of a choice, or 1 for a switch
	// that is on.
	Now   float64 `json:"now,omitempty"`
	Least float64 `json:"least,omitempty"`
	Most  float64 `json:"most,omitempty"` // for a field: the maximum number of characters
	Step  float64 `json:"step,omitempty"`
	// Of are the texts of a choice.
	Of []string `json:"of,omitempty"`
	// Focused says that it has the keyboard focus.
	Focused bool `json:"focused,omitempty"`
	// Box is its position: left, top, width and height, in thousandths of the screen.
	Box [4]int `json:"box"`
}

// text reports whether an item is only a text.
func (i *Item) text() bool { return i.Kind == Text || i.Kind == Heading }

func (i *Item) equal(o *Item) bool {
	return i.Kind == o.Kind && i.Key == o.Key && i.Label == o.Label && i.Value == o.Value && i.Now == o.Now && i.Least == o.Least &&
		i.Most == o.Most && i.Step == o.Step && i.Focused == o.Focused && i.Box == o.Box && slices.Equal(i.Of, o.Of)
}

// Deed is the kind of an action on an item.
type Deed string

// The kinds of actions.
const (
	Focus Deed = "focus" // it got the keyboard focus
	Press Deed = "press" // a button was pressed, or a switch
	Set   Deed = "set"   // a slider or a choice has the value Number
	Type  Deed = "type"  // a field has the text Text
)

// Act is an action on an item of a mirror.
type Act struct {
	Key    string  `json:"key"`
	Do     Deed    `json:"do"`
	Number float64 `json:"number"`
	Text   string  `json:"text"`
}
