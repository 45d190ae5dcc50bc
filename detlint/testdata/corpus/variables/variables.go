// Package variables has package variables, and closures that keep state.
package variables

import (
	"slices"
	"strings"
	"sync"

	"github.com/tickback/tickback/rollback"
)

type unit struct{ ID, HP int32 }

type state struct {
	n    int32
	name string
	list []int32
}

var counter int32

//tickback:deterministic
func written(s *state) { counter++ } // want globals

var limit = int32(5)

func SetLimit(n int32) { limit = n }

//tickback:deterministic
func readAndWrittenElsewhere(s *state) { s.n = limit } // want globals

var fixedLimit = int32(5)

//tickback:deterministic
func neverWritten(s *state) { s.n = fixedLimit }

var prices = map[string]int32{"axe": 3}

//tickback:deterministic
func lookedUp(s *state) { s.n = prices[s.name] }

var cache = map[string]int32{}

//tickback:deterministic
func cached(s *state) {
	if _, ok := cache[s.name]; !ok {
		cache[s.name] = int32(len(s.name)) // want globals
	}
	s.n = cache[s.name]
}

var squares [16]int32

func init() {
	for i := range squares {
		squares[i] = int32(i * i)
	}
}

//tickback:deterministic
func tableOfInit(s *state) { s.n = squares[s.n&15] }

var scratch []int32

//tickback:deterministic
func scratched(s *state) {
	scratch = append(scratch[:0], s.n) // want globals
	s.n = scratch[0]
}

var boss = &unit{ID: 1, HP: 100}

//tickback:deterministic
func throughPointer(s *state) { boss.HP-- } // want globals

func (u *unit) hit() { u.HP-- }

//tickback:deterministic
func throughMethod(s *state) { boss.hit() } // want globals

var other = &unit{ID: 2}

func heal(u *unit) { u.HP++ }

//tickback:deterministic
func throughArgument(s *state) {
	u := other
	heal(u) // want globals
}

var hooks []func(*state)

func OnStep(f func(*state)) { hooks = append(hooks, f) }

//tickback:deterministic
func hooked(s *state) {
	for _, f := range hooks { // want globals
		f(s)
	}
}

var once sync.Once

var lazy []int32

//tickback:deterministic
func lazily(s *state) {
	once.Do(func() { lazy = []int32{1, 2, 3} }) // it is the same, whichever step comes first
	s.n = lazy[1]
}

var first sync.Once

var lazyOf []int32

//tickback:deterministic
func lazilyOf(s *state) {
	first.Do(func() { lazyOf = []int32{s.n} }) // want globals
	s.n = lazyOf[0]                            // want globals
}

type kind uint8

var names = [...]string{"axe", "bow"}

func (k kind) String() string { return names[k] }

//tickback:deterministic
func named(s *state, k kind) { s.name = k.String() }

var replacer = strings.NewReplacer("a", "b")

//tickback:deterministic
func replaced(s *state) { s.name = replacer.Replace(s.name) }

//tickback:deterministic
func localOnly(s *state) {
	seen := map[int32]bool{}
	for _, x := range s.list {
		seen[x] = true
	}
	s.n = int32(len(seen))
}

type input struct{ Move int8 }

// counted is a game whose step keeps a count outside of its state.
//
//corpus:case
func counted() rollback.Game[state, input] {
	n := int32(0)
	return rollback.Game[state, input]{Step: func(s *state, t *rollback.Tick[input]) {
		n++ // want closure
		s.n = n
	}}
}

type counts struct{ N int32 }

// perStep is a game whose step has a closure of its own.
//
//corpus:case
func perStep() rollback.Game[counts, input] {
	return rollback.Game[counts, input]{Step: func(s *counts, t *rollback.Tick[input]) {
		n := int32(0)
		add := func() { n++ }
		add()
		s.N = n
	}}
}

type rules struct{ N int32 }

// configured is a game whose step reads what is never changed.
//
//corpus:case
func configured(limit int32) rollback.Game[rules, input] {
	most := limit * 2
	return rollback.Game[rules, input]{Step: func(s *rules, t *rollback.Tick[input]) {
		s.N = min(s.N+1, most)
	}}
}

type logs struct{ N int32 }

// logged is a game whose step appends to a list that outlives it.
//
//corpus:case
func logged() rollback.Game[logs, input] {
	var log []int32
	return rollback.Game[logs, input]{Step: func(s *logs, t *rollback.Tick[input]) {
		log = append(log, s.N) // want closure
		s.N++
	}}
}

type tuned struct{ N int32 }

// adjusted is a game whose step reads what a setter changes.
//
//corpus:case
func adjusted() (rollback.Game[tuned, input], func(int32)) {
	most := int32(3)
	g := rollback.Game[tuned, input]{Step: func(s *tuned, t *rollback.Tick[input]) {
		s.N = min(s.N+1, most) // want closure
	}}
	return g, func(n int32) { most = n }
}

type simulation struct {
	frames int32
	speed  int32
}

type balls struct{ N int32 }

func (x *simulation) step(s *balls, t *rollback.Tick[input]) {
	x.frames++ // want closure
	s.N += x.frames
}

// methodValue is a game whose step is a method that changes its receiver.
//
//corpus:case
func methodValue() rollback.Game[balls, input] {
	x := &simulation{}
	return rollback.Game[balls, input]{Step: x.step}
}

type stones struct{ N int32 }

func (x simulation) move(s *stones, t *rollback.Tick[input]) { s.N += x.speed }

// methodOfValue is a game whose step is a method that reads its receiver, which is a copy.
//
//corpus:case
func methodOfValue() rollback.Game[stones, input] {
	return rollback.Game[stones, input]{Step: simulation{speed: 2}.move}
}

// What leads to a package variable by an interface, a pointer in a closure, or a method value.

type lender interface{ lend() *limits }

type limits struct{ used int32 }

type vault struct{ l limits }

func (v *vault) lend() *limits { return &v.l }

func (l *limits) use() { l.used++ }

type freshly struct{}

func (freshly) lend() *limits { return &limits{} }

var (
	vaulted   lender = &vault{}
	made      lender = freshly{}
	byClosure limits
	byMethod  limits
)

//tickback:deterministic
func changesLent(s *state) {
	vaulted.lend().used++ // want globals
	s.n = vaulted.lend().used
}

//tickback:deterministic
func changesMade(s *state) {
	l := made.lend()
	l.used++
	s.n = l.used
}

//tickback:deterministic
func inClosure(s *state) {
	p := &byClosure // want globals
	use := func(n int32) { p.used += n }
	use(s.n)
	s.n = p.used
}

//tickback:deterministic
func methodOfVariable(s *state) {
	use := byMethod.use // want globals
	use()
}

var largest = limits{used: 9}

func (l *limits) left(n int32) int32 { return l.used - n }

//tickback:deterministic
func methodThatReads(s *state) {
	left := largest.left
	s.n = left(s.n)
}

//tickback:deterministic
func closureThatReads(s *state) {
	p := &largest
	left := func(n int32) int32 { return p.used - n }
	s.n = left(s.n)
}

// Package variables that a field leads to: they change with what is written through it.

type deck struct {
	cards   []int32
	costs   []int32
	prices  map[string]int32
	hands   [2][]int32
	piles   [][]int32
	top     *unit
	best    *unit
	fixed   [3]int32
	shuffle func()
}

var fullDeck = []int32{1, 2, 3}

//tickback:deterministic
func dealt(d *deck) { d.cards = fullDeck } // want globals

//tickback:deterministic
func swapped(d *deck) { d.cards[0], d.cards[1] = d.cards[1], d.cards[0] }

var costTable = []int32{3, 4, 5}

//tickback:deterministic
func costed(d *deck) {
	d.costs = costTable // which nothing changes
	d.fixed[0] = d.costs[1]
}

var basePrices = map[string]int32{"axe": 3}

//tickback:deterministic
func priced(d *deck) {
	d.prices = basePrices // want globals
	d.prices["axe"]++
}

//tickback:deterministic
func handed(d *deck) {
	d.hands[1] = fullDeck[1:] // want globals
	clear(d.hands[0])
}

//tickback:deterministic
func piled(d *deck) {
	d.piles = append(d.piles, fullDeck) // want globals
	d.piles[0][1] = 9
}

var champions = [2]unit{{ID: 1}, {ID: 2}}

//tickback:deterministic
func crowned(d *deck) {
	d.top = &champions[1] // want globals
	heal(d.top)
	d.best = &champions[0] // which is read alone
	d.fixed[1] = d.best.HP
}

//tickback:deterministic
func copied(d *deck) { d.cards = append(d.cards[:0], fullDeck...) }

func (d *deck) use(cards []int32) { d.keep(cards) }

func (d *deck) keep(cards []int32) { d.cards = cards }

//tickback:deterministic
func used(d *deck) { d.use(fullDeck) } // want globals

//tickback:deterministic
func usedCopy(d *deck) { d.use(slices.Clone(fullDeck)) }

//tickback:deterministic
func renewed(d *deck) {
	*d = deck{cards: fullDeck, costs: costTable} // want globals
}

type pack struct{ cards []int32 }

//tickback:deterministic
func packed(p *pack) {
	p.cards = fullDeck
	p.cards = append(p.cards[:1:1], 4)
}
