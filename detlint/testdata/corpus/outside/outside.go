// Package outside has what is not of the match: the clock, chance, the machine, files.
package outside

import (
	"bufio"
	crand "crypto/rand"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"hash/fnv"
	"hash/maphash"
	html "html/template"
	"io"
	"io/fs"
	"log"
	"math/rand"
	randv2 "math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unique"
	"unsafe"
	"weak"

	"github.com/tickback/tickback/rng"
)

type unit struct{ ID, HP int32 }

type state struct {
	n    int32
	l    int64
	u    uint64
	name string
	rand rng.Xorshift128Plus
	list []int32
}

//tickback:deterministic
func now(s *state) { s.l = time.Now().UnixNano() } // want clock

//tickback:deterministic
func since(s *state, start time.Time) { s.l = int64(time.Since(start)) } // want clock

//tickback:deterministic
func sleep(s *state) {
	time.Sleep(time.Millisecond) // want clock
	s.n++
}

//tickback:deterministic
func deadline(s *state) {
	t := time.AfterFunc(time.Second, func() {}) // want clock
	s.n++
	t.Stop() // want clock
}

//tickback:deterministic
func clockAsValue(s *state) {
	clock := time.Now
	s.l = clock().Unix() // want clock
}

type clocked struct{ now func() time.Time }

var wall = clocked{now: time.Now} // want clock

//tickback:deterministic
func clockInField(s *state) { s.l = wall.now().Unix() }

func stamp() int64 { return time.Now().Unix() } // want clock

var start = stamp()

//tickback:deterministic
func clockAtStart(s *state) { s.l = start }

//tickback:deterministic
func durations(s *state) { s.l = int64(3 * time.Second / time.Millisecond) }

//tickback:deterministic
func dateOfTheGame(s *state) {
	d := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.n) * time.Hour)
	s.l = d.Unix()
}

//tickback:deterministic
func inLocalTime(s *state) { s.name = time.Unix(s.l, 0).Local().Format("15:04") } // want environment environment environment

//tickback:deterministic
func globalRandom(s *state) { s.n = rand.Int31() } // want random

//tickback:deterministic
func globalRandomV2(s *state) { s.n = randv2.Int32N(6) } // want random

//tickback:deterministic
func shuffled(s *state) {
	randv2.Shuffle(len(s.list), func(i, j int) { s.list[i], s.list[j] = s.list[j], s.list[i] }) // want random
}

//tickback:deterministic
func systemRandom(s *state) {
	var b [8]byte
	if _, err := crand.Read(b[:]); err == nil { // want random
		s.u = uint64(b[0])
	}
}

var dice = rand.New(rand.NewSource(1))

//tickback:deterministic
func sourceOfThePackage(s *state) { s.n = dice.Int31n(6) } // want globals

//tickback:deterministic
func seededByClock(s *state) {
	r := rand.New(rand.NewSource(time.Now().UnixNano())) // want clock
	s.n = r.Int31()
}

//tickback:deterministic
func randomOfTheState(s *state) { s.u = s.rand.Next() }

//tickback:deterministic
func seededByTheState(s *state) {
	r := randv2.New(randv2.NewPCG(s.u, uint64(s.n)))
	s.n = r.Int32N(6)
}

//tickback:deterministic
func getenv(s *state) { s.name = os.Getenv("LEVEL") } // want environment

//tickback:deterministic
func readFile(s *state) error {
	b, err := os.ReadFile("level.txt") // want environment
	s.name = string(b)
	return err
}

//tickback:deterministic
func arguments(s *state) { s.n = int32(len(os.Args)) } // want environment

var hard = flag.Bool("hard", false, "more enemies") // want environment

//tickback:deterministic
func flagged(s *state) {
	if *hard {
		s.n++
	}
}

//tickback:deterministic
func fetch(s *state) error {
	r, err := http.Get("http://localhost/level") // want environment
	if err == nil {
		s.n = int32(r.StatusCode)
	}
	return err
}

//tickback:deterministic
func readsWhatItIsGiven(s *state, r io.Reader) error {
	b, err := io.ReadAll(r)
	s.n = int32(len(b))
	return err
}

//tickback:deterministic
func parsesText(s *state) {
	in := bufio.NewScanner(strings.NewReader(s.name))
	for in.Scan() {
		s.n += int32(len(in.Text()))
	}
}

//tickback:deterministic
func processors(s *state) { s.n = int32(runtime.NumCPU()) } // want machine

//tickback:deterministic
func goroutines(s *state) { s.n = int32(runtime.GOMAXPROCS(0)) } // want machine

//tickback:deterministic
func system(s *state) {
	if runtime.GOOS == "windows" { // want machine
		s.n++
	}
}

//tickback:deterministic
func memory(s *state) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m) // want machine
	s.u = m.HeapAlloc
}

//tickback:deterministic
func stack(s *state) { s.name = string(debug.Stack()) } // want machine

//tickback:deterministic
func caller(s *state) {
	_, file, _, _ := runtime.Caller(0) // want machine
	s.name = file
}

//tickback:deterministic
func threads(s *state) {
	const threads = 4
	s.n = threads
}

//tickback:deterministic
func wordInBytes(s *state) { s.u = uint64(unsafe.Sizeof(uintptr(0))) } // want machine

var seed = maphash.MakeSeed() // want maphash

//tickback:deterministic
func seededHash(s *state) { s.u = maphash.String(seed, s.name) } // want maphash

//tickback:deterministic
func ownHash(s *state) {
	var h maphash.Hash
	h.WriteString(s.name) // want maphash
	s.u = h.Sum64()       // want maphash
}

//tickback:deterministic
func definedHash(s *state) {
	h := fnv.New64a()
	h.Write([]byte(s.name))
	s.u = h.Sum64()
}

var pool = sync.Pool{New: func() any { return new([]int32) }}

//tickback:deterministic
func pooled(s *state) {
	list := pool.Get().(*[]int32) // want collector
	*list = append(*list, s.n)
	s.n = int32(len(*list))
	pool.Put(list)
}

//tickback:deterministic
func pooledAndReset(s *state) {
	list := pool.Get().(*[]int32)
	*list = (*list)[:0]
	*list = append(*list, s.n)
	s.n = int32(len(*list))
	pool.Put(list)
}

//tickback:deterministic
func finalized(s *state) {
	u := new(unit)
	runtime.SetFinalizer(u, func(*unit) {}) // want collector
	s.n = u.ID
}

//tickback:deterministic
func cleanedUp(s *state) {
	u := new(unit)
	runtime.AddCleanup(u, func(int) {}, 1) // want collector
	s.n = u.ID
}

//tickback:deterministic
func weakly(s *state, w weak.Pointer[unit]) {
	if u := w.Value(); u != nil { // want collector
		s.n = u.HP
	}
}

//tickback:deterministic
func interned(s *state) {
	h := unique.Make(s.name)
	if h == unique.Make("bonus") {
		s.name = h.Value()
	}
}

//tickback:deterministic
func printsHandle(s *state) { s.name = fmt.Sprint(unique.Make(s.name)) } // want address

//tickback:deterministic
func knownErrors(s *state, err error) {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		s.n++
	}
}

//tickback:deterministic
func printsIntoHash(s *state) {
	h := fnv.New32a()
	fmt.Fprintf(h, "%d", s.n)
	s.n = int32(h.Sum32())
}

//tickback:deterministic
func collects(s *state) {
	runtime.GC() // want collector
	s.n++
}

//tickback:deterministic
func keptAlive(s *state) {
	u := new(unit)
	s.n = u.ID
	runtime.KeepAlive(u)
}

//tickback:deterministic
func prints(s *state) {
	s.n++
	fmt.Println("frame", s.n) // want output
}

//tickback:deterministic
func logs(s *state) {
	s.n++
	log.Printf("frame %d", s.n) // want output
}

//tickback:deterministic
func printsByBuiltin(s *state) {
	s.n++
	println(s.n) // want output
}

//tickback:deterministic
func printsToStderr(s *state) {
	s.n++
	fmt.Fprintln(os.Stderr, s.n) // want environment output
}

//tickback:deterministic
func printsIntoText(s *state) {
	var b strings.Builder
	fmt.Fprintf(&b, "frame %d", s.n)
	s.name = b.String()
}

//tickback:deterministic
func formats(s *state) { s.name = fmt.Sprintf("frame %d", s.n) }

//tickback:deterministic
func unjudged(s *state) error {
	b, err := format.Source([]byte(s.name)) // want unlisted
	s.n = int32(len(b))
	return err
}

//tickback:deterministic
func template(s *state) error {
	t, err := html.New("t").Parse(s.name) // want unlisted unlisted
	if err == nil {
		s.name = t.Name() // want unlisted
	}
	return err
}
