package online

import (
	"net/url"
	"syscall/js"
)

// ticketKey is the key of the ticket in the window's storage.
const ticketKey = "tickback.ticket"

// page returns the address of the page that we are in, or "" outside of browsers.
func page() string {
	if l := js.Global().Get("location"); l.Truthy() {
		return l.Get("href").String()
	}
	return ""
}

// keptTicket returns the ticket in the window's storage.
func keptTicket() (ticket string) {
	defer func() { _ = recover() }() // the page may not be allowed to store anything
	if t := js.Global().Get("sessionStorage").Call("getItem", ticketKey); t.Type() == js.TypeString {
		return t.String()
	}
	return ""
}

// keep puts the room into the page's address and its ticket into the window's storage, also when the room gets
// another link.
func keep(r *Room) {
	r.follow(func() { put(r) })
	window := js.Global().Get("window")
	window.Call("addEventListener", "hashchange", js.FuncOf(func(js.Value, []js.Value) any { // kept as long as the page
		if other := RoomOf(page()); other != "" && other != r.client.State().Room {
			window.Get("location").Call("reload") // changing only the fragment does not load the page
		}
		return nil
	}))
}

func put(r *Room) {
	window := js.Global().Get("window")
	window.Get("history").Call("replaceState", js.Null(), "", "#"+url.Values{roomKey: {r.client.State().Room}}.Encode())
	defer func() { _ = recover() }() // the page may not be allowed to store anything
	window.Get("sessionStorage").Call("setItem", ticketKey, r.Ticket())
}
