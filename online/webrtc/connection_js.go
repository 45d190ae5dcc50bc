package webrtc

import (
	"errors"
	"sync"
	"syscall/js"
	"time"
)

// maker makes connections: the browser's own. A library that hides them from Go pulls in net/http, which is half a
// megabyte of the page, compressed.
type maker struct{ cfg map[string]any }

func newMaker(c *Config) (*maker, error) {
	if !js.Global().Get("RTCPeerConnection").Truthy() {
		return nil, ErrUnsupported
	}
	var servers []any
	for _, s := range c.ICE {
		var urls []any
		for _, u := range s.URLs {
			urls = append(urls, u)
		}
		one := map[string]any{"urls": urls}
		if s.Username != "" {
			one["username"], one["credential"] = s.Username, s.Credential
		}
		if err := tried(one); err != nil {
			return nil, errServer(s, err)
		}
		servers = append(servers, one)
	}
	m := &maker{map[string]any{"iceServers": servers}}
	if c.RelayOnly {
		m.cfg["iceTransportPolicy"] = "relay"
	}
	return m, nil
}

// tried returns the error that the browser reports for a server, or nil.
func tried(server any) (err error) {
	defer caught(&err)
	js.Global().Get("RTCPeerConnection").New(map[string]any{"iceServers": []any{server}}).Call("close")
	return nil
}

// listener is a callback that the browser has been given.
type listener struct {
	target js.Value
	event  string
	call   js.Func
}

type browserConnection struct {
	peer, channel js.Value
	listeners     []listener

	mu     sync.Mutex // guards the following fields, since other goroutines call send
	buffer js.Value   // a Uint8Array of MaxDatagram bytes
	closed bool
}

func (m *maker) connect(call callbacks) (_ connection, err error) {
	defer caught(&err)
	c := &browserConnection{peer: js.Global().Get("RTCPeerConnection").New(m.cfg)}
	c.channel = c.peer.Call("createDataChannel", channelLabel, map[string]any{
		"negotiated": true, "id": channelID, "ordered": false, "maxRetransmits": 0,
	})
	c.channel.Set("binaryType", "arraybuffer")
	c.buffer = js.Global().Get("Uint8Array").New(MaxDatagram)
	c.on(c.peer, "icecandidate", func(e js.Value) {
		if way := e.Get("candidate"); way.Truthy() && way.Get("candidate").String() != "" {
			call.candidate(candidateOf(way))
		}
	})
	c.on(c.peer, "connectionstatechange", func(js.Value) {
		switch c.peer.Get("connectionState").String() {
		case "connected":
			call.state(pathConnected)
		case "disconnected":
			call.state(pathInterrupted)
		case "failed", "closed":
			call.state(pathFailed)
		}
	})
	// Our own peers never open another channel.
	c.on(c.peer, "datachannel", func(js.Value) { call.state(pathFailed) })
	c.on(c.channel, "open", func(js.Value) { call.open(true) })
	c.on(c.channel, "close", func(js.Value) { call.open(false) })
	received := make([]byte, MaxDatagram+1) // one byte more, to detect datagrams that are too long
	c.on(c.channel, "message", func(e js.Value) {
		at := time.Now()
		if data := e.Get("data"); data.Type() == js.TypeObject {
			n := js.CopyBytesToGo(received, js.Global().Get("Uint8Array").New(data))
			call.datagram(received[:n], at)
		}
	})
	return c, nil
}

func (c *browserConnection) on(target js.Value, event string, f func(js.Value)) {
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	c.listeners = append(c.listeners, listener{target, event, call})
	target.Call("addEventListener", event, call)
}

func candidateOf(way js.Value) candidate {
	c := candidate{Text: way.Get("candidate").String()}
	if v := way.Get("sdpMid"); v.Type() == js.TypeString {
		c.Mid = new(v.String())
	}
	if v := way.Get("sdpMLineIndex"); v.Type() == js.TypeNumber {
		c.Line = new(uint16(v.Int()))
	}
	if v := way.Get("usernameFragment"); v.Type() == js.TypeString {
		c.Fragment = new(v.String())
	}
	return c
}

func (c *browserConnection) offer(restart bool) (_ string, err error) {
	defer caught(&err)
	o, err := await(c.peer.Call("createOffer", map[string]any{"iceRestart": restart}))
	if err != nil {
		return "", err
	}
	_, err = await(c.peer.Call("setLocalDescription", o))
	return o.Get("sdp").String(), err
}

func (c *browserConnection) answer(sdp string) (_ string, err error) {
	defer caught(&err)
	if _, err = await(c.peer.Call("setRemoteDescription", map[string]any{"type": "offer", "sdp": sdp})); err != nil {
		return "", err
	}
	a, err := await(c.peer.Call("createAnswer"))
	if err != nil {
		return "", err
	}
	_, err = await(c.peer.Call("setLocalDescription", a))
	return a.Get("sdp").String(), err
}

func (c *browserConnection) accept(sdp string) (err error) {
	defer caught(&err)
	_, err = await(c.peer.Call("setRemoteDescription", map[string]any{"type": "answer", "sdp": sdp}))
	return err
}

func (c *browserConnection) add(way *candidate) (err error) {
	defer caught(&err)
	init := map[string]any{"candidate": way.Text}
	if way.Mid != nil {
		init["sdpMid"] = *way.Mid
	}
	if way.Line != nil {
		init["sdpMLineIndex"] = int(*way.Line)
	}
	if way.Fragment != nil {
		init["usernameFragment"] = *way.Fragment
	}
	_, err = await(c.peer.Call("addIceCandidate", init))
	return err
}

func (c *browserConnection) serve(m *maker) {
	var err error // ignored, because a closed connection needs no servers
	defer caught(&err)
	c.peer.Call("setConfiguration", m.cfg)
}

func (c *browserConnection) send(b []byte) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer caught(&err)
	switch {
	case c.closed || c.channel.Get("readyState").String() != "open":
		return ErrNotConnected
	case c.channel.Get("bufferedAmount").Int() > maxBuffered:
		return ErrCongested
	}
	js.CopyBytesToJS(c.buffer, b)
	c.channel.Call("send", c.buffer.Call("subarray", 0, len(b))) // the browser copies the bytes
	return nil
}

func (c *browserConnection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	for _, l := range c.listeners {
		l.target.Call("removeEventListener", l.event, l.call)
		l.call.Release()
	}
	c.channel.Call("close")
	c.peer.Call("close")
}

// caught converts an exception of the browser into an error.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case js.Error:
		*err = r
	default:
		panic(r)
	}
}

// awaitTime is the time limit for one step of the browser.
const awaitTime = 10 * time.Second

// await waits for a promise. It must not be called from a callback.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 2)
	var fulfilled, rejected js.Func
	first := func(args []js.Value) js.Value {
		if len(args) == 0 {
			return js.Undefined()
		}
		return args[0]
	}
	free := func() { fulfilled.Release(); rejected.Release() }
	fulfilled = js.FuncOf(func(_ js.Value, args []js.Value) any {
		free()
		done <- outcome{value: first(args)}
		return nil
	})
	rejected = js.FuncOf(func(_ js.Value, args []js.Value) any {
		free()
		done <- outcome{err: js.Error{Value: first(args)}}
		return nil
	})
	promise.Call("then", fulfilled, rejected)
	timer := time.NewTimer(awaitTime)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-timer.C:
		return js.Undefined(), errors.New("webrtc: the browser takes too long")
	}
}
