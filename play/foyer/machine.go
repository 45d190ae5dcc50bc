package foyer

// Machine is what a page or a desktop supports. A function is nil if it is not supported. Callbacks may be called
// from any goroutine.
type Machine struct {
	// Copy copies a text to the clipboard, and reports whether that worked.
	Copy func(text string, done func(ok bool))
	// Paste reads the clipboard; the text is "" if that is not allowed.
	Paste func(done func(text string))
	// Share offers a link to other programs.
	Share func(link string)
	// Ask asks for a text, on machines without a keyboard.
	Ask func(question, text string) (answer string, ok bool)
	// Save saves a file for the player.
	Save func(name string, data []byte)
	// Keep stores where we are, for the next start of the program: the link, and the ticket with which to take our
	// place again. Empty texts remove it.
	Keep func(link, ticket string)
	// Kept returns the stored ticket.
	Kept func() string
}
