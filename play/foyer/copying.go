package foyer

// Answer is the answer of the clipboard.
type Answer uint8

// The answers: none yet, and whether it has the text.
const (
	NoAnswer Answer = iota
	Copied
	NotCopied
)

// Copying gives texts to the clipboard. The zero value is ready to use.
type Copying struct {
	answers chan bool
	last    Answer
}

// Copy gives a text to the clipboard of a machine that has one.
func (c *Copying) Copy(m *Machine, text string) {
	answers := make(chan bool, 1)
	c.answers = answers
	m.Copy(text, func(ok bool) { offer(answers, ok) })
}

// Answer returns the newest answer.
func (c *Copying) Answer() Answer {
	select {
	case ok := <-c.answers:
		if c.last = Copied; !ok {
			c.last = NotCopied
		}
	default:
	}
	return c.last
}
