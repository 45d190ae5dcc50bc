package main

import (
	"syscall/js"

	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/words"
)

// The keys of the session storage, which belongs to this tab and lasts until the tab is closed.
const ticketKey = "tickback.ticket"

// machine returns what a page supports for play with others.
func machine() netplay.Machine {
	m := netplay.Machine{Copy: copyText, Paste: pasteText, Ask: ask, Save: save, Keep: keep, Kept: kept}
	if js.Global().Get("navigator").Get("share").Truthy() && js.Global().Get("navigator").Get("maxTouchPoints").Int() > 0 {
		m.Share = share
	}
	return m
}

// try calls f, and reports whether the browser allowed it.
func try(f func()) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	f()
	return true
}

// settled calls one of two functions when a promise is settled.
func settled(promise js.Value, done func(js.Value), failed func()) {
	var yes, no js.Func
	release := func() {
		yes.Release()
		no.Release()
	}
	yes = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer release()
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		done(v)
		return nil
	})
	no = js.FuncOf(func(js.Value, []js.Value) any {
		defer release()
		failed()
		return nil
	})
	promise.Call("then", yes, no)
}

// clipboard returns the clipboard, which is undefined in pages without TLS from other machines.
func clipboard() js.Value { return js.Global().Get("navigator").Get("clipboard") }

func copyText(text string, done func(ok bool)) {
	if !clipboard().Truthy() || !try(func() {
		settled(clipboard().Call("writeText", text), func(js.Value) { done(true) }, func() { done(selected(text)) })
	}) {
		done(selected(text))
	}
}

// selected copies with the older method, through a selected text.
func selected(text string) (ok bool) {
	try(func() {
		doc := js.Global().Get("document")
		area := doc.Call("createElement", "textarea")
		area.Set("value", text)
		doc.Get("body").Call("appendChild", area)
		area.Call("select")
		ok = doc.Call("execCommand", "copy").Bool()
		area.Call("remove")
	})
	return ok
}

func pasteText(done func(text string)) {
	if !clipboard().Truthy() || !clipboard().Get("readText").Truthy() || !try(func() {
		settled(clipboard().Call("readText"), func(v js.Value) { done(v.String()) }, func() { done("") })
	}) {
		done("")
	}
}

func share(link string) {
	try(func() {
		settled(js.Global().Get("navigator").Call("share", map[string]any{"title": "Tickback", "text": words.T("Play with me"), "url": link}),
			func(js.Value) {}, func() {})
	})
}

func ask(question, text string) (answer string, ok bool) {
	try(func() {
		v := js.Global().Call("prompt", question, text)
		if ok = v.Type() == js.TypeString; ok {
			answer = v.String()
		}
	})
	return answer, ok
}

// save makes the browser download a file.
func save(name string, data []byte) {
	try(func() {
		blob := js.Global().Get("Blob").New([]any{bytesOf(data)})
		url := js.Global().Get("URL").Call("createObjectURL", blob)
		a := js.Global().Get("document").Call("createElement", "a")
		a.Set("href", url)
		a.Set("download", name)
		a.Call("click")
		js.Global().Get("URL").Call("revokeObjectURL", url)
	})
}

// keep puts the link into the address, so that the page comes back to the room after a reload, and the ticket into
// the storage of this tab.
func keep(link, ticket string) {
	address := link
	if address == "" {
		address = js.Global().Get("location").Get("pathname").String() + js.Global().Get("location").Get("search").String()
	} else {
		here := js.Global().Get("URL").New(link)
		address = js.Global().Get("location").Get("search").String() + here.Get("hash").String()
	}
	try(func() { js.Global().Get("history").Call("replaceState", nil, "", address) })
	try(func() { js.Global().Get("sessionStorage").Call("setItem", ticketKey, ticket) })
}

func kept() (ticket string) {
	try(func() {
		if v := js.Global().Get("sessionStorage").Call("getItem", ticketKey); v.Type() == js.TypeString {
			ticket = v.String()
		}
	})
	return ticket
}
