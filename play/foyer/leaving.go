package foyer

// Leaving waits for what is closed in the background, since others have to be told. The zero value waits for nothing.
type Leaving struct{ done chan struct{} }

// Start closes something, with f, in the background, after what is being closed already.
func (l *Leaving) Start(f func()) {
	before, done := l.Done(), make(chan struct{})
	l.done = done
	go func() {
		defer close(done)
		<-before
		f()
	}()
}

// Started reports whether something was closed, or is being closed.
func (l *Leaving) Started() bool { return l.done != nil }

// Over reports whether nothing is being closed now.
func (l *Leaving) Over() bool {
	select {
	case <-l.Done():
		return true
	default:
		return false
	}
}

// Done returns a channel that is closed once all that was started is over.
func (l *Leaving) Done() <-chan struct{} {
	if l.done != nil {
		return l.done
	}
	return nothing
}

// nothing is the channel of those who wait for nothing, made once: scenes ask in every picture.
var nothing = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()
