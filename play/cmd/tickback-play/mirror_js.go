package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/tickback/tickback/play/mirror"
)

// newMirror returns a mirror whose elements the page makes: see mirror.js. What is done with them comes by
// window.tickbackAct.
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

// reflect has the page show what is new.
func reflect(m *mirror.Mirror) {
	d, ok := m.Next()
	if !ok {
		return
	}
	text, err := json.Marshal(d)
	if err != nil {
		return // it can always be encoded: its numbers are those of widgets
	}
	js.Global().Call("tickbackMirror", string(text))
}
