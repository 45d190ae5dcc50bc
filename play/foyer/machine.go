package foyer

// Machine is what a page or a desktop can do. A nil function means that it cannot. Callbacks may be called
// from any goroutine.
type Machine struct {
	// Copy puts a text into the clipboard, and says whether that worked.
	Copy func(text string, done func(ok bool))
	// Paste reads the clipboard; the text is "" if that is not allowed.
	Paste func(done func(text string))
	// Share offers a link to other programs.
	Share func(link string)
	// Ask asks for a text, on machines without a keyboard.
	Ask func(question, text string) (answer string, ok bool)
	// Save gives the player a file.
	Save func(name string, data []byte)
	// Keep remembers where we are, for the next start of the program: the link, and the ticket
	// with which to take our place again. Empty texts forget it.
	Keep func(link, ticket string)
	// Kept returns the ticket that was last kept.
	Kept func() string
}
