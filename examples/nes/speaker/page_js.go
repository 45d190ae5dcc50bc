package speaker

import (
	"encoding/binary"
	"math"
	"syscall/js"
)

// ahead is how far ahead of what is heard a page gives samples to the browser, in seconds: longer than its longest pictures.
const ahead = 0.06

// Page plays a queue in a page. It needs no worklet, which browsers have only where a page is secure.
type Page struct {
	queue   *Queue
	rate    int
	context js.Value // an AudioContext; undefined before Start
	until   float64  // the time of the context up to which samples were given to it
	samples []float32
	bytes   []byte
}

// NewPage returns what plays a queue of so many samples a second, once it is started.
func NewPage(q *Queue, rate int) *Page { return &Page{queue: q, rate: rate} }

// Start begins to play, or goes on. Browsers allow that only while a key or a pointer is handled. Where there is no sound, it
// does nothing.
func (p *Page) Start() {
	if p.context.IsUndefined() {
		constructor := js.Global().Get("AudioContext")
		if constructor.IsUndefined() {
			return
		}
		p.context = constructor.New(map[string]any{"sampleRate": p.rate, "latencyHint": "interactive"})
	}
	p.context.Call("resume")
}

// Stop is silent until the next Start.
func (p *Page) Stop() {
	if !p.context.IsUndefined() {
		p.context.Call("suspend")
	}
}

// Update gives the browser what it will need until the next call. Call it for each picture.
func (p *Page) Update() {
	if p.context.IsUndefined() || p.context.Get("state").String() != "running" {
		return
	}
	now := p.context.Get("currentTime").Float()
	if p.until < now { // it was late, or has just begun
		p.until = now + ahead/2
	}
	n := int((now + ahead - p.until) * float64(p.rate))
	if n <= 0 {
		return
	}
	if cap(p.samples) < n {
		p.samples, p.bytes = make([]float32, n), make([]byte, 4*n)
	}
	samples, bytes := p.samples[:n], p.bytes[:4*n]
	p.queue.Play(samples)
	for i, s := range samples {
		binary.LittleEndian.PutUint32(bytes[4*i:], math.Float32bits(s))
	}
	raw := js.Global().Get("Uint8Array").New(len(bytes))
	js.CopyBytesToJS(raw, bytes)
	buffer := p.context.Call("createBuffer", 1, n, p.rate)
	buffer.Call("copyToChannel", js.Global().Get("Float32Array").New(raw.Get("buffer")), 0)
	source := p.context.Call("createBufferSource")
	source.Set("buffer", buffer)
	source.Call("connect", p.context.Get("destination"))
	source.Call("start", p.until)
	p.until += float64(n) / float64(p.rate)
}
