package main

import (
	"syscall/js"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/theatre"
)

// watchFiles handles files that are dropped on the page or chosen in it, and lets the page get recordings:
// window.tickbackRecording(i) is the i-th newest.
func watchFiles(a *app.App) {
	window := js.Global()
	over := js.FuncOf(func(_ js.Value, args []js.Value) any {
		args[0].Call("preventDefault") // otherwise the browser opens the file itself
		return nil
	})
	window.Call("addEventListener", "dragover", over)
	window.Call("addEventListener", "drop", js.FuncOf(func(_ js.Value, args []js.Value) any {
		args[0].Call("preventDefault")
		if data := args[0].Get("dataTransfer"); data.Truthy() {
			receive(a, data.Get("files"))
		}
		return nil
	}))
	received = func(files js.Value) { receive(a, files) }
	window.Set("tickbackRecording", js.FuncOf(func(_ js.Value, args []js.Value) any {
		list := a.Recordings()
		if len(args) < 1 || args[0].Type() != js.TypeNumber || args[0].Int() < 0 || args[0].Int() >= len(list) {
			return js.Null()
		}
		return bytesOf(list[args[0].Int()].Bytes)
	}))
}

// received handles the files of the chooser, once there is an app.
var received func(files js.Value)

// chooser returns a function that asks for a file. The browser only shows the dialog right after a click or a key
// press.
func chooser() func() {
	input := js.Global().Get("document").Call("createElement", "input")
	input.Set("type", "file")
	input.Set("accept", ".tbr,.rplk")
	input.Call("addEventListener", "change", js.FuncOf(func(js.Value, []js.Value) any {
		received(input.Get("files"))
		input.Set("value", "") // so that the same file can be chosen again
		return nil
	}))
	return func() { try(func() { input.Call("click") }) }
}

// receive reads the first of these files.
func receive(a *app.App, files js.Value) {
	if !files.Truthy() || files.Length() == 0 {
		return
	}
	file := files.Index(0)
	name := file.Get("name").String()
	if file.Get("size").Float() > theatre.MaxFile {
		a.Receive(name, nil, theatre.ErrTooLarge)
		return
	}
	settled(file.Call("arrayBuffer"), func(buffer js.Value) {
		array := js.Global().Get("Uint8Array").New(buffer)
		b := make([]byte, array.Length())
		js.CopyBytesToGo(b, array)
		a.Receive(name, b, nil)
	}, func() { a.Receive(name, nil, theatre.ErrBrowser) })
}

// bytesOf copies bytes to the page.
func bytesOf(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// saveFile makes the browser download a file.
func saveFile(name string, b []byte) (where string, err error) {
	save(name, b)
	return name, nil
}
