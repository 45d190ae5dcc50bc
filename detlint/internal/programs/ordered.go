package programs

// ordered has flaws in which the result depends on an order.
var ordered = []flaw{
	{"map: last wins", "maporder", "", bySync, ``, `m := map[int32]int32{1: s.N, 2: 4, 3: 6, 4: 8}
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	s.M = k
}
s.N += s.M`},
	{"map: first wins", "maporder", "", bySync, ``, `m := map[int32]int32{1: 2, 2: 4, 3: s.N, 4: 8}
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	s.N += k
	break
}`},
	{"map: any of them", "maporder", "", bySync, `func any$K(m map[int32]bool) int32 {
	for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
		return k
	}
	return 0
}`, `s.N += any$K(map[int32]bool{1: true, 5: true, 9: true, 20: true})`},
	{"map: collected", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
var list []int32
for k := range m {
	list = append(list, k)
}
«s.M++¦slices.Sort(list)»
s.N = s.N*3 + list[0]`},
	{"map: folded", "maporder", "", bySync, ``, `m := map[int32]int32{1: 2, 3: 4, 5: 6, 7: 8}
h := int32(17)
for k, v := range m {
	h = «h*31 + k*v¦h + k*v»
}
s.N += h & 0xff`},
	{"map: best without a tie-break", "maporder", "", bySync, ``, `m := map[int32]int32{1: 7, 2: 7, 3: 7, 4: 1}
best, who := int32(-1), int32(0)
for k, v := range m {
	if v > best«¦ || v == best && k < who» {
		best, who = v, k
	}
}
s.N = s.N*3 + who`},
	{"map: floats added", "maporder", "", "", ``, `sum := 0.0
m := map[int32]float64{1: 1e16, 2: 1, 3: -1e16, 4: s.G}
«for _, v := range m { sum += v }¦for _, k := range slices.Sorted(maps.Keys(m)) { sum += m[k] }»
if sum > 2 {
	s.N++
}`},
	{"map: numbers drawn", "maporder", "", bySync, ``, `m := map[int32]int32{1: 1, 2: 1, 3: 1, 4: 1}
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	m[k] = int32(s.Rand.Next() & 7)
}
s.N = s.N*3 + m[1]`},
	{"map: sum that saturates", "maporder", "", bySync, ``, `m := map[int32]fixed.Num{1: fixed.Max, 2: -fixed.One, 3: fixed.One, 4: -fixed.Max / 2}
sum := fixed.Num(0)
for «_, v := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	sum = sum.Add(«v¦m[k]»)
}
s.Wide += int64(sum) & 0xffff`},
	{"map: early end by a count", "maporder", "", bySync, ``, `m := map[int32]int32{1: 1, 2: 2, 3: 4, 4: 8, 5: 16}
n := 0
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	if n++; n > 2 {
		break
	}
	s.N += m[k]
}`},
	{"map: numbered", "maporder", "", bySync, ``, `m := map[int32]int32{1: 0, 2: 0, 3: 0, 4: 0}
i := int32(0)
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	m[k] = i
	i++
}
s.N = s.N*5 + m[2]`},
	{"map: text", "maporder", "", bySync, ``, `m := map[string]int32{"a": 1, "b": 2, "c": 3, "d": 4}
text := ""
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	text += k
}
s.N += int32(text[0])`},
	{"map: into a Builder", "maporder", "", bySync, ``, `m := map[string]int32{"a": 1, "b": 2, "c": 3, "d": 4}
var b strings.Builder
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	b.WriteString(k)
}
s.N += int32(b.String()[0])`},
	{"map: maps.Keys", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
list := slices.«Collect¦Sorted»(maps.Keys(m))
s.N = s.N*3 + list[1]`},
	{"map: maps.Values in a loop", "maporder", "", bySync, ``, `m := map[int32]int32{3: 1, 6: 2, 9: 3, 14: 4}
for v := range maps.Values(m) {
	s.M = «s.M*3 + v¦s.M + v»
}
s.N += s.M & 0xff`},
	{"map: generic keys", "maporder", "", bySync, `func keys$K[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	list := make([]K, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	«_ = len(list)¦slices.Sort(list)»
	return list
}`, `list := keys$K(map[int32]bool{3: true, 6: true, 9: true, 14: true})
s.N = s.N*3 + list[0]`},
	{"map: own iterator", "maporder", "", bySync, `type set$K map[int32]bool

func (x set$K) All() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for «k := range x¦_, k := range slices.Sorted(maps.Keys(x))» {
			if !yield(k) {
				return
			}
		}
	}
}`, `for k := range (set$K{3: true, 6: true, 9: true, 14: true}).All() {
	s.M = k
}
s.N += s.M`},
	{"map: callback for each", "maporder", "", bySync, `type set$K struct{ m map[int32]bool }

func (x set$K) each(f func(int32)) {
	for «k := range x.m¦_, k := range slices.Sorted(maps.Keys(x.m))» {
		f(k)
	}
}`, `set$K{map[int32]bool{3: true, 6: true, 9: true, 14: true}}.each(func(k int32) { s.M = k })
s.N += s.M`},
	{"map: sorted with ties", "maporder sorttie", "", bySync, ``, `m := map[int32]int32{3: 1, 6: 1, 9: 1, 14: 1}
list := slices.Collect(maps.Keys(m))
slices.SortFunc(list, func(a, b int32) int { return «cmp.Compare(m[a], m[b])¦cmp.Or(cmp.Compare(m[a], m[b]), cmp.Compare(a, b))» })
s.N = s.N*3 + list[0]`},
	{"map: largest of a list", "maporder", "", bySync, ``, `m := map[int32][]int32{1: {1, 2}, 2: {3, 4}, 3: {5, 6}}
var longest []int32
for «_, l := range m¦_, l := range [][]int32{m[1], m[2]}» {
	if len(l) > len(longest) {
		longest = l
	}
}
s.N = s.N*3 + longest[0]`},
	{"map: entities hurt each other", "maporder", "own", bySync, ``, `for id, u := range s.Units {
	if o := s.Units[id%6+1]; o != nil {
		«o.HP -= u.HP & 3¦s.N += (o.HP + u.HP) & 3»
	}
}
for _, id := range []int32{1, 2, 3} {
	if u := s.Units[id]; u != nil {
		s.N = s.N*7 + u.HP&15
	}
}`},
	{"map: method of an entity appends to the state", "maporder", "own", bySync, `func hurt$K(u *$U, s *$S) {
	u.HP--
	if u.HP&1 == 0 {
		«s.IDs = append(s.IDs[:len(s.IDs):len(s.IDs)], u.ID)¦s.M++»
	}
}`, `if len(s.IDs) > 20 { s.IDs = s.IDs[:0] }
for _, u := range s.Units {
	hurt$K(u, s)
}
if len(s.IDs) > 0 { s.N = s.N*3 + s.IDs[0] }`},
	{"map: first to be removed", "maporder", "own", bySync, ``, `for id, u := range s.Units {
	if u.HP >= 0 && s.N&3 == 1 {
		delete(s.Units, id)
		«break¦continue»
	}
}
s.N += int32(len(s.Units))
for id := range s.Units {
	s.N += id
}`},
	{"map: numbers given to new entities", "maporder", "own", bySync, ``, `next := int32(100)
for _, u := range s.Units {
	«u.Rank = next¦u.Rank = u.ID»
	next++
}
if u := s.Units[2]; u != nil { s.N = s.N*3 + u.Rank }`},
	{"map: nearest", "maporder", "own", bySync, ``, `var near *$U
for _, u := range s.Units {
	if near == nil || u.Rank < near.Rank«¦ || u.Rank == near.Rank && u.ID < near.ID» {
		near = u
	}
}
if near != nil { s.N = s.N*3 + near.ID }`},
	{"map: nested maps", "maporder", "", bySync, ``, `m := map[int32]map[int32]int32{1: {1: 2, 2: 3}, 2: {1: 5, 2: 7}}
h := int32(1)
for _, inner := range m {
	for k, v := range inner {
		h = «h*3 + k*v¦h + k*v»
	}
}
s.N += h & 0xff`},
	{"map: reflect", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
list := «reflect.ValueOf(m).MapKeys()¦[]reflect.Value{reflect.ValueOf(int32(len(m)))}»
s.N += int32(list[0].Int())`},
	{"map: iter.Pull of keys", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
next, stop := iter.Pull(«maps.Keys(m)¦slices.Values(slices.Sorted(maps.Keys(m)))»)
k, _ := next()
stop()
s.N += k`},
	{"map: decoded JSON", "maporder", "", bySync, ``, `var m map[string]int32
if json.Unmarshal([]byte("{\"a\":1,\"b\":2,\"c\":3,\"d\":4}"), &m) == nil {
	for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
		s.M = int32(k[0])
	}
}
s.N += s.M`},
	{"map: inserted meanwhile", "maporder", "", bySync, ``, `m := map[int32]int32{1: 1, 2: 2, 3: 3, 4: 4}
for «k := range m¦k := range maps.Clone(m)» {
	m[k+10] = 1
}
s.N += int32(len(m))`},
	{"map: positions of a list", "maporder", "own", bySync, ``, `s.List = s.List[:0]
for «_, u := range s.Units¦_, id := range slices.Sorted(maps.Keys(s.Units))» {
	s.List = append(s.List, «*u¦*s.Units[id]»)
}
if len(s.List) > 1 { s.N = s.N*3 + s.List[1].ID }`},
	{"map: filtered into a list", "maporder", "own", bySync, `func alive$K(m map[int32]*$U) (list []*$U) {
	for _, u := range m {
		if u.HP != 12345 {
			list = append(list, u)
		}
	}
	«_ = list¦slices.SortFunc(list, func(a, b *$U) int { return cmp.Compare(a.ID, b.ID) })»
	return list
}`, `if list := alive$K(s.Units); len(list) > 0 { s.N = s.N*3 + list[0].ID }`},
	{"map: returned by a search", "maporder", "own", bySync, `func find$K(s *$S) *$U {
	for «_, u := range s.Units¦_, u := range []*$U{s.Units[1], s.Units[2]}» {
		if u != nil && u.HP != 12345 {
			return u
		}
	}
	return nil
}`, `if u := find$K(s); u != nil { s.N = s.N*3 + u.ID }`},
	{"map: grouped lists", "maporder", "own", bySync, ``, `groups := map[int32][]int32{}
for id, u := range s.Units {
	groups[u.Rank] = append(groups[u.Rank], id)
}
«s.M++¦for _, g := range groups { slices.Sort(g) }»
if g := groups[1]; len(g) > 0 { s.N = s.N*3 + g[0] }`},
	{"map: queue filled", "maporder", "", bySync, ``, `open := map[int32]bool{1: true, 2: true, 3: true, 4: true}
var queue []int32
for k := range open {
	queue = append(queue, k)
}
«s.M++¦slices.Sort(queue)»
for len(queue) > 0 {
	n := queue[0]
	queue = queue[1:]
	s.M = s.M*3 + n
}
s.N += s.M & 0xff`},
	{"map: sync.Map", "maporder concurrency", "", bySync, ``, `m := new(sync.Map)
_ = m
for i := range int32(9) {
	«m.Store(i, i)¦s.M += i»
}
«m.Range(func(k, _ any) bool { s.M = k.(int32); return false })¦s.M++»
s.N += s.M`},
	{"map: struct keys", "maporder", "", bySync, ``, `type cell struct{ x, y int32 }
m := map[cell]int32{{1, 2}: 3, {3, 4}: 5, {5, 6}: 7, {7, 8}: 9}
var at cell
for c, v := range m {
	if v > 1 {
		«at = c¦at.x += c.x»
	}
}
s.N = s.N*3 + at.x`},
	{"map: minimum of floats by key", "maporder", "", bySync, ``, `m := map[int32]float64{1: 0.5, 2: 0.5, 3: 0.5, 4: 2}
who := int32(0)
least := 9.0
for k, d := range m {
	if d < least«¦ || d == least && k < who» {
		least, who = d, k
	}
}
s.N = s.N*3 + who`},
	{"map: budget", "maporder", "", bySync, ``, `m := map[int32]int32{1: 5, 2: 7, 3: 4, 4: 6}
left := int32(10)
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	if cost := m[k]; cost <= left {
		left -= cost
		s.N += k
	}
}`},
	{"map: toggled", "maporder", "", bySync, ``, `m := map[int32]bool{1: true, 2: true, 3: false, 4: false}
on := false
n := int32(0)
for _, v := range m {
	if v != on {
		«on = v¦n += 0»
		n++
	}
}
s.N += n`},
	{"map: function called for each", "maporder", "own", bySync, `var draw$K = []func(s *$S, u *$U){func(s *$S, u *$U) { «s.M = s.M*3 + u.ID¦u.HP++» }}`, `for _, u := range s.Units {
	for _, f := range draw$K {
		f(s, u)
	}
}
s.N += s.M & 0xff`},
	{"map: two variables swapped", "maporder", "", bySync, ``, `m := map[int32]int32{1: 5, 2: 7, 3: 4, 4: 6}
first, second := int32(0), int32(0)
for _, v := range m {
	«first, second = v, first¦first, second = first+v, second+v»
}
s.N = s.N*3 + first - second`},

	{"sort: Slice with ties", "sorttie", "", "", ``, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
sort.«Slice¦SliceStable»(list, func(i, j int) bool { return list[i].HP < list[j].HP })
s.N = s.N*3 + list[2].ID`},
	{"sort: SortFunc with ties", "sorttie", "", "", ``, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
slices.SortFunc(list, func(a, b $U) int { return «cmp.Compare(a.HP, b.HP)¦cmp.Or(cmp.Compare(a.HP, b.HP), cmp.Compare(a.ID, b.ID))» })
s.N = s.N*3 + list[2].ID`},
	{"sort: interface with ties", "sorttie", "", "", `type byHP$K []$U

func (b byHP$K) Len() int           { return len(b) }
func (b byHP$K) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b byHP$K) Less(i, j int) bool { return b[i].HP < b[j].HP }`, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
sort.«Sort¦Stable»(byHP$K(list))
s.N = s.N*3 + list[2].ID`},
	{"sort: comparison in a variable", "sorttie", "", "", `var byHP$K = func(a, b $U) int { return int(a.HP - b.HP) }`, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
slices.«SortFunc¦SortStableFunc»(list, byHP$K)
s.N = s.N*3 + list[2].ID`},
	{"sort: generic helper", "sorttie", "", "", `func by$K[E any, V cmp.Ordered](list []E, key func(E) V) {
	slices.SortFunc(list, func(a, b E) int { return cmp.Compare(key(a), key(b)) })
}`, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
by$K(list, func(u $U) int32 { return u.«HP¦ID» })
s.N = s.N*3 + list[2].ID`},
	{"sort: by distance", "sorttie", "", "", `func dist$K(u $U) int64 { return int64(u.X)*int64(u.X) + int64(u.Y)*int64(u.Y) }`, `list := []$U{{ID: 1, X: 3}, {ID: 2, Y: 3}, {ID: 3, X: -3}}
sort.Slice(list, func(i, j int) bool {
	a, b := dist$K(list[i]), dist$K(list[j])
	«return a < b¦if a != b { return a < b }; return list[i].ID < list[j].ID»
})
s.N = s.N*3 + list[0].ID`},
	{"sort: heap with ties", "sorttie", "", "", `type item$K struct{ at, prio int32 }

type heap$K []item$K

func (h heap$K) Len() int           { return len(h) }
func (h heap$K) Less(i, j int) bool { return h[i].prio < h[j].prio«¦ || h[i].prio == h[j].prio && h[i].at < h[j].at» }
func (h heap$K) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heap$K) Push(x any)        { *h = append(*h, x.(item$K)) }
func (h *heap$K) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}`, `h := heap$K{{1, 2}, {2, 2}, {3, 2}}
heap.Init(&h)
heap.Push(&h, item$K{4, 2})
s.N = s.N*3 + heap.Pop(&h).(item$K).at`},
	{"sort: reversed with ties", "sorttie", "", "", ``, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
slices.SortFunc(list, func(a, b $U) int { return cmp.Compare(b.«HP¦ID», a.«HP¦ID») })
s.N = s.N*3 + list[0].ID`},
}
