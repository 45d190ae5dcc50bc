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

// rounds returns a tenth of the given number for short tests.
func rounds(long int) int {
	if testing.Short() {
		return long / 10
	}
	return long
}

// model is a sample made of maps, to which the world has to be equal.
type model struct {
	used   [2]map[int]uint32 // generations of the rows of units and shots
	live   [2]map[int]bool
	pos    map[int]vec
	health map[int]int32
	team   map[int]uint8
	target map[int]Entity
	order  map[int]order
	aim    map[int]vec
	ttl    map[int]int16
	rules  rules
	size   [2]int
	walls  map[[2]int]uint16
	scores map[int32]int64
	marks  map[uint16]bool
}

func newModel() *model {
	m := &model{
		pos: map[int]vec{}, health: map[int]int32{}, team: map[int]uint8{}, target: map[int]Entity{}, order: map[int]order{},
		aim: map[int]vec{}, ttl: map[int]int16{},
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
	c.pos, c.health, c.team, c.target, c.order = maps.Clone(m.pos), maps.Clone(m.health), maps.Clone(m.team), maps.Clone(m.target), maps.Clone(m.order)
	c.aim, c.ttl = maps.Clone(m.aim), maps.Clone(m.ttl)
	c.walls, c.scores, c.marks = maps.Clone(m.walls), maps.Clone(m.scores), maps.Clone(m.marks)
	return &c
}

// key is equal only for equal models.
func (m *model) key() string {
	return fmt.Sprint(m.used, m.live, present(m.pos), present(m.health), present(m.team), m.target, m.order,
		present(m.aim), present(m.ttl), m.rules, m.size, present(m.walls), m.scores, m.marks)
}

// present leaves out what is zero.
func present[K, V comparable](all map[K]V) map[K]V {
	all = maps.Clone(all)
	maps.DeleteFunc(all, func(_ K, v V) bool { return v == *new(V) })
	return all
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
		delete(m.team, row)
		delete(m.target, row)
		delete(m.order, row)
	} else {
		delete(m.aim, row)
		delete(m.ttl, row)
	}
	return true
}

// compare fails unless the world equals the model, in every row, even where nothing lives.
func (m *model) compare(t *testing.T, what string, w *sample) {
	t.Helper()
	for i, table := range []*Table{&w.Units.Table, &w.Shots.Table} {
		if got, want := rowsOf(table), slices.Sorted(maps.Keys(m.live[i])); !slices.Equal(got, want) || table.Len() != len(want) {
			t.Fatalf("%s: %s lives in %v, want %v", what, table.path, got, want)
		}
		for row := range len(table.list) * Rows {
			if got := table.list[row/Rows].content.Generations[row%Rows]; got != m.used[i][row] {
				t.Fatalf("%s: row %d of %s has generation %d, want %d", what, row, table.path, got, m.used[i][row])
			}
			if e := table.At(row); (e != 0) != m.live[i][row] || e != 0 && (!table.Alive(e) || e != entityOf(i+1, row, m.used[i][row])) {
				t.Fatalf("%s: %v lives in row %d of %s", what, e, row, table.path)
			}
		}
	}
	sameColumn(t, what, &w.Units.Pos, m.pos)
	sameColumn(t, what, &w.Units.Health, m.health)
	sameColumn(t, what, &w.Units.Team, m.team)
	sameColumn(t, what, &w.Shots.Aim, m.aim)
	sameColumn(t, what, &w.Shots.TTL, m.ttl)
	sameOptional(t, what, &w.Units.Target, m.target)
	sameOptional(t, what, &w.Units.Order, m.order)
	if width, height := w.Walls.Size(); w.Rules.Get() != m.rules || m.size != [2]int{width, height} {
		t.Fatalf("%s: the rules or the size of the walls differ", what)
	}
	for y := -1; y <= m.size[1]; y++ {
		for x := -1; x <= m.size[0]; x++ {
			if w.Walls.At(x, y) != m.walls[[2]int{x, y}] {
				t.Fatalf("%s: the wall at %d, %d differs", what, x, y)
			}
		}
	}
	var keys []int32
	for k, v := range w.Scores.All() {
		if keys = append(keys, k); m.scores[k] != v {
			t.Fatalf("%s: score %d is %d, want %d", what, k, v, m.scores[k])
		}
	}
	if !slices.Equal(keys, slices.Sorted(maps.Keys(m.scores))) || w.Scores.Len() != len(m.scores) {
		t.Fatalf("%s: %d keys of scores, want %d, or others", what, len(keys), len(m.scores))
	}
	if got, want := slices.Collect(w.Marks.Keys()), slices.Sorted(maps.Keys(m.marks)); !slices.Equal(got, want) || w.Marks.Len() != len(want) {
		t.Fatalf("%s: %d marks, want %d, or others", what, len(got), len(want))
	}
}

// sameColumn compares a column, by entities, by chunks and in memory: a dead row is zero.
func sameColumn[T comparable](t *testing.T, what string, c *Column[T], want map[int]T) {
	t.Helper()
	for row := range len(c.list) * Rows {
		if got := c.list[row/Rows].content[row%Rows]; got != want[row] {
			t.Fatalf("%s: row %d of %s is %v, want %v", what, row, c.path, got, want[row])
		}
		if got, ok := c.Get(c.table.At(row)); got != want[row] || ok != (c.table.At(row) != 0) {
			t.Fatalf("%s: %v of %s is %v, %v, want %v", what, c.table.At(row), c.path, got, ok, want[row])
		}
	}
	for k := range c.table.Chunks() {
		for row, values := 0, c.Read(k); row < Rows; row++ {
			if got := values.At(row); got != want[k.First()+row] || *values.Ref(row) != got {
				t.Fatalf("%s: row %d of chunk %d of %s is %v", what, row, k.number, c.path, got)
			}
		}
	}
}

// sameOptional compares an optional column: which rows have the component, and its values, and that all other rows are
// zero.
func sameOptional[T comparable](t *testing.T, what string, c *Optional[T], want map[int]T) {
	t.Helper()
	for row := range len(c.list) * Rows {
		v, has := want[row]
		p := c.list[row/Rows].content
		if p.Present.has(row%Rows) != has || p.Rows[row%Rows] != v {
			t.Fatalf("%s: row %d of %s is %v, want %v, %v", what, row, c.path, p.Rows[row%Rows], v, has)
		}
		e := c.table.At(row)
		if got, ok := c.Get(e); got != v || ok != has || c.Has(e) != has {
			t.Fatalf("%s: %v of %s is %v, %v, want %v, %v", what, e, c.path, got, ok, v, has)
		}
	}
	var rows []int
	for k := range c.table.Chunks() {
		for row := range c.Rows(k) {
			rows = append(rows, k.First()+row)
		}
		for row, values := 0, c.Read(k); row < Rows; row++ {
			v, has := want[k.First()+row]
			if values.At(row) != v || c.HasRow(k, row) != has {
				t.Fatalf("%s: row %d of chunk %d of %s is %v", what, row, k.number, c.path, values.At(row))
			}
		}
	}
	if keys := slices.Sorted(maps.Keys(want)); !slices.Equal(rows, keys) {
		t.Fatalf("%s: %s is in rows %v, want %v", what, c.path, rows, keys)
	}
}

func rowsOf(t *Table) (rows []int) {
	for e := range t.All() {
		rows = append(rows, e.Row())
	}
	return rows
}
