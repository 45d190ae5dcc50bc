package trace_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/internal/tracecheck"
	"github.com/tickback/tickback/trace"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

func after(d time.Duration) time.Time { return start.Add(d) }

// sample writes a bit of everything.
func sample(w *trace.Writer, rounds int) {
	p := w.Process("session \"α\"\n")
	frames, net := p.Track("frames"), p.Track("net")
	for i := range rounds {
		at := after(time.Duration(i) * 16 * time.Millisecond)
		frames.Slice(at, 3*time.Millisecond, "tick", trace.Int("frame", i))
		frames.Slice(at.Add(time.Millisecond), time.Millisecond, "rollback", trace.Int("depth", uint8(3)), trace.Millis("ago", -1500*time.Microsecond))
		net.Instant(at, "datagram", trace.Text("peer", "\xff\x00\\ö"), trace.Int("bytes", int64(-17)))
		p.Counter(at, "lag", trace.Int("confirmed", uint32(4)), trace.Millis("way", 12345*time.Microsecond))
		if i%10 == 0 {
			p.Instant(at, "waiting")
		}
	}
}

func read(t *testing.T, b []byte) []tracecheck.Event {
	t.Helper()
	events, err := tracecheck.Read(b)
	if err != nil {
		t.Fatalf("%v in\n%.2000s", err, b)
	}
	return events
}

// A trace is valid, and says what it was told.
func TestATraceIsValid(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	sample(w, 1000)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	events := read(t, file.Bytes())
	count := map[string]int{}
	for _, e := range events {
		count[e.Phase+" "+e.Name]++
	}
	for what, n := range map[string]int{
		"M process_name": 1, "M thread_name": 3, "i trace begins": 1, "X tick": 1000, "X rollback": 1000, "i datagram": 1000, "C lag": 1000, "i waiting": 100,
	} {
		if count[what] != n {
			t.Errorf("%s: %d, want %d", what, count[what], n)
		}
	}
	for _, e := range events {
		if e.Name == "trace begins" && e.Args["time"] != "2026-01-02T03:04:05.000000006Z" {
			t.Errorf("it begins at %v", e.Args["time"])
		}
		if e.Name == "datagram" && (e.Args["peer"] != "\uFFFD\x00\\ö" || e.Int("bytes") != -17 || e.Process != "session \"α\"\n" || e.Track != "net") {
			t.Fatalf("%+v", e)
		}
	}
	if last := events[len(events)-1]; last.Name != "lag" || last.At != 999*16*time.Millisecond {
		t.Errorf("the last one is %+v", last)
	}
}

// The bytes are what they were: a viewer of yesterday reads them.
func TestFrozenEvents(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	p := w.Process("m")
	k := p.Track("k")
	k.Slice(after(1234567), 89012, "tick", trace.Int("frame", 7), trace.Text("who", "a\"b"))
	k.Instant(after(2*time.Second), "now")
	p.Counter(after(3*time.Second), "lag", trace.Millis("ms", 1500*time.Microsecond))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `[
{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"m"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"events"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"k"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":2}},
{"ph":"i","pid":1,"tid":1,"name":"trace begins","ts":0.000,"s":"g","args":{"time":"2026-01-02T03:04:05.001234573Z"}},
{"ph":"X","pid":1,"tid":2,"name":"tick","ts":0.000,"dur":89.012,"args":{"frame":7,"who":"a\"b"}},
{"ph":"i","pid":1,"tid":2,"name":"now","ts":1998765.433,"s":"t"},
{"ph":"C","pid":1,"tid":1,"name":"lag","ts":2998765.433,"args":{"ms":1.500}}
]
`
	if got := file.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// An empty trace is one, too.
func TestAnEmptyTraceIsValid(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if events := read(t, file.Bytes()); len(events) != 0 {
		t.Errorf("%v", events)
	}
	sample(w, 10) // which nobody hears
	w.Flush()
	if file.Len() > 4 {
		t.Errorf("after Close: %q", file.String())
	}
}

// A trace that was cut anywhere is valid again once its last line is taken off and the
// array is closed.
func TestACutTraceCanBeRepaired(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	sample(w, 12)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole, repaired := len(read(t, file.Bytes())), ""
	for n := 2; n < file.Len()-2; n++ {
		cut := file.String()[:n]
		cut = cut[:strings.LastIndexByte(cut, '\n')]
		if cut == repaired && n < file.Len()-10 {
			continue // as with a byte less
		}
		repaired = cut
		if events := read(t, []byte(strings.TrimSuffix(cut, ",")+"]")); n > file.Len()-10 && len(events) < whole-1 {
			t.Fatalf("cut at %d of %d, %d of %d events are left", n, file.Len(), len(events), whole)
		}
	}
}

// A time that goes back is taken for the last one.
func TestTimeDoesNotGoBack(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	p := w.Process("p")
	k := p.Track("k")
	for _, ms := range []time.Duration{50, 40, 60, -1000} {
		k.Instant(after(ms*time.Millisecond), "i")
		p.Counter(after(ms*time.Millisecond), "c", trace.Int("v", ms))
		k.Slice(after(ms*time.Millisecond), -time.Second, "x")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read(t, file.Bytes())
}

// broken is a disk that takes so many bytes, and then no more.
type broken struct {
	bytes.Buffer
	room  int
	quiet bool // about it
}

var errFull = errors.New("no space left on device")

func (d *broken) Write(b []byte) (int, error) {
	if n := min(len(b), d.room); n < len(b) {
		d.room = 0
		d.Buffer.Write(b[:n])
		if d.quiet {
			return n, nil
		}
		return n, errFull
	}
	d.room -= len(b)
	return d.Buffer.Write(b)
}

// A full disk ends the trace, and nothing else.
func TestAFullDiskEndsTheTrace(t *testing.T) {
	for _, c := range []struct {
		quiet bool
		want  error
	}{{false, errFull}, {true, io.ErrShortWrite}} {
		disk := &broken{room: 100_000, quiet: c.quiet}
		w := trace.NewWriter(disk)
		sample(w, 2000)
		if err := w.Close(); !errors.Is(err, c.want) || !errors.Is(w.Err(), c.want) {
			t.Errorf("Close says %v, Err %v, want %v", err, w.Err(), c.want)
		}
		if disk.Len() != 100_000 {
			t.Errorf("%d bytes were written", disk.Len())
		}
		sample(w, 1)
	}
}

// gate is a disk that takes nothing until it is opened.
type gate struct {
	bytes.Buffer
	open chan struct{}
}

func (g *gate) Write(b []byte) (int, error) {
	<-g.open
	return g.Buffer.Write(b)
}

// A disk that takes nothing makes nobody wait: events are dropped, the trace says how
// many, and is valid.
func TestASlowDiskMakesNobodyWait(t *testing.T) {
	disk := &gate{open: make(chan struct{})}
	w := trace.NewWriter(disk)
	sample(w, 20_000) // 10 MB
	dropped := w.Dropped()
	if dropped < 10_000 {
		t.Errorf("%d were dropped", dropped)
	}
	close(disk.open)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	told := int64(0)
	for _, e := range read(t, disk.Bytes()) {
		if e.Name == "events dropped" {
			told += e.Int("events")
		}
	}
	if told != int64(dropped) || disk.Len() > 3<<20 {
		t.Errorf("the trace of %d bytes tells of %d dropped events, there were %d", disk.Len(), told, dropped)
	}
}

// pieces is a disk that keeps what was written at once apart.
type pieces struct {
	mu   sync.Mutex
	list []string
	came chan struct{}
}

func (p *pieces) Write(b []byte) (int, error) {
	p.mu.Lock()
	p.list = append(p.list, string(b))
	p.mu.Unlock()
	p.came <- struct{}{}
	return len(b), nil
}

// What is older than a second is written in whole lines when there is another event.
func TestFlushesWholeLinesOnceASecond(t *testing.T) {
	disk := &pieces{came: make(chan struct{}, 100)}
	w := trace.NewWriter(disk)
	k := w.Process("p").Track("k")
	for i := range 30 {
		k.Instant(after(time.Duration(i)*100*time.Millisecond), "i", trace.Int("n", i))
	}
	<-disk.came
	<-disk.came
	disk.mu.Lock()
	defer disk.mu.Unlock()
	if len(disk.list) != 2 || !strings.HasSuffix(disk.list[0], `{"n":9}}`) || !strings.HasSuffix(disk.list[1], `{"n":19}}`) {
		t.Errorf("in three seconds were written: %q", disk.list)
	}
}

// Several goroutines write one trace.
func TestGoroutinesShareAWriter(t *testing.T) {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { sample(w, 200); _ = w.Err() })
	}
	all.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ticks := 0
	for _, e := range read(t, file.Bytes()) {
		if e.Name == "tick" {
			ticks++
		}
	}
	if ticks != 800 {
		t.Errorf("%d ticks", ticks)
	}
}

// Events allocate nothing, once the buffers are there.
func TestEventsDoNotAllocate(t *testing.T) {
	w := trace.NewWriter(io.Discard)
	p := w.Process("p")
	k := p.Track("k")
	at := start
	events := func() {
		at = at.Add(time.Millisecond)
		k.Slice(at, 10, "tick", trace.Int("frame", 7), trace.Text("t", "x"))
		k.Instant(at, "i", trace.Int("n", 1))
		p.Counter(at, "c", trace.Millis("ms", 5))
	}
	for range 5000 {
		events()
	}
	if n := testing.AllocsPerRun(5000, events); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, events); n != 0 {
		t.Errorf("closed: %v allocations", n)
	}
}

// Nothing of a closed writer is left running.
func TestCloseEndsTheGoroutine(t *testing.T) {
	disk := &gate{open: make(chan struct{})}
	w := trace.NewWriter(disk)
	sample(w, 1)
	closed := make(chan error)
	go func() { closed <- w.Close() }()
	select {
	case <-closed:
		t.Fatal("Close did not wait for the disk")
	default:
	}
	close(disk.open)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	n := disk.Len() // without a race: nobody writes any more
	read(t, disk.Bytes()[:n])
}

func BenchmarkSlice(b *testing.B) {
	w := trace.NewWriter(io.Discard)
	k := w.Process("p").Track("k")
	at := start
	b.ReportAllocs()
	for b.Loop() {
		at = at.Add(16 * time.Millisecond)
		k.Slice(at, 123456, "tick", trace.Int("frame", 123456))
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
