package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/tickback/tickback/play/mirror"
)

// newMirror returns a mirror whose elements the page makes: see mirror.js. The page calls window.tickbackAct for
// actions on them.
func newMirror() *mirror.Mirror {
	m := new(mirror.Mirror)
	js.Global().Set("tickbackAct", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var a mirror.Act
		if len(args) == 1 && args[0].Type() == js.TypeString && json.Unmarshal([]byte(args[0].String()), &a) == nil {
			m.Act(a)
		}
		return nil
	}))
	return m
}

// reflect makes the page show changes.
func reflect(m *mirror.Mirror) {
	d, ok := m.Next()
	if !ok {
		return
	}
	text, err := json.Marshal(d)
	if err != nil {
		return // cannot happen: its numbers come from widgets, and can be encoded
	}
	js.Global().Call("tickbackMirror", string(text))
}
