// Package tick has what a step gets from the engine, and what others get of a state: statuses,
// orders, views.
package tick

import (
	"slices"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/rollback"
)

type input struct{ Move int8 }

type state struct {
	n      int32
	guess  bool
	status rollback.Status
	last   []byte
	chat   [][]byte
	by     map[rollback.Status]int32
	named  map[string][]byte
	tick   *rollback.Tick[input]
	list   []int32
	table  [3]int32
}

//tickback:deterministic
func confirmed(s *state, t *rollback.Tick[input]) {
	if t.Status(0) == rollback.Confirmed { // want status
		s.n++
	}
}

//tickback:deterministic
func notPredicted(s *state, t *rollback.Tick[input]) {
	s.guess = t.Status(0) != rollback.Predicted // want status
}

//tickback:deterministic
func switched(s *state, t *rollback.Tick[input]) {
	switch t.Status(0) {
	case rollback.Predicted: // want status
		s.n++
	case rollback.Disconnected:
		s.n--
	}
}

//tickback:deterministic
func statusKept(s *state, t *rollback.Tick[input]) { s.status = t.Status(0) } // want status

//tickback:deterministic
func statusCounted(s *state, t *rollback.Tick[input]) { s.by[t.Status(0)]++ } // want status

//tickback:deterministic
func statusAsNumber(s *state, t *rollback.Tick[input]) { s.n = int32(t.Status(0)) } // want status

//tickback:deterministic
func statusAsIndex(s *state, t *rollback.Tick[input]) { s.n = s.table[t.Status(0)] } // want status

//tickback:deterministic
func statusAsText(s *state, t *rollback.Tick[input]) {
	if t.Status(0).String() == "predicted" { // want status
		s.n++
	}
}

//tickback:deterministic
func statusesCompared(s *state, t *rollback.Tick[input]) {
	s.guess = t.Status(0) == t.Status(1) // want status
}

//tickback:deterministic
func statusLookedFor(s *state, t *rollback.Tick[input]) {
	s.guess = slices.Contains([]rollback.Status{rollback.Predicted}, t.Status(0)) // want status
}

//tickback:deterministic
func statusesSearched(s *state, t *rollback.Tick[input]) {
	s.n = int32(slices.Index([]rollback.Status{t.Status(0), t.Status(1)}, rollback.Confirmed)) // want status
}

type seen struct {
	move   int8
	status rollback.Status
}

//tickback:deterministic
func statusComparedInStruct(s *state, t *rollback.Tick[input]) {
	if (seen{1, t.Status(0)}) == (seen{1, rollback.Confirmed}) { // want status
		s.n++
	}
}

//tickback:deterministic
func otherStructsCompared(s *state, t *rollback.Tick[input]) {
	if t.Input(0) == t.Input(1) && slices.Contains(s.list, s.n) {
		s.n++
	}
}

func sure(st rollback.Status) bool { return st == rollback.Confirmed } // want status

//tickback:deterministic
func statusInHelper(s *state, t *rollback.Tick[input]) {
	if sure(t.Status(0)) {
		s.n++
	}
}

//tickback:deterministic
func resimulating(s *state, t *rollback.Tick[input]) {
	if !t.Resimulating() { // want status
		s.n++
	}
}

//tickback:deterministic
func resimulatingByValue(s *state, t *rollback.Tick[input]) {
	again := t.Resimulating // want status
	s.guess = again()
}

type ticker interface {
	Frame() rollback.Frame
	Resimulating() bool
}

//tickback:deterministic
func resimulatingByInterface(s *state, t *rollback.Tick[input]) {
	var x ticker = t
	s.guess = x.Resimulating() // want status
}

//tickback:deterministic
func gone(s *state, t *rollback.Tick[input]) {
	if t.Status(0) == rollback.Disconnected {
		s.n++
	}
}

//tickback:deterministic
func here(s *state, t *rollback.Tick[input]) {
	for p := range t.Players() {
		if t.Status(p) != rollback.Disconnected {
			s.n += int32(t.Input(p).Move)
		}
	}
}

//tickback:deterministic
func goneBySwitch(s *state, t *rollback.Tick[input]) {
	switch t.Status(0) {
	case rollback.Disconnected:
		s.n--
	default:
		s.n++
	}
}

func left(st rollback.Status) bool { return st == rollback.Disconnected }

//tickback:deterministic
func goneInHelper(s *state, t *rollback.Tick[input]) {
	if left(t.Status(0)) {
		s.n++
	}
}

//tickback:deterministic
func frames(s *state, t *rollback.Tick[input]) { s.n = int32(t.Frame()) }

//tickback:deterministic
func keptOrders(s *state, t *rollback.Tick[input]) { s.last = t.Orders(0) } // want retain

//tickback:deterministic
func keptPart(s *state, t *rollback.Tick[input]) {
	if b := t.Orders(0); len(b) > 4 {
		s.last = b[1:4] // want retain
	}
}

//tickback:deterministic
func keptInList(s *state, t *rollback.Tick[input]) { s.chat = append(s.chat, t.Orders(0)) } // want retain

//tickback:deterministic
func keptInMap(s *state, t *rollback.Tick[input]) { s.named["last"] = t.Orders(0) } // want retain

func remember(s *state, b []byte) { s.last = b }

//tickback:deterministic
func keptByHelper(s *state, t *rollback.Tick[input]) { remember(s, t.Orders(0)) } // want retain

type message struct{ text []byte }

type post struct{ last message }

//tickback:deterministic
func keptInStruct(s *post, t *rollback.Tick[input]) { s.last = message{t.Orders(0)} } // want retain

func body(b []byte) []byte { return b[1:] }

//tickback:deterministic
func keptThroughHelper(s *state, t *rollback.Tick[input]) {
	if b := t.Orders(0); len(b) > 1 {
		s.last = body(b) // want retain
	}
}

//tickback:deterministic
func keptChunks(s *state, t *rollback.Tick[input]) {
	for part := range slices.Chunk(t.Orders(0), 4) {
		s.last = part // want retain
	}
}

//tickback:deterministic
func readChunks(s *state, t *rollback.Tick[input]) {
	for part := range slices.Chunk(t.Orders(0), 4) {
		s.n += int32(part[0])
		s.last = slices.Clone(part)
	}
}

//tickback:deterministic
func keptByLiteral(s *state, t *rollback.Tick[input]) {
	b := t.Orders(0)
	keep := func() { s.last = b } // want retain
	keep()
}

//tickback:deterministic
func copiedByLiteral(s *state, t *rollback.Tick[input]) {
	b := t.Orders(0)
	keep := func() { s.last = append(s.last[:0], b...) }
	keep()
}

type parsed struct {
	kind   byte
	rest   []byte
	listed []int32
}

func parseOrders(b []byte) parsed { return parsed{b[0], b[1:], nil} }

//tickback:deterministic
func keptParsed(s *state, t *rollback.Tick[input]) {
	p := parseOrders(t.Orders(0))
	s.last = p.rest // want retain
}

//tickback:deterministic
func copiedParsed(s *state, t *rollback.Tick[input]) {
	p := parseOrders(t.Orders(0))
	s.n = int32(p.kind) + int32(len(p.listed))
	s.last = slices.Clone(p.rest)
}

//tickback:deterministic
func anotherField(s *state, t *rollback.Tick[input]) {
	var p struct{ from, own []byte }
	p.from, p.own = t.Orders(0), []byte{1}
	s.n = int32(len(p.from))
	s.last = p.own
}

type keeper interface{ take(b []byte) }

func (s *state) take(b []byte) { s.last = b }

//tickback:deterministic
func keptThroughInterface(s *state, t *rollback.Tick[input]) {
	var k keeper = s
	k.take(t.Orders(0)) // want retain
}

//tickback:deterministic
func changedOrders(s *state, t *rollback.Tick[input]) {
	if b := t.Orders(0); len(b) > 0 {
		b[0] = 0 // want retain
	}
}

//tickback:deterministic
func sortedOrders(s *state, t *rollback.Tick[input]) {
	b := t.Orders(0)
	slices.Sort(b) // want retain
	s.n = int32(len(b))
}

//tickback:deterministic
func appendedToOrders(s *state, t *rollback.Tick[input]) {
	b := append(t.Orders(0), 0) // want retain
	s.n = int32(len(b))
}

//tickback:deterministic
func keptTick(s *state, t *rollback.Tick[input]) { s.tick = t } // want retain

type context struct{ tick *rollback.Tick[input] }

//tickback:deterministic
func tickOfTheStep(s *state, t *rollback.Tick[input]) {
	c := context{t}
	s.n += int32(c.tick.Input(0).Move)
}

//tickback:deterministic
func copiedOrders(s *state, t *rollback.Tick[input]) {
	s.last = append(s.last[:0], t.Orders(0)...)
	s.chat = append(s.chat, slices.Clone(t.Orders(1)))
}

//tickback:deterministic
func ordersAsText(s *state, t *rollback.Tick[input]) { s.named[string(t.Orders(0))] = nil }

//tickback:deterministic
func ordersRead(s *state, t *rollback.Tick[input]) {
	for _, x := range t.Orders(0) {
		s.n += int32(x)
	}
}

func parse(b []byte) (n int32) {
	for len(b) > 0 {
		n, b = n*10+int32(b[0]-'0'), b[1:]
	}
	return n
}

//tickback:deterministic
func ordersParsed(s *state, t *rollback.Tick[input]) { s.n = parse(t.Orders(0)) }

type model struct {
	N    int32
	List []int32
}

// viewWritten writes to what is drawn.
//
//corpus:case
func viewWritten(m *tickback.Match[model, input]) {
	m.View().Current.N++ // want view
}

// viewWrittenLater writes to what is drawn, by way of a variable.
//
//corpus:case
func viewWrittenLater(m *tickback.Match[model, input]) {
	v := m.View()
	s := v.Previous
	if s != nil {
		s.N = 0 // want view
	}
}

// settledWritten writes to a state that is final.
//
//corpus:case
func settledWritten(m *tickback.Match[model, input]) {
	s, _ := m.Settled()
	s.List[0]++ // want view
}

func hit(s *model) { s.N-- }

// viewChangedByHelper hands what is drawn to a function that changes it.
//
//corpus:case
func viewChangedByHelper(m *tickback.Match[model, input]) {
	hit(m.View().Current) // want view
}

func (s *model) heal() { s.N++ }

// engineStateWritten changes the state of an engine between two steps.
//
//corpus:case
func engineStateWritten(e *rollback.Engine[model, input]) {
	e.State().heal() // want view
}

// viewSorted sorts a list of what is drawn in place.
//
//corpus:case
func viewSorted(m *tickback.Match[model, input]) []int32 {
	list := m.View().Current.List
	slices.Sort(list) // want view
	return list
}

// viewAppended appends behind a list of what is drawn, where there may be room.
//
//corpus:case
func viewAppended(m *tickback.Match[model, input]) []int32 {
	return append(m.View().Current.List, 1) // want view
}

// predictedWritten writes to a predicted state.
//
//corpus:case
func predictedWritten(p *predict.Predictor[model, input]) {
	p.State().N = 1 // want view
}

// viewRead reads what is drawn.
//
//corpus:case
func viewRead(m *tickback.Match[model, input]) int32 {
	v := m.View()
	return v.Current.N - v.Previous.N
}

// viewCopied changes a copy of what is drawn.
//
//corpus:case
func viewCopied(m *tickback.Match[model, input]) int32 {
	s := *m.View().Current
	s.N++
	s.List = slices.Clone(s.List)
	slices.Sort(s.List)
	return s.N
}

func lifeOf(s *model) int32 { return s.N }

// viewPassed hands what is drawn to a function that reads it.
//
//corpus:case
func viewPassed(m *tickback.Match[model, input]) int32 {
	s, _ := m.Settled()
	if s == nil {
		return 0
	}
	return lifeOf(s)
}

type served struct {
	N    int32
	List []int32
}

// server has functions that only look, and change what they are given.
//
//corpus:case
func server() tickback.ServerOptions[served, input] {
	return tickback.ServerOptions[served, input]{
		Check: func(s *served, p rollback.Player, in input) bool {
			s.N++ // want readonly
			return true
		},
		StandIn: func(s *served, p rollback.Player) input {
			s.List[0] = 1 // want readonly
			return input{}
		},
		Sight: func(s *served, p rollback.Player) tickback.PlayerSet {
			s.N = 0 // it is a copy
			return 0
		},
	}
}

type polite struct {
	N    int32
	List []int32
}

func allowed(s *polite, in input) bool { return s.N > 0 && in.Move < 2 }

// politeServer has functions that only look.
//
//corpus:case
func politeServer() tickback.ServerOptions[polite, input] {
	return tickback.ServerOptions[polite, input]{
		Check: func(s *polite, p rollback.Player, in input) bool { return allowed(s, in) },
		Carry: func(late, next input) input {
			next.Move += late.Move
			return next
		},
		StandIn: func(s *polite, p rollback.Player) input {
			list := slices.Clone(s.List)
			slices.Sort(list)
			return input{Move: int8(len(list))}
		},
	}
}

type moved struct{ X int32 }

// drifting is a motion whose step depends on more than its arguments.
//
//corpus:case
func drifting() predict.Motion[moved, input] {
	return predict.Motion[moved, input]{Step: func(s *moved, in input, d time.Duration) {
		calls++ // want globals
		s.X += int32(in.Move)
	}}
}

type guessed struct{ N int32 }

// predicted is a game whose prediction depends on more than its arguments.
//
//corpus:case
func predicted() rollback.Game[guessed, input] {
	return rollback.Game[guessed, input]{
		Step: func(s *guessed, t *rollback.Tick[input]) { s.N += int32(t.Input(0).Move) },
		Predict: func(p rollback.Player, f, known rollback.Frame, last input) input {
			calls++ // want globals
			return last
		},
	}
}

var calls int

//tickback:deterministic
func weights(s *state, t *rollback.Tick[input]) {
	of := map[rollback.Status]int32{rollback.Confirmed: 2}
	s.n += of[t.Status(0)] // want status
}

//tickback:deterministic
func constantKey(s *state, t *rollback.Tick[input]) {
	s.n += s.by[rollback.Confirmed]
}

// What Start returns makes state 0.
//
//corpus:case
func startsByClock() tickback.Options[state, input] {
	return tickback.Options[state, input]{
		Start: func(p tickback.Parameters) (func(s *state), error) {
			return func(s *state) { s.n = int32(time.Now().Unix()) }, nil // want clock
		},
	}
}

//corpus:case
func startsBySeed() tickback.Options[state, input] {
	return tickback.Options[state, input]{
		Start: func(p tickback.Parameters) (func(s *state), error) {
			return func(s *state) { s.n = int32(p.Seed) }, nil
		},
	}
}
