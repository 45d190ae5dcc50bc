//go:build !js

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/tickback/tickback/online/rooms"
)

// patience is how long a client waits for an answer from the server.
const patience = 20 * time.Second

// world has all clients of a server.
type world struct {
	at string

	attempts, letIn atomic.Int64 // the attempts of attackers, and those that were let in

	mu      sync.Mutex
	joins   []time.Duration // the waiting times of honest members who were admitted
	members []*websocket.Conn
	errs    []error
}

func newWorld(at string) *world { return &world{at: at} }

// answer has the fields of a server's message that matter here.
type answer struct {
	T, Code string
	State   struct{ Room string }
}

// dial opens a connection from an address of this machine.
func dial(ctx context.Context, from, at string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}
	return d.DialContext(ctx, "tcp", at)
}

// enter opens a WebSocket from an address, and sends the first message.
func (w *world) enter(ctx context.Context, from, first string) (*websocket.Conn, answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	web := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, at string) (net.Conn, error) { return dial(ctx, from, at) }}}
	c, _, err := websocket.Dial(ctx, "ws://"+w.at+"/rooms", &websocket.DialOptions{Subprotocols: []string{rooms.Subprotocol}, HTTPClient: web})
	if err != nil {
		return nil, answer{}, err
	}
	c.SetReadLimit(1 << 20)
	var a answer
	if err = c.Write(ctx, websocket.MessageText, []byte(first)); err == nil {
		a, err = read(ctx, c)
	}
	if err == nil && a.T != "welcome" {
		err = fmt.Errorf("the server says %s %s", a.T, a.Code)
	}
	if err != nil {
		_ = c.CloseNow()
		return nil, a, err
	}
	return c, a, nil
}

func read(ctx context.Context, c *websocket.Conn) (a answer, err error) {
	_, b, err := c.Read(ctx)
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	return a, err
}

// school is the number of members who share one address.
const school = 30

// address returns the address of an honest member. Half of the members have an address in a network of their own, and
// the others share addresses, school members each.
func address(i int) string {
	if i%4 < 2 {
		return fmt.Sprintf("127.%d.%d.1", 64+i>>8, i&255)
	}
	return fmt.Sprintf("127.%d.%d.1", 32+i/school/256, i/school&255)
}

// honest adds members at the given interval, two to a room, who stay.
func (w *world) honest(ctx context.Context, members int, apart time.Duration) {
	var coming sync.WaitGroup
	ticker := time.NewTicker(2 * apart)
	defer ticker.Stop()
	for i := 0; i < members; i += 2 {
		coming.Go(func() {
			room := w.join(ctx, i, `{"t":"create","game":"load","seats":2}`)
			if room != "" {
				w.join(ctx, i+1, `{"t":"join","game":"load","room":"`+room+`"}`)
			}
		})
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	coming.Wait()
}

// join adds one member, and records how long it took.
func (w *world) join(ctx context.Context, i int, first string) (room string) {
	began := time.Now()
	c, a, err := w.enter(ctx, address(i), first)
	took := time.Since(began)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.errs = append(w.errs, err)
		return ""
	}
	w.joins, w.members = append(w.joins, took), append(w.members, c)
	go func() { // reads until the connection ends
		for {
			if _, _, err := c.Read(context.WithoutCancel(ctx)); err != nil {
				return
			}
		}
	}()
	return a.State.Room
}

// quantile returns a quantile of the members' waiting times, in milliseconds.
func (w *world) quantile(q float64) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.joins) == 0 {
		return 0
	}
	slices.Sort(w.joins)
	return float64(w.joins[int(q*float64(len(w.joins)-1))]) / float64(time.Millisecond)
}

func (w *world) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.members {
		_ = c.CloseNow()
	}
}

// watch reads the figures of a server every half second. peak returns its largest memory in bytes, and its CPU time
// in seconds.
func watch(figures string) (peak func() (memory, cpu float64)) {
	done, ended := make(chan struct{}), make(chan struct{})
	memory, cpu := 0.0, 0.0
	look := func() {
		r, err := http.Get("http://" + figures + "/metrics")
		if err != nil {
			return // this sample is missing
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		memory, cpu = max(memory, value(string(b), "process_resident_memory_bytes")), value(string(b), "process_cpu_seconds_total")
	}
	go func() {
		defer close(ended)
		ticker := time.NewTicker(500 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				look()
			case <-done:
				look()
				return
			}
		}
	}()
	return func() (float64, float64) {
		close(done)
		<-ended
		return memory, cpu
	}
}

// value finds a figure in Prometheus' text.
func value(text, name string) float64 {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			v, _ := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			return v
		}
	}
	return 0
}
