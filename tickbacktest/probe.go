package tickbacktest

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// probe watches a match while it is played, and keeps track over all matches of whether anything was compared at all.
type probe struct {
	frame    int // the frame that is being played
	compared uint64
	hashed   bool
	hash     uint64 // the first hash
	varied   bool   // there was a different hash, too
	progress progressCheck
	omissions
}

// see records the hash of a state that was compared.
func (p *probe) see(hash uint64) {
	if !p.hashed {
		p.hash, p.hashed = hash, true
	}
	p.varied = p.varied || hash != p.hash
}

// nothing returns a failure if the matches that were played prove nothing.
func (p *probe) nothing() *failure {
	switch {
	case p.compared == 0:
		return &failure{frame: -1, what: "no frames were compared, so that this would pass whatever the game did", broken: true}
	case !p.varied:
		return &failure{
			frame: -1, broken: true,
			what: fmt.Sprintf("the hash of the state is %#x in every frame of every match, so that this would pass whatever the game did", p.hash),
			causes: []string{
				"Hash leaves out what changes, or the step does nothing",
				"nothing happens with these inputs, or so early: see Options.Inputs, Generate and Frames",
			},
		}
	}
	return nil
}

// guard calls play, and turns a panic into a failure.
func (p *probe) guard(play func() *failure) (f *failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &failure{
				frame: p.frame, what: fmt.Sprintf("panicked: %v", r),
				notes:  []string{"stack:\n" + stackOf(debug.Stack())},
				causes: []string{"inputs may be anything, since they come from other machines: see Options.Generate if yours cannot"},
			}
		}
	}()
	p.frame = 0
	return play()
}

// mostStack is the maximum number of lines of a stack that are shown.
const mostStack = 12

// stackOf returns the part of a stack that shows where the panic occurred.
func stackOf(stack []byte) string {
	text := string(stack)
	if i := strings.LastIndex(text, "\npanic("); i >= 0 {
		text = text[i+1:]
		for range 2 {
			_, text, _ = strings.Cut(text, "\n")
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), mostStack)], "\n")
}
