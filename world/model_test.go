package world

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

var seed = flag.Uint64("world.seed", 0, "seed of the random tests; 0: another one each time")

func random(t testing.TB) *rand.Rand {
	s := *seed
	if s == 0 {
		s = rand.Uint64()
	}
	t.Logf("-world.seed=%d", s)
	return rand.New(rand.NewPCG(s, 1))
}

// rounds returns a tenth of them for short tests.
func rounds(long int) int {
	if testing.Short() {
		return long / 10
	}
	return long
}

// model is a sample as maps: what the world has to be equal to.
type model struct {
	used   [2]map[int]uint32 // generations of the rows of units and shots
	live   [2]map[int]bool
	pos    map[int]vec
	health map[int]int32
	target map[int]Entity
	order  map[int]order
	ttl    map[int]int16
	rules  rules
	size   [2]int
	walls  map[[2]int]uint16
	scores map[int32]int64
	marks  map[uint16]bool
}

func newModel() *model {
	m := &model{
		pos: map[int]vec{}, health: map[int]int32{}, target: map[int]Entity{}, order: map[int]order{}, ttl: map[int]int16{},
		walls: map[[2]int]uint16{}, scores: map[int32]int64{}, marks: map[uint16]bool{},
	}
	for i := range m.used {
		m.used[i], m.live[i] = map[int]uint32{}, map[int]bool{}
	}
	return m
}

func (m *model) clone() *model {
	c := *m
	for i := range m.used {
		c.used[i], c.live[i] = maps.Clone(m.used[i]), maps.Clone(m.live[i])
	}
	c.pos, c.health, c.target, c.order, c.ttl = maps.Clone(m.pos), maps.Clone(m.health), maps.Clone(m.target), maps.Clone(m.order), maps.Clone(m.ttl)
	c.walls, c.scores, c.marks = maps.Clone(m.walls), maps.Clone(m.scores), maps.Clone(m.marks)
	return &c
}

// key is equal for equal models only.
func (m *model) key() string {
	nonzero := func(h map[int]int32) map[int]int32 {
		h = maps.Clone(h)
		maps.DeleteFunc(h, func(_ int, v int32) bool { return v == 0 })
		return h
	}
	pos, walls, ttl := maps.Clone(m.pos), maps.Clone(m.walls), maps.Clone(m.ttl)
	maps.DeleteFunc(pos, func(_ int, v vec) bool { return v == vec{} })
	maps.DeleteFunc(walls, func(_ [2]int, v uint16) bool { return v == 0 })
	maps.DeleteFunc(ttl, func(_ int, v int16) bool { return v == 0 })
	return fmt.Sprint(m.used, m.live, pos, nonzero(m.health), m.target, m.order, ttl, m.rules, m.size, walls, m.scores, m.marks)
}

func (m *model) spawn(table int) Entity {
	row := 0
	for m.live[table][row] {
		row++
	}
	m.live[table][row] = true
	m.used[table][row]++
	return entityOf(table+1, row, m.used[table][row])
}

func (m *model) alive(e Entity) bool {
	return e != 0 && m.live[e.table()-1][e.Row()] && m.used[e.table()-1][e.Row()] == e.Generation()
}

func (m *model) kill(e Entity) bool {
	if !m.alive(e) {
		return false
	}
	row := e.Row()
	delete(m.live[e.table()-1], row)
	if e.table() == 1 {
		delete(m.pos, row)
		delete(m.health, row)
		delete(m.target, row)
		delete(m.order, row)
	} else {
		delete(m.ttl, row)
	}
	return true
}

// compare fails unless the world is what the model is.
func (m *model) compare(t *testing.T, what string, w *sample) {
	t.Helper()
	for i, table := range []*Table{&w.Units.Table, &w.Shots.Table} {
		if got, want := rowsOf(table), slices.Sorted(maps.Keys(m.live[i])); !slices.Equal(got, want) || table.Len() != len(want) {
			t.Fatalf("%s: %s lives in %v, want %v", what, table.path, got, want)
		}
	}
	for e := range w.Units.All() {
		row := e.Row()
		pos, _ := w.Units.Pos.Get(e)
		health, _ := w.Units.Health.Get(e)
		target, has := w.Units.Target.Get(e)
		_, wantTarget := m.target[row]
		o, hasOrder := w.Units.Order.Get(e)
		_, wantOrder := m.order[row]
		if pos != m.pos[row] || health != m.health[row] || target != m.target[row] || has != wantTarget || o != m.order[row] || hasOrder != wantOrder {
			t.Fatalf("%s: unit %v differs", what, e)
		}
	}
	for e := range w.Shots.All() {
		if ttl, _ := w.Shots.TTL.Get(e); ttl != m.ttl[e.Row()] {
			t.Fatalf("%s: shot %v differs", what, e)
		}
	}
	if width, height := w.Walls.Size(); w.Rules.Get() != m.rules || m.size != [2]int{width, height} {
		t.Fatalf("%s: the rules or the size of the walls differ", what)
	}
	for y := range m.size[1] {
		for x := range m.size[0] {
			if w.Walls.At(x, y) != m.walls[[2]int{x, y}] {
				t.Fatalf("%s: the wall at %d, %d differs", what, x, y)
			}
		}
	}
	if got := maps.Collect(w.Scores.All()); !maps.Equal(got, m.scores) || w.Scores.Len() != len(m.scores) {
		t.Fatalf("%s: scores %v, want %v", what, got, m.scores)
	}
	if got, want := slices.Collect(w.Marks.Keys()), slices.Sorted(maps.Keys(m.marks)); !slices.Equal(got, want) {
		t.Fatalf("%s: marks %v, want %v", what, got, want)
	}
}

func rowsOf(t *Table) (rows []int) {
	for e := range t.All() {
		rows = append(rows, e.Row())
	}
	return rows
}

// saved is a snapshot with the model of what is in it.
type saved struct {
	*Snapshot
	model *model
}

// walker does random things to a world and to its model.
type walker struct {
	*testing.T
	*rand.Rand
	w      *sample
	m      *model
	held   []saved
	known  [2][]Entity // entities that are or were alive
	hashOf map[string]uint64
	keyOf  map[uint64]string
	most   int // about so many entities of a table
}

// Rule: whatever is done to a world, it is equal to a naive one made of maps, and so are its
// snapshots, at any time.
func TestAWorldEqualsOneOfMaps(t *testing.T) {
	operations := 1_000_000
	if testing.Short() {
		operations = 8000
	}
	r := walker{T: t, Rand: random(t), w: newSample(t), m: newModel(), hashOf: map[string]uint64{}, keyOf: map[uint64]string{}, most: 20}
	for n := 0; n < operations; {
		if r.IntN(100) == 0 {
			r.most = 1 << r.IntN(10)
		}
		count := 1 + r.IntN(r.most/2+10)
		Update(r.w, func(*sample) {
			for range count {
				r.change()
			}
		})
		n += count + 1
		r.between()
	}
	r.m.compare(t, "at the end", r.w)
}

func (r *walker) some(table int) Entity {
	if len(r.known[table]) == 0 {
		return 0
	}
	return r.known[table][r.IntN(len(r.known[table]))]
}

// change does one thing in a step.
func (r *walker) change() {
	e, w, m := r.some(0), r.w, r.m
	alive := m.alive(e)
	check := func(what string, got bool) {
		if got != alive {
			r.Fatalf("%s of %v: %v, want %v", what, e, got, alive)
		}
	}
	switch v := int64(r.IntN(5)); r.IntN(14) {
	case 0, 1:
		r.spawn(r.IntN(2))
	case 2:
		r.kill(r.IntN(2))
	case 3:
		if check("Set", w.Units.Pos.Set(e, vec{v, -v})); alive {
			m.pos[e.Row()] = vec{v, -v}
		}
	case 4:
		if check("Put", w.Units.Target.Put(e, r.some(1))); alive {
			m.target[e.Row()], _ = w.Units.Target.Get(e)
		}
	case 5:
		o := order{Kind: uint8(v), To: vec{v, v}, Slow: v > 2}
		if check("Put", w.Units.Order.Put(e, o)); alive {
			m.order[e.Row()] = o
		}
	case 6:
		_, has := m.order[e.Row()]
		if alive = alive && has; w.Units.Order.Drop(e) != alive {
			r.Fatal("Drop of an order")
		} else if alive {
			delete(m.order, e.Row())
		}
	case 7, 8:
		r.write(int32(v))
	case 9:
		m.rules = rules{uint64(v), [3]int16{int16(v)}}
		w.Rules.Set(m.rules)
	case 10:
		r.wall(uint16(v))
	case 11:
		k := int32(r.IntN(r.most)) - 10
		m.scores[k] = v
		w.Scores.Put(k, v)
	case 12:
		k := int32(r.IntN(r.most)) - 10
		if _, has := m.scores[k]; w.Scores.Drop(k) != has {
			r.Fatal("Drop of a score")
		}
		delete(m.scores, k)
	case 13:
		m.marks[uint16(v)*91] = true
		w.Marks.Add(uint16(v) * 91)
	}
}

func (r *walker) spawn(table int) {
	if len(r.m.live[table]) >= r.most {
		return
	}
	e, err := []*Table{&r.w.Units.Table, &r.w.Shots.Table}[table].Spawn()
	if want := r.m.spawn(table); err != nil || e != want {
		r.Fatalf("Spawn: %v, %v, want %v", e, err, want)
	}
	if r.known[table] = append(r.known[table], e); len(r.known[table]) > 2*r.most+20 {
		r.known[table] = r.known[table][r.most:]
	}
}

func (r *walker) kill(table int) {
	e := r.some(table)
	err := []*Table{&r.w.Units.Table, &r.w.Shots.Table}[table].Kill(e)
	if r.m.kill(e) != (err == nil) {
		r.Fatalf("Kill of %v: %v", e, err)
	}
}

// write changes the health of a chunk, or the time of all shots.
func (r *walker) write(v int32) {
	for k := range r.w.Units.Chunks() {
		if r.IntN(2) == 0 {
			continue
		}
		health := r.w.Units.Health.Write(k)
		for row := range k.Live() {
			*health.At(row) += v
			r.m.health[k.First()+row] += v
		}
	}
	for k := range r.w.Shots.Chunks() {
		for row := range k.Live() {
			ttl := r.w.Shots.TTL.Write(k).At(row)
			*ttl++
			r.m.ttl[k.First()+row]++
		}
	}
}

func (r *walker) wall(v uint16) {
	if r.IntN(50) == 0 {
		r.m.size = [2]int{r.IntN(40), r.IntN(40)}
		r.m.walls = map[[2]int]uint16{}
		r.w.Walls.Resize(r.m.size[0], r.m.size[1])
		return
	}
	x, y := r.IntN(45)-2, r.IntN(45)-2
	in := x >= 0 && y >= 0 && x < r.m.size[0] && y < r.m.size[1]
	if r.w.Walls.Set(x, y, v) != in {
		r.Fatal("Set of a wall")
	}
	if in {
		r.m.walls[[2]int{x, y}] = v
	}
}

// between does one thing between two steps.
func (r *walker) between() {
	switch r.IntN(9) {
	case 0, 1:
		r.held = append(r.held, saved{Save(r.w), r.m.clone()})
	case 2:
		if len(r.held) > 9 {
			i := r.IntN(len(r.held))
			r.held[i].Release()
			r.held = slices.Delete(r.held, i, i+1)
		}
	case 3:
		if len(r.held) > 0 {
			i := r.IntN(len(r.held))
			r.held[i].Snapshot = saveIn(r.w, r.held[i].Snapshot)
			r.held[i].model = r.m.clone()
		}
	case 4:
		if len(r.held) > 0 && r.IntN(2) == 0 {
			s := r.held[r.IntN(len(r.held))]
			Restore(r.w, s.Snapshot)
			r.m = s.model.clone()
		}
	case 5:
		r.hash()
	case 6:
		if r.IntN(10) == 0 {
			r.encode()
		}
	}
	if r.IntN(20) != 0 {
		return
	}
	r.m.compare(r.T, "the world", r.w)
	for _, s := range r.held {
		if r.IntN(4) == 0 {
			s.model.compare(r.T, "a snapshot", ViewOf[sample](s.Snapshot))
		}
	}
}

// hash compares the hash with those of other states: equal for equal states only.
func (r *walker) hash() {
	h, k := Hash(r.w), r.m.key()
	if before, ok := r.hashOf[k]; ok && before != h {
		r.Fatal("two hashes of one state")
	}
	if before, ok := r.keyOf[h]; ok && before != k {
		r.Fatal("one hash of two states")
	}
	if len(r.hashOf) > 500 {
		clear(r.hashOf)
		clear(r.keyOf)
	}
	r.hashOf[k], r.keyOf[h] = h, k
}

// encode takes the world through its encoding, and through a delta.
func (r *walker) encode() {
	s := Save(r.w)
	defer s.Release()
	b := s.Append(nil)
	d, err := Decode[sample](b)
	if err != nil {
		r.Fatal(err)
	}
	r.m.compare(r.T, "a decoded snapshot", ViewOf[sample](d))
	if d.Hash() != s.Hash() || string(d.Append(nil)) != string(b) || !d.Equal(s) {
		r.Fatal("a decoded snapshot differs")
	}
	if len(r.held) > 0 {
		base := r.held[r.IntN(len(r.held))].Snapshot
		got, err := ApplyDelta[sample](base, s.AppendDelta(nil, base))
		if err != nil {
			r.Fatal(err)
		}
		if got.Hash() != s.Hash() || string(got.Append(nil)) != string(b) {
			r.Fatal("what a delta leads to differs")
		}
		got.Release()
	}
	if r.IntN(2) == 0 {
		if err := Load(r.w, b); err != nil {
			r.Fatal(err)
		}
	}
}

// The negative control: a change that the model does not have is found.
func TestTheModelNoticesADifference(t *testing.T) {
	w, list := filled(t, 3)
	before := Hash(w)
	Update(w, func(w *sample) { w.Units.Team.Set(list[1], 9) })
	if Hash(w) == before {
		t.Error("a changed value does not change the hash")
	}
	a, b := newModel(), newModel()
	b.spawn(1)
	if a.key() == b.key() {
		t.Error("two models have one key")
	}
}
