package inject

// Kind is one kind of nondeterminism.
type Kind struct {
	Name  string
	Rules []string // rules; one of them must find it
	Decl  string   // declarations of the package
	Body  string   // statements that set the variable out, an int64
	Tick  bool     // it needs the tick, so it must be at the place itself
}

// Mark ends the lines at fault.
const Mark = "//!"

// Kinds has all kinds, in the order of the rules. In their code, # stands for a number that is unique for each fault,
// and {path} for the name under which a package is imported.
var Kinds = []Kind{
	// The order of maps.
	{Name: "map: last key", Rules: []string{"maporder"}, Body: `
		for k := range map[int64]bool{3: true, 5: true, 9: true, 14: true} { //!
			out = k
		}`},
	{Name: "map: first key", Rules: []string{"maporder"}, Body: `
		for k := range map[int64]bool{3: true, 6: true, 9: true, 14: true} { //!
			out = k
			break
		}`},
	{Name: "map: folded", Rules: []string{"maporder"}, Body: `
		for k, v := range map[int64]int64{3: 1, 5: 2, 9: 4, 14: 8} { //!
			out = out*31 + k*v
		}`},
	{Name: "map: collected", Rules: []string{"maporder"}, Body: `
		var list []int64
		for k := range map[int64]bool{3: true, 6: true, 9: true, 14: true} { //!
			list = append(list, k)
		}
		out = list[0]`},
	{Name: "map: maps.Keys", Rules: []string{"maporder"}, Body: `
		for k := range {maps}.Keys(map[int64]bool{3: true, 5: true, 9: true}) { //!
			out = out<<4 ^ k
		}`},
	{Name: "map: best without tie-break", Rules: []string{"maporder"}, Body: `
		best := int64(-1)
		for k, v := range map[int64]int64{3: 7, 6: 7, 9: 7, 14: 2} { //!
			if v > best {
				best, out = v, k
			}
		}`},
	{Name: "map: sum of floats", Rules: []string{"maporder"}, Body: `
		sum := 0.0
		for _, v := range map[int]float64{1: 1e16, 2: 1, 3: -1e16, 4: 3} { //!
			sum += v
		}
		if sum > 2 {
			out = 1
		}`},
	{Name: "map: reflect", Rules: []string{"maporder"}, Body: `
		out = {reflect}.ValueOf(map[int64]bool{3: true, 6: true, 9: true}).MapKeys()[0].Int() //!`},

	// The environment of the program.
	{Name: "clock: Now", Rules: []string{"clock"}, Body: `
		out = {time}.Now().UnixNano() //!`},
	{Name: "clock: Since", Rules: []string{"clock"}, Decl: `var start# = {time}.Now() //!`, Body: `
		out = int64({time}.Since(start#)) //!`},
	{Name: "clock: timer", Rules: []string{"clock", "concurrency"}, Body: `
		select { //!
		case <-{time}.After(1): //!
			out = 1
		default:
		}`},
	{Name: "random: math/rand/v2", Rules: []string{"random"}, Body: `
		out = {math/rand/v2}.Int64() //!`},
	{Name: "random: math/rand", Rules: []string{"random"}, Body: `
		out = int64({math/rand}.Intn(1000)) //!`},
	{Name: "random: crypto/rand", Rules: []string{"random"}, Body: `
		var b [2]byte
		_, _ = {crypto/rand}.Read(b[:]) //!
		out = int64(b[0])`},
	{Name: "environment: process", Rules: []string{"environment"}, Body: `
		out = int64({os}.Getpid()) //!`},
	{Name: "environment: variable", Rules: []string{"environment"}, Body: `
		out = int64(len({os}.Getenv("HOME")) + len({os}.Args)) //!`},
	{Name: "environment: file", Rules: []string{"environment"}, Body: `
		b, _ := {os}.ReadFile("/proc/self/stat") //!
		for _, x := range b {
			out = out*31 + int64(x)
		}`},
	{Name: "environment: time zone", Rules: []string{"environment"}, Body: `
		out = int64({time}.Unix(1e9, 0).Hour()) //!`},
	{Name: "machine: processors", Rules: []string{"machine"}, Body: `
		out = int64({runtime}.NumCPU()) //!`},
	{Name: "machine: goroutines", Rules: []string{"machine"}, Body: `
		out = int64({runtime}.NumGoroutine()) //!`},
	{Name: "machine: architecture", Rules: []string{"machine"}, Body: `
		out = int64(len({runtime}.GOARCH)) //!`},
	{Name: "machine: memory", Rules: []string{"machine"}, Body: `
		var m {runtime}.MemStats
		{runtime}.ReadMemStats(&m) //!
		out = int64(m.Mallocs)`},

	// Memory and addresses.
	{Name: "address: %p", Rules: []string{"address"}, Body: `
		p := new(int64)
		s := {fmt}.Sprintf("%p", p) //!
		out = int64(s[len(s)-2])`},
	{Name: "address: printed pointer", Rules: []string{"address"}, Body: `
		s := {fmt}.Sprint([]*int64{new(int64)}) //!
		for _, c := range s {
			out = out*31 + int64(c)
		}`},
	{Name: "address: uintptr", Rules: []string{"address"}, Body: `
		p := new([64]int64)
		out = int64(uintptr({unsafe}.Pointer(p))>>9) + p[0] //!`},
	{Name: "address: reflect", Rules: []string{"address"}, Body: `
		out = int64({reflect}.ValueOf(new([64]int64)).Pointer() >> 9) //!`},
	{Name: "maphash", Rules: []string{"maphash"}, Body: `
		out = int64({hash/maphash}.String({hash/maphash}.MakeSeed(), "seed") >> 8) //!`},
	{Name: "collector: pool", Rules: []string{"collector"}, Decl: `var pool# = {sync}.Pool{New: func() any { return new(int64) }}`, Body: `
		p := pool#.Get().(*int64) //!
		*p++
		out = *p
		pool#.Put(p) //!`},
	{Name: "collector: weak pointer", Rules: []string{"collector"}, Decl: `var weak# = {weak}.Make(new([64]int64)) //!`, Body: `
		if weak#.Value() == nil { //!
			out = 1
		}`},

	// What runs concurrently with the step.
	{Name: "goroutine", Rules: []string{"concurrency"}, Body: `
		c := make(chan int64, 2) //!
		go func() { c <- 1 }() //!
		go func() { c <- 2 }() //!
		out = <-c //!`},
	{Name: "select", Rules: []string{"concurrency"}, Body: `
		a, b := make(chan int64, 1), make(chan int64, 1) //!
		a <- 1 //!
		b <- 2 //!
		select { //!
		case out = <-a:
		case out = <-b:
		}`},
	{Name: "atomic counter", Rules: []string{"concurrency", "globals"}, Decl: `var shared# {sync/atomic}.Int64`, Body: `
		out = shared#.Add(1) //!`},
	{Name: "sync.Map", Rules: []string{"maporder", "concurrency"}, Body: `
		var m {sync}.Map
		for i := range int64(9) {
			m.Store(i, i) //!
		}
		m.Range(func(k, _ any) bool { out = k.(int64); return false }) //!`},

	// Variables outside of the game's state.
	{Name: "variable: counted", Rules: []string{"globals"}, Decl: `var count# int64`, Body: `
		count#++ //!
		out = count# //!`},
	{Name: "variable: cache", Rules: []string{"globals"}, Decl: `var cache# = map[int64]int64{}`, Body: `
		if len(cache#) < 1000 { //!
			cache#[int64(len(cache#))] = 1 //!
		}
		out = int64(len(cache#)) //!`},
	{Name: "variable: behind a pointer", Rules: []string{"globals"}, Decl: "type kept# struct{ n int64 }\n\nvar behind# = &kept#{}\n\nfunc (k *kept#) grow() int64 {\n\tk.n++\n\treturn k.n\n}", Body: `
		out = behind#.grow() //!`},
	{Name: "closure", Rules: []string{"closure", "globals"}, Decl: "var next# = func() func() int64 {\n\tn := int64(0)\n\treturn func() int64 {\n\t\tn++ //!\n\t\treturn n //!\n\t}\n}()", Body: `
		out = next#()`},

	// Order and numbers.
	{Name: "sort: ties", Rules: []string{"sorttie"}, Body: `
		type pair struct{ rank, who int64 }
		var list []pair
		for i := range int64(40) {
			list = append(list, pair{i % 3, i})
		}
		{slices}.SortFunc(list, func(a, b pair) int { return int(a.rank - b.rank) }) //!
		out = list[0].who`},
	{Name: "sort: sort.Slice", Rules: []string{"sorttie"}, Body: `
		list := [][2]int64{{1, 2}, {1, 3}, {0, 4}, {0, 5}}
		rank := func(i int) int64 { return list[i][0] }
		{sort}.Slice(list, func(i, j int) bool { return rank(i)/2 < rank(j)/2 }) //!
		out = list[0][1]`},
	{Name: "float: fused", Rules: []string{"fusedfloat"}, Body: `
		x, y := float64({time}.Duration(10).Nanoseconds())/97, 0.1
		for range 9 {
			x = x*y + 0.7 //!
		}
		out = int64({github.com/tickback/tickback/portable}.Float64bits(x))`},
	{Name: "float: math", Rules: []string{"mathfunc"}, Body: `
		x := 0.1
		for range 9 {
			x = {math}.Exp(x) - {math}.Sin(x) //!
		}
		out = int64({github.com/tickback/tickback/portable}.Float64bits(x))`},
	{Name: "float: does not fit", Rules: []string{"floatint"}, Body: `
		x := {math}.Inf(1)
		out = int64(int32(x)) //!`},
	{Name: "float: NaN as a key", Rules: []string{"nankey"}, Body: `
		m := map[float64]int64{}
		for i := range int64(4) {
			m[{math}.NaN()] += i //!
		}
		for _, v := range m {
			out = out*3 + v
		}`},
	{Name: "width of int", Rules: []string{"intwidth"}, Body: `
		n := len({strconv}.Itoa(12345)) * 100003
		out = int64(n * n) >> 7 //!`},
	{Name: "capacity", Rules: []string{"capacity"}, Body: `
		var list []int64
		for i := range int64(5) {
			list = append(list, i)
		}
		out = int64(cap(list)) //!`},
	{Name: "capacity: stale memory", Rules: []string{"capacity"}, Body: `
		list := append([]int64(nil), 1, 2, 3)
		list = list[:cap(list)] //!
		out = int64(len(list)) + list[len(list)-1]`},
	{Name: "native byte order", Rules: []string{"encoding"}, Body: `
		out = int64({encoding/binary}.NativeEndian.Uint32([]byte{1, 2, 3, 4})) //!`},
	{Name: "gob", Rules: []string{"encoding"}, Body: `
		var b {bytes}.Buffer
		_ = {encoding/gob}.NewEncoder(&b).Encode(map[int64]int64{1: 2, 3: 4, 5: 6}) //!
		for _, x := range b.Bytes() {
			out = out*31 + int64(x)
		}`},

	// What is predicted.
	{Name: "resimulation", Rules: []string{"status"}, Tick: true, Body: `
		if TICK.Resimulating() { //!
			out = 1
		}`},
	{Name: "status of an input", Rules: []string{"status"}, Tick: true, Body: `
		if TICK.Status(0) == 1 { //!
			out = 1
		}`},
}
