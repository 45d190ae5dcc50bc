package world

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// saved is a snapshot with the model of its content.
type saved struct {
	*Snapshot
	model *model
}

// walker makes random changes to a world and to its model.
type walker struct {
	*testing.T
	*rand.Rand
	w      *sample
	m      *model
	held   []saved
	known  [2][]Entity // entities that are or were alive
	hashOf map[string]uint64
	keyOf  map[uint64]string
	most   int // approximate number of entities of a table
}

// Rule: whatever is done to a world, it is equal to a naive one made of maps, and so are its snapshots, at any time.
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
		SetWorkers(r.w, 1+r.IntN(3))
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

func (r *walker) table(i int) *Table { return []*Table{&r.w.Units.Table, &r.w.Shots.Table}[i] }

// some returns an entity that is or was alive, or the zero Entity.
func (r *walker) some(table int) Entity {
	if len(r.known[table]) == 0 {
		return 0
	}
	return r.known[table][r.IntN(len(r.known[table]))]
}

// change makes one change in a step.
func (r *walker) change() {
	switch v := r.IntN(5); r.IntN(20) {
	case 0, 1, 2:
		r.spawn(r.IntN(2))
	case 3:
		r.kill(r.IntN(2))
	case 4, 5:
		r.set(int64(v))
	case 6:
		r.put(int64(v))
	case 7:
		r.drop()
	case 8:
		r.write(int32(v))
	case 9:
		r.writeOptional(int64(v))
	case 10:
		r.stage(int32(v))
	case 11:
		r.rule(uint64(v))
	case 12, 13:
		r.wall(uint16(v))
	case 14, 15:
		k := r.key()
		r.m.scores[k] = int64(v)
		r.w.Scores.Put(k, int64(v))
	case 16:
		k := r.key()
		want, has := r.m.scores[k]
		if got, ok := r.w.Scores.Get(k); got != want || ok != has || r.w.Scores.Drop(k) != has {
			r.Fatal("Get or Drop of a score")
		}
		delete(r.m.scores, k)
	case 17, 18:
		k := uint16(r.key() * 91)
		if r.w.Marks.Has(k) != r.m.marks[k] {
			r.Fatal("Has of a mark")
		}
		r.m.marks[k] = true
		r.w.Marks.Add(k)
	case 19:
		k := uint16(r.key() * 91)
		if r.w.Marks.Drop(k) != r.m.marks[k] {
			r.Fatal("Drop of a mark")
		}
		delete(r.m.marks, k)
		r.much()
	}
}

// much occasionally makes a very large change: it fills several pages of all parts, or empties the world.
func (r *walker) much() {
	switch r.IntN(60) {
	case 0:
		r.most = max(r.most, 600)
		for range 300 {
			r.spawn(0)
			r.spawn(1)
			k := int32(r.IntN(900))
			r.m.scores[k], r.m.marks[uint16(k)] = 1, true
			r.w.Scores.Put(k, 1)
			r.w.Marks.Add(uint16(k))
		}
	case 1:
		r.m = newModel()
		Clear(r.w)
	}
}

// key returns a key of a map: some are below 0, and there may be more than a page of them.
func (r *walker) key() int32 { return int32(r.IntN(2*r.most)) - 10 }

func (r *walker) spawn(table int) {
	if len(r.m.live[table]) >= r.most {
		return
	}
	e, err := r.table(table).Spawn()
	if want := r.m.spawn(table); err != nil || e != want {
		r.Fatalf("Spawn: %v, %v, want %v", e, err, want)
	}
	if r.known[table] = append(r.known[table], e); len(r.known[table]) > 2*r.most+20 {
		r.known[table] = r.known[table][r.most:]
	}
}

func (r *walker) kill(table int) {
	e := r.some(r.IntN(2)) // it may be of the other table
	alive := r.m.alive(e) && e.table() == table+1
	if err := r.table(table).Kill(e); (err == nil) != alive {
		r.Fatalf("Kill of %v: %v", e, err)
	}
	if alive {
		r.m.kill(e)
	}
}

// set changes a value of an entity.
func (r *walker) set(v int64) {
	unit, shot := r.some(0), r.some(1)
	u, s := r.m.alive(unit), r.m.alive(shot)
	setTo := func(alive, set bool) bool {
		if alive != set {
			r.Fatal("Set of what is dead, or not of what lives")
		}
		return set
	}
	switch r.IntN(4) {
	case 0:
		if setTo(u, r.w.Units.Pos.Set(unit, vec{v, -v})) {
			r.m.pos[unit.Row()] = vec{v, -v}
		}
	case 1:
		if setTo(u, r.w.Units.Team.Set(unit, uint8(v))) {
			r.m.team[unit.Row()] = uint8(v)
		}
	case 2:
		if setTo(s, r.w.Shots.Aim.Set(shot, vec{X: v})) {
			r.m.aim[shot.Row()] = vec{X: v}
		}
	case 3:
		if setTo(s, r.w.Shots.TTL.Set(shot, int16(v))) {
			r.m.ttl[shot.Row()] = int16(v)
		}
		setTo(false, r.w.Shots.TTL.Set(unit, 1)) // it is of another table
	}
}

// put adds a component to an entity.
func (r *walker) put(v int64) {
	e, other := r.some(0), r.some(1)
	o := order{Kind: uint8(v), To: vec{v, v}, Slow: v > 2}
	alive := r.m.alive(e)
	if r.w.Units.Target.Put(e, other) != alive || r.w.Units.Order.Put(e, o) != alive {
		r.Fatalf("Put of %v, which is alive: %v", e, alive)
	}
	if alive {
		r.m.target[e.Row()], r.m.order[e.Row()] = other, o
	}
}

// drop removes a component from an entity.
func (r *walker) drop() {
	e := r.some(0)
	_, has := r.m.order[e.Row()]
	has = has && r.m.alive(e)
	if r.w.Units.Order.Drop(e) != has {
		r.Fatal("Drop of an order")
	} else if has {
		delete(r.m.order, e.Row())
	}
}

// write changes the health of some chunks, and the time of all shots.
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

// writeOptional changes, drops and adds components by rows.
func (r *walker) writeOptional(v int64) {
	for k := range r.w.Units.Chunks() {
		if r.IntN(3) > 0 {
			continue
		}
		orders := r.w.Units.Order.Write(k)
		for row := range r.w.Units.Order.Rows(k) {
			orders.At(row).To.Y += v
			o := r.m.order[k.First()+row]
			o.To.Y += v
			r.m.order[k.First()+row] = o
		}
		for row := range k.Live() {
			switch at := k.First() + row; r.IntN(6) {
			case 0:
				r.w.Units.Target.DropRow(k, row)
				delete(r.m.target, at)
			case 1:
				r.w.Units.Target.PutRow(k, row, Entity(v))
				r.m.target[at] = Entity(v)
			}
		}
	}
}

// work is the context of a stage.
type work struct {
	*sample
	add int32
}

// tend changes each unit according to what the next one was when the stage began, and defers the rest.
func (w *work) tend(k Chunk) {
	health := w.Units.Health.Write(k)
	for row := range k.Live() {
		next, _ := w.Units.Health.Get(w.Units.At(k.First() + row + 1))
		*health.At(row) += w.add + next
		w.Damage.Add(k, next)
		switch next % 3 {
		case 1:
			w.Units.Target.DropRow(k, row)
		case 2:
			w.Units.Target.PutRow(k, row, k.Entity(row))
			w.Hits.Push(k, hit{k.Entity(row), next})
		}
	}
}

// stage runs a stage, and makes the same changes to the model.
func (r *walker) stage(v int32) {
	Stage(&work{r.w, v}, &r.w.Units.Table, (*work).tend)
	before := map[int]int32{}
	for row := range r.m.live[0] {
		before[row] = r.m.health[row]
	}
	sum := int32(0)
	var hits []hit
	for row := range r.m.used[0] {
		if !r.m.live[0][row] {
			continue
		}
		next := before[row+1]
		r.m.health[row] += v + next
		sum += next
		switch e := entityOf(1, row, r.m.used[0][row]); next % 3 {
		case 1:
			delete(r.m.target, row)
		case 2:
			r.m.target[row] = e
			hits = append(hits, hit{e, next})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return a.Who.Row() - b.Who.Row() })
	if got := slices.Collect(r.w.Hits.Drain()); !slices.Equal(got, hits) || r.w.Damage.Take() != sum {
		r.Fatalf("a stage leaves %v, want %v and %d", got, hits, sum)
	}
}

func (r *walker) rule(v uint64) {
	if r.IntN(2) == 0 {
		r.m.rules.Tide[1] += int16(v)
		r.w.Rules.Write().Tide[1] += int16(v)
		return
	}
	r.m.rules = rules{v, [3]int16{int16(v)}}
	r.w.Rules.Set(r.m.rules)
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

// any returns one of the snapshots, and false if there is none.
func (r *walker) any() (i int, ok bool) {
	if len(r.held) == 0 {
		return 0, false
	}
	return r.IntN(len(r.held)), true
}

// between does one operation between two steps.
func (r *walker) between() {
	i, any := r.any()
	switch what := r.IntN(9); {
	case what < 2 && len(r.held) < 12:
		r.held = append(r.held, saved{Save(r.w), r.m.clone()})
	case what == 2 && any:
		r.held[i].Release()
		r.held = slices.Delete(r.held, i, i+1)
	case what == 3 && any:
		r.held[i].Snapshot = saveIn(r.w, r.held[i].Snapshot)
		r.held[i].model = r.m.clone()
	case what == 4 && any && r.IntN(2) == 0:
		Restore(r.w, r.held[i].Snapshot)
		r.m = r.held[i].model.clone()
	case what == 5:
		r.hash()
	case what == 6 && r.IntN(10) == 0:
		s := saved{Save(r.w), r.m}
		r.encode(s)
		r.same(s)
		s.Release()
	case what == 7 && any && r.IntN(10) == 0: // an older one
		r.encode(r.held[i])
		r.same(r.held[i])
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

// hash compares the hash with those of other states: it is equal only for equal states.
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

// encode passes a snapshot through its encoding, and through a delta, without changing the world.
func (r *walker) encode(s saved) {
	before := Hash(r.w)
	b := s.Append(nil)
	d, err := Decode[sample](b)
	if err != nil {
		r.Fatal(err)
	}
	s.model.compare(r.T, "a decoded snapshot", ViewOf[sample](d))
	if d.Hash() != s.Hash() || string(d.Append(nil)) != string(b) || !d.Equal(s.Snapshot) {
		r.Fatal("a decoded snapshot differs")
	}
	var got *Snapshot
	if i, ok := r.any(); ok {
		base := r.held[i].Snapshot
		if got, err = ApplyDelta[sample](base, s.AppendDelta(nil, base)); err != nil {
			r.Fatal(err)
		}
		if got.Hash() != s.Hash() || string(got.Append(nil)) != string(b) {
			r.Fatal("what a delta leads to differs")
		}
		r.held[i].model.compare(r.T, "the base of a delta", ViewOf[sample](base))
	}
	if Hash(r.w) != before {
		r.Fatal("encoding a snapshot has changed the world")
	}
	r.m.compare(r.T, "the world beside it", r.w)
	m := s.model.clone()
	switch r.IntN(4) {
	case 0:
		if err := Load(r.w, b); err != nil {
			r.Fatal(err)
		}
		r.m = m
	case 1:
		Restore(r.w, d) // of another world
		r.m = m
	case 2:
		if got != nil {
			Restore(r.w, got)
			r.m = m
		}
	}
	d.Release()
	got.Release()
}

// same compares a snapshot with another one in all ways: the results agree with each other, and with the models.
func (r *walker) same(s saved) {
	i, ok := r.any()
	if !ok {
		return
	}
	o := r.held[i]
	want := s.model.key() == o.model.key()
	var a, b [64]uint64
	partsOf(s.Snapshot).Digests(0, 0, &a)
	partsOf(o.Snapshot).Digests(0, 0, &b)
	bytes, differences := 0, Diff(s.Snapshot, o.Snapshot, 1<<20)
	found := descend(partsOf(s.Snapshot), partsOf(o.Snapshot), 0, 0, &bytes)
	if s.Equal(o.Snapshot) != want || (s.Hash() == o.Hash()) != want || (differences.Total == 0) != want || (len(found) == 0) != want || (a == b) != want {
		r.Fatalf("two snapshots, equal: %v; Equal says %v, Diff %d, the parts %d", want, s.Equal(o.Snapshot), differences.Total, len(found))
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
