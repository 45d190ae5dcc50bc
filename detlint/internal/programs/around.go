package programs

// around has flaws in which something outside of the match influences it.
var around = []flaw{
	{"random: Int31n", "random", "", bySync, ``, `s.N += «rand.Int31n(1000)¦int32(s.Rand.Next()%1000)»`},
	{"random: v2", "random", "", bySync, ``, `s.N += «randv2.Int32N(1000)¦int32(s.Rand.Next()%1000)»`},
	{"random: N", "random", "", bySync, ``, `s.N += «randv2.N(int32(1000))¦int32(s.Rand.Next()%1000)»`},
	{"random: Perm", "random", "", bySync, ``, `list := «rand.Perm(9)¦[]int{3, 2, 1}»
s.N = s.N*3 + int32(list[0])`},
	{"random: Shuffle", "random", "", bySync, ``, `list := []int32{1, 2, 3, 4, 5}
swap := func(i, j int) { list[i], list[j] = list[j], list[i] }
«rand.Shuffle(len(list), swap)¦swap(0, 1)»
s.N = s.N*3 + list[0]`},
	{"random: crypto", "random", "", bySync, ``, `var b [2]byte
«_, _ = crand.Read(b[:])¦b[0] = 1»
s.N += int32(b[0])`},
	{"random: as a value", "random", "", bySync, `var roll$K = «rand.Intn¦func(n int) int { return n - 1 }»`, `s.N += int32(roll$K(1000))`},
	{"random: by an interface", "random", "", bySync, `type roller$K interface{ Roll(s *$S) int32 }

type dice$K struct{ sides int32 }

func (d dice$K) Roll(s *$S) int32 { return «rand.Int31n(d.sides)¦int32(s.Rand.Next()) & (d.sides - 1)» }

var roll$K roller$K = dice$K{1024}`, `s.N += roll$K.Roll(s)`},
	{"random: seeded by the clock", "clock random environment", "", bySync, ``, `r := rand.New(rand.NewSource(«time.Now().UnixNano()¦int64(s.M)»))
s.N += r.Int31n(1000)`},
	{"random: nil generator", "random", "", bySync, `func pick$K(f func() uint64) int32 { return int32(f() & 0xfff) }`, `s.N += pick$K(«randv2.Uint64¦s.Rand.Next»)`},
	{"clock: Now", "clock", "", bySync, ``, `s.Wide += «time.Now().UnixNano()¦int64(t.Frame())»`},
	{"clock: Since", "clock", "", bySync, `var start$K = time.«Now()¦Unix(0, 0).UTC()»`, `s.Wide += int64(«time.Since(start$K)¦time.Duration(start$K.Unix())»)`},
	{"clock: injected", "clock", "", bySync, `type clock$K struct{ now func() time.Time }

var clock$Kx = clock$K{now: «time.Now¦func() time.Time { return time.Unix(5, 0).UTC() }»}`, `s.Wide += clock$Kx.now().UnixNano()`},
	{"clock: interface", "clock", "", bySync, `type timer$K interface{ Now() time.Time }

type real$K struct{}

func (real$K) Now() time.Time { return «time.Now()¦time.Unix(7, 0).UTC()» }

func stamp$K(c timer$K) int64 { return c.Now().UnixNano() }`, `s.Wide += stamp$K(real$K{})`},
	{"clock: date", "clock environment", "", "", ``, `if «time.Now().Month()¦time.Month(s.M & 15)» == time.December {
	s.N++
}`},
	{"clock: timer", "clock concurrency", "", "", ``, `«timer := time.NewTimer(1); timer.Stop()¦s.M++»
s.N++`},
	{"clock: sleep", "clock", "", "", ``, `«time.Sleep(1)¦s.M++»
s.N++`},
	{"clock: budget", "clock", "", "", `func late$K(until time.Time) bool { return «time.Now().After(until)¦until.IsZero()» }`, `for range 5 {
	if late$K(time.Unix(int64(s.M), 0).UTC()) {
		break
	}
	s.N++
}`},
	{"clock: context", "clock concurrency environment", "", "", ``, `ctx := context.Background()
«ctx, cancel := context.WithTimeout(ctx, 1)
defer cancel()¦s.M++»
if ctx != nil {
	s.N++
}`},
	{"environment: variable", "environment", "", "", ``, `if «os.Getenv("HARD")¦"x"» != "" {
	s.N += 2
}`},
	{"environment: process", "environment", "", byProc, ``, `s.N += int32(«os.Getpid()¦5»)`},
	{"environment: arguments", "environment", "", "", ``, `s.N += int32(len(«os.Args¦[]string{"x"}»))`},
	{"environment: file", "environment", "", byProc, ``, `b, _ := «os.ReadFile("/proc/self/stat")¦[]byte("x"), error(nil)»
for _, x := range b {
	s.N = s.N*31 + int32(x)
}`},
	{"environment: host", "environment", "", "", ``, `name, _ := «os.Hostname()¦"host", error(nil)»
s.N += int32(len(name))`},
	{"environment: time zone", "environment", "", "", ``, `at := time.Unix(int64(s.N&0xffff), 0)«¦.UTC()»
s.N += int32(at.Hour())`},
	{"environment: directory", "environment", "", "", ``, `list, _ := «filepath.Glob("*.lua")¦[]string{"x"}, error(nil)»
s.N += int32(len(list))`},
	{"environment: loaded in an initialiser", "environment", "", byProc, `var level$K = «os.Getpid()¦4»`, `s.N += int32(level$K)`},
	{"machine: processors", "machine", "", "", ``, `s.N += int32(«runtime.NumCPU()¦4»)`},
	{"machine: GOMAXPROCS", "machine", "", "", ``, `s.N += int32(«runtime.GOMAXPROCS(0)¦4»)`},
	{"machine: goroutines", "machine", "", "", ``, `s.N += int32(«runtime.NumGoroutine()¦1»)`},
	{"machine: memory", "machine", "", bySync, ``, `var m runtime.MemStats
«runtime.ReadMemStats(&m)¦m.Mallocs = 3»
s.Wide += int64(m.Mallocs)`},
	{"machine: architecture", "machine", "", byWidth, ``, `if «runtime.GOARCH¦"amd64"» == "amd64" {
	s.N++
}
s.N++`},
	{"machine: constant of another name", "machine", "", byWidth, `const small$K = «runtime.GOARCH¦"x"» == "386"`, `if small$K {
	s.N++
}
s.N++`},
	{"machine: system in a switch", "machine", "", "", ``, `switch «runtime.GOOS¦"plan9"» {
case "windows":
	s.N += 2
default:
	s.N++
}`},
	{"machine: size of a word", "machine intwidth", "", byWidth, ``, `s.N += int32(«bits.UintSize¦64»)`},
	{"machine: IntSize", "machine intwidth", "", byWidth, ``, `const word = «strconv.IntSize¦64» / 8
s.N += word`},
	{"machine: Sizeof", "machine intwidth address", "", byWidth, ``, `s.N += int32(unsafe.Sizeof(«int(0)¦int32(0)»))`},
	{"machine: version", "machine environment", "", "", ``, `s.N += int32(len(«runtime.Version()¦"go"»))`},
	{"machine: stack", "machine", "", "", ``, `s.N += int32(len(«debug.Stack()¦[]byte{1}»))`},
	{"machine: caller", "machine", "", "", ``, `_, file, _, _ := «runtime.Caller(0)¦0, "x", 0, true»
s.N += int32(len(file))`},
	{"address: %p", "address", "", byProc, ``, `text := fmt.Sprintf("«%p¦%T»", s)
s.N += int32(text[len(text)-3])`},
	{"address: printed pointers", "address", "", byProc, ``, `text := fmt.Sprint([]«*int32{new(int32)}¦int32{4}»)
for _, c := range text {
	s.N = s.N*31 + int32(c)
}`},
	{"address: printed function", "address", "", "", ``, `f := func() {}
f()
text := fmt.Sprintf("«%v¦%T»", f)
for _, c := range text {
	s.N = s.N*31 + int32(c)
}`},
	{"address: as a number", "address", "", "", ``, `p := new([64]int64)
s.Wide += int64(«uintptr(unsafe.Pointer(p))>>9¦uintptr(len(p))»)`},
	{"address: reflect", "address", "", "", ``, `p := new([64]int64)
s.Wide += int64(reflect.ValueOf(p).«Pointer()¦Elem().Len()»)`},
	{"address: sorted", "address", "", "", ``, `list := []*int32{new(int32), new(int32)}
slices.SortFunc(list, func(a, b *int32) int {
	return cmp.Compare(«uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b))¦*a, *b»)
})
s.N += *list[0]`},
	{"address: struct with a pointer", "address", "", byProc, `type node$K struct {
	v    int32
	next *node$K
}`, `text := fmt.Sprintf("%v", «node$K{1, &node$K{}}¦node$K{1, nil}.v»)
for _, c := range text {
	s.N = s.N*31 + int32(c)
}`},
	{"maphash", "maphash", "", byProc, `var seed$K = maphash.MakeSeed()`, `s.N += int32(«maphash.String(seed$K, "x")¦uint64(s.M)» & 0xfff)`},
	{"maphash: Comparable", "maphash", "", byProc, `var seed$K = maphash.MakeSeed()`, `s.N += int32(«maphash.Comparable(seed$K, s.M)¦uint64(s.M)» & 0xfff)`},
	{"collector: pool", "collector", "", bySync, `var lists$K = sync.Pool{New: func() any { return new([]int32) }}`, `near := lists$K.Get().(*[]int32)
«s.M++¦*near = (*near)[:0]»
*near = append(*near, 1)
s.N += int32(len(*near))
lists$K.Put(near)`},
	{"collector: pool of structs", "collector", "", bySync, `type node$K struct{ n int32 }

var nodes$K = sync.Pool{New: func() any { return new(node$K) }}`, `x := nodes$K.Get().(*node$K)
«s.M++¦*x = node$K{}»
x.n++
s.N += x.n
nodes$K.Put(x)`},
	{"collector: weak", "collector", "", "", `var weak$K = weak.Make(new([64]int64))`, `if «weak$K.Value() == nil¦s.M == 9» {
	s.N++
}`},
	{"collector: finalizer", "collector", "", "", ``, `p := new([8]int64)
«runtime.SetFinalizer(p, func(*[8]int64) {})¦p[0]++»
s.Wide += p[1]`},
	{"collector: cleanup", "collector", "", "", ``, `p := new([8]int64)
«runtime.AddCleanup(p, func(int) {}, 1)¦p[0]++»
s.Wide += p[1]`},
	{"concurrency: first of two", "concurrency", "", "", ``, `«c := make(chan int32, 2)
for i := range int32(2) {
	go func() { c <- i }()
}
s.N += <-c¦s.N++»`},
	{"concurrency: WaitGroup", "concurrency", "", "", ``, `var wg sync.WaitGroup
var parts [4]int32
for i := range parts {
	«wg.Add(1); go func() { defer wg.Done(); parts[i]++ }()¦parts[i]++»
}
«wg.Wait()¦_ = &wg»
s.N += parts[0]`},
	{"concurrency: WaitGroup.Go", "concurrency", "", "", ``, `var wg sync.WaitGroup
sum := int32(0)
work := func() { sum++ }
«wg.Go(work)
wg.Wait()¦work()
_ = &wg»
s.N += sum`},
	{"concurrency: select", "concurrency", "", bySync, ``, `«a, b := make(chan int32, 1), make(chan int32, 1)
a <- 1
b <- 2
select {
case x := <-a:
	s.N += x
case x := <-b:
	s.N += x
}¦s.N++»`},
	{"concurrency: lock", "concurrency globals", "", "", `type safe$K struct {
	mu sync.RWMutex
	n  int32
}

func (x *safe$K) get() int32 {
	«x.mu.RLock(); defer x.mu.RUnlock()¦_ = &x.mu»
	return x.n
}`, `x := &safe$K{n: 2}
s.N += x.get()`},
	{"concurrency: goroutine in a helper", "concurrency", "", "", `func parallel$K(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		«wg.Go(func() { f(i) })¦f(i)»
	}
	«wg.Wait()¦_ = &wg»
}`, `parallel$K(3, func(i int) { s.Squad[i].HP++ })
s.N += s.Squad[0].HP`},
	{"output: Println", "output", "", "", ``, `«fmt.Println("hit", s.N)¦s.M++»
s.N++`},
	{"output: log", "output", "", "", ``, `«log.Printf("hit %d", s.N)¦s.M++»
s.N++`},
	{"output: slog", "output", "", "", ``, `«slog.Info("hit", "n", s.N)¦s.M++»
s.N++`},
	{"output: logger in a variable", "output", "", "", `var logger$K = log.New(io.Discard, "", 0)`, `«logger$K.Println(s.N)¦s.M++»
s.N++`},
	{"output: stderr", "output", "", "", ``, `«fmt.Fprintln(os.Stderr, s.N)¦s.M++»
s.N++`},
	{"output: println", "output", "", "", ``, `«println(s.N)¦s.M++»
s.N++`},
	{"output: debug hook", "output", "", "", `var debug$K = func(format string, args ...any) { «log.Printf(format, args...)¦_ = len(args)» }`, `debug$K("%d", s.N)
s.N++`},
	{"recovered: printed", "address environment machine encoding", "own", "", ``, `defer func() {
	if r := recover(); r != nil {
		s.Name = «fmt.Sprint(r)¦"failed"»
	}
}()
s.N += s.IDs[len(s.IDs)-1+int(s.N&1)]`},
	{"recovered: Error", "address environment machine encoding", "own", "", ``, `defer func() {
	if err, ok := recover().(error); ok && err != nil {
		s.Name = «err.Error()¦"failed"»
	}
}()
s.N += s.IDs[len(s.IDs)-1+int(s.N&1)]`},
	{"status: simulated again", "status", "", bySync, ``, `if «t.Resimulating()¦s.M == 77» {
	s.N++
}`},
	{"status: confirmed", "status", "", bySync, ``, `if t.Status(0) == rollback.«Confirmed¦Disconnected» {
	s.N++
}`},
	{"status: in a helper", "status", "", bySync, `func sure$K(t *$T, p rollback.Player) bool { return t.Status(p) != rollback.«Predicted¦Disconnected» }`, `if sure$K(t, 0) {
	s.N++
}`},
	{"status: stored", "status", "", bySync, ``, `st := t.Status(0)
s.M = int32(«st¦len("x")»)
if st == rollback.Disconnected { s.M++ }
s.N += s.M`},
	{"status: switch", "status", "", bySync, ``, `switch t.Status(0) {
case rollback.«Confirmed¦Disconnected»:
	s.N++
default:
	s.N += 2
}`},
	{"status: by an interface", "status", "", bySync, `type peek$K interface{ «Resimulating() bool¦Frame() rollback.Frame» }

func again$K(p any) int32 {
	if x, ok := p.(peek$K); ok && x.«Resimulating()¦Frame() > 3» {
		return 1
	}
	return 0
}`, `s.N += again$K(t)`},
	{"tick: kept", "retain globals", "", "", `var tick$K *$T`, `«tick$K = t¦_ = tick$K»
s.N++`},
	{"orders: kept", "retain", "own", bySync, ``, `«s.Last = t.Orders(0)¦s.Last = append(s.Last[:0], t.Orders(0)...)»
if len(s.Last) > 0 { s.N += int32(s.Last[0]) }`},
	{"orders: part kept", "retain", "own", bySync, ``, `if o := t.Orders(0); len(o) > 2 {
	s.Last = «o[1:3]¦append([]byte(nil), o[1:3]...)»
}`},
	{"orders: kept by a helper", "retain", "own", bySync, `func keep$K(s *$S, b []byte) { s.Last = «b¦slices.Clone(b)» }`, `keep$K(s, t.Orders(0))`},
	{"orders: cut", "retain", "own", bySync, ``, `before, _, _ := bytes.Cut(t.Orders(0), []byte{3})
s.Last = «before¦bytes.Clone(before)»`},
	{"orders: fields", "retain", "own", bySync, ``, `if f := bytes.Fields(t.Orders(0)); len(f) > 0 {
	s.Last = «f[0]¦bytes.Clone(f[0])»
}`},
	{"orders: split", "retain", "own", bySync, ``, `for _, part := range bytes.Split(t.Orders(0), []byte{3}) {
	s.Last = «part¦append([]byte{}, part...)»
}`},
	{"orders: SplitSeq", "retain", "own", bySync, ``, `for part := range bytes.SplitSeq(t.Orders(0), []byte{3}) {
	s.Last = «part¦append([]byte{}, part...)»
}`},
	{"orders: trimmed", "retain", "own", bySync, ``, `s.Last = «bytes.TrimSpace(t.Orders(0))¦bytes.Clone(bytes.TrimSpace(t.Orders(0)))»`},
	{"orders: prefix", "retain", "own", bySync, ``, `rest, _ := bytes.CutPrefix(t.Orders(0), []byte{1})
s.Last = «rest¦bytes.Clone(rest)»`},
	{"orders: unsafe text", "retain address", "own", bySync, ``, `if o := t.Orders(0); len(o) > 0 {
	s.Name = «unsafe.String(&o[0], len(o))¦string(o)»
}`},
	{"orders: buffer", "retain", "own", bySync, ``, `b := bytes.NewBuffer(t.Orders(0))
s.Last = «b.Next(3)¦bytes.Clone(b.Next(3))»`},
	{"orders: in a struct", "retain", "own", bySync, `type order$K struct {
	kind int32
	data []byte
}

func parse$K(b []byte) order$K { return order$K{1, b} }`, `o := parse$K(t.Orders(0))
s.Last = «o.data¦slices.Clone(o.data)»`},
	{"orders: appended to nothing", "retain", "own", bySync, ``, `o := t.Orders(0)
s.Last = append(«o[:0]¦s.Last[:0]», o...)`},
	{"orders: changed", "retain", "", bySync, ``, `o := t.Orders(0)
if len(o) > 0 {
	«o[0]++¦s.M++»
	s.N += int32(o[0])
}`},
	{"orders: sorted", "retain", "", bySync, ``, `o := t.Orders(0)
slices.SortFunc(«o¦slices.Clone(o)», func(a, b byte) int { return int(b) - int(a) })
if len(o) > 0 { s.N += int32(o[0]) }`},
	{"orders: chunks", "retain", "own", bySync, ``, `for c := range slices.Chunk(t.Orders(0), 2) {
	s.Last = «c¦slices.Clone(c)»
}`},
	{"orders: scanner", "retain", "own", bySync, ``, `sc := bufio.NewScanner(bytes.NewReader(t.Orders(0)))
for sc.Scan() {
	s.Last = «sc.Bytes()¦bytes.Clone(sc.Bytes())»
}`},
	{"excluded: decides", "excluded", "plain", byJoin, ``, `if «s.Flash¦s.M» > 2 {
	s.N++
}
s.Flash++`},
	{"excluded: by a method", "excluded", "plain", byJoin, `func ready$K(s *$S) bool { return «s.Flash¦s.M» > 3 }`, `if ready$K(s) {
	s.N += 3
}
s.Flash++`},
	{"excluded: added", "excluded", "plain", byJoin, ``, `s.Flash += 2
s.N += «s.Flash¦s.M»`},
	{"capacity: cap", "capacity", "own", bySync, ``, `s.IDs = append(s.IDs, 1)
if len(s.IDs) > 30 { s.IDs = nil }
s.N += int32(«cap¦len»(s.IDs))`},
	{"capacity: full", "capacity", "own", bySync, ``, `if len(s.IDs) == «cap(s.IDs)¦8» {
	s.N++
}
s.IDs = append(s.IDs, s.N)
if len(s.IDs) > 30 { s.IDs = nil }`},
	{"capacity: append into a part", "capacity", "own", "", ``, `if len(s.IDs) > 3 {
	part := append(s.IDs[:2«¦:2»], 99)
	s.N += part[2] + s.IDs[2]
}
s.IDs = append(s.IDs[:len(s.IDs):len(s.IDs)], s.N)
if len(s.IDs) > 30 { s.IDs = nil }`},
	{"capacity: stale memory", "capacity", "own", bySync, ``, `s.IDs = append(s.IDs[:0], 1, 2, s.N)
old := s.IDs[:2]
s.N += «old[:cap(old)][len(old)]¦old[1]»`},
	{"capacity: Builder", "capacity machine", "own", "", ``, `var b strings.Builder
b.WriteString(s.Name)
b.WriteString("x")
s.N += int32(b.«Cap¦Len»())`},
	{"capacity: Buffer", "capacity machine", "", "", ``, `var b bytes.Buffer
b.WriteString("xyz")
s.N += int32(b.«Available¦Len»())`},
	{"capacity: slices.Grow", "capacity", "", "", ``, `list := slices.Grow([]int32{1, 2}, 5)
s.N += int32(«cap¦len»(list))`},
	{"encoding: native order", "encoding", "", "", ``, `s.N += int32(binary.«NativeEndian¦LittleEndian».Uint32([]byte{1, 2, 3, 4}) & 0xffff)`},
	{"encoding: gob", "encoding", "", "", ``, `var b bytes.Buffer
«_ = gob.NewEncoder(&b).Encode(map[int32]int32{1: 2, 3: 4, 5: 6, 7: 8})¦b.WriteByte(3)»
for _, x := range b.Bytes() {
	s.N = s.N*31 + int32(x)
}`},
}
