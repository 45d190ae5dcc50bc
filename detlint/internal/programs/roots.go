package programs

// root is one way to make a game. $GAME stands for the type of the game, $GEN for the same with type parameters A and
// B, $REST for other fields of a literal, $SET for the same as assignments to g. BODY stands for the step.
type root struct {
	name string
	decl string
	game string // an expression with the game as the engine takes it; "" means game
}

var roots = []root{
	{"named step", `var game = $GAME{Step: step, $REST}

func step(s *$S, t *$T) {
	BODY
}`, ""},
	{"literal in a package variable", `var game = $GAME{$REST, Step: func(s *$S, t *$T) {
	BODY
}}`, ""},
	{"function that makes it", `func newGame() $GAME {
	return $GAME{$REST, Step: func(s *$S, t *$T) {
		BODY
	}}
}`, "newGame()"},
	{"generic helper", `func mk[A any, B comparable](f func(*A, *rollback.Tick[B])) $GEN {
	return $GEN{Step: f}
}

var game = func() $GAME {
	g := mk(step)
	$SET
	return g
}()

func step(s *$S, t *$T) {
	BODY
}`, ""},
	{"generic helper with a literal", `func mk[A any, B comparable](f func(*A, *rollback.Tick[B])) $GEN {
	return $GEN{Step: func(s *A, t *rollback.Tick[B]) { f(s, t) }}
}

var game = func() $GAME {
	g := mk(func(s *$S, t *$T) {
		BODY
	})
	$SET
	return g
}()`, ""},
	{"hooks of a simulation", `type sim struct{ hooks []func(*$S, *$T) }

func (x *sim) on(f func(*$S, *$T)) { x.hooks = append(x.hooks, f) }

func (x *sim) hook(i int) func(*$S, *$T) { return x.hooks[i] }

func (x *sim) step(s *$S, t *$T) {
	for i := range x.hooks {
		x.hook(i)(s, t)
	}
}

func newGame() $GAME {
	x := new(sim)
	x.on(func(s *$S, t *$T) {
		BODY
	})
	return $GAME{$REST, Step: x.step}
}`, "newGame()"},
	{"hooks of a configuration", `type config struct {
	name  string
	rules []func(*$S, *$T)
}

type sim struct{ rules []func(*$S, *$T) }

func newSim(c config) *sim { return &sim{rules: c.rules} }

func (x *sim) step(s *$S, t *$T) {
	for _, f := range x.rules {
		f(s, t)
	}
}

func newGame() $GAME {
	x := newSim(config{"a", []func(*$S, *$T){act}})
	return $GAME{$REST, Step: x.step}
}

func act(s *$S, t *$T) {
	BODY
}`, "newGame()"},
	{"named type", `type G $GAME

var game = G{$REST, Step: step}

func step(s *$S, t *$T) {
	BODY
}`, "$GAME(game)"},
	{"alias", `type G = $GAME

var game = G{$REST, Step: func(s *$S, t *$T) {
	BODY
}}`, ""},
	{"options", `type options struct {
	step  func(*$S, *$T)
	extra []func(*$S, *$T)
}

type option func(*options)

func withStep(f func(*$S, *$T)) option { return func(o *options) { o.step = f } }

func withExtra(f func(*$S, *$T)) option { return func(o *options) { o.extra = append(o.extra, f) } }

func newGame(list ...option) $GAME {
	var o options
	for _, f := range list {
		f(&o)
	}
	return $GAME{$REST, Step: func(s *$S, t *$T) {
		o.step(s, t)
		for _, f := range o.extra {
			f(s, t)
		}
	}}
}

var game = newGame(withStep(func(s *$S, t *$T) { s.N++ }), withExtra(func(s *$S, t *$T) {
	BODY
}))`, ""},
	{"set in init", `var game $GAME

func init() {
	game = $GAME{$REST}
	game.Step = func(s *$S, t *$T) {
		BODY
	}
}`, ""},
	{"set field by field", `func build() (g $GAME) {
	g.Step = step
	$SET
	return g
}

func step(s *$S, t *$T) {
	BODY
}`, "build()"},
	{"in a struct", `type app struct {
	title string
	game  $GAME
}

func newApp() *app {
	a := &app{title: "x"}
	a.game = $GAME{$REST, Step: a.step}
	return a
}

func (a *app) step(s *$S, t *$T) {
	BODY
}`, "newApp().game"},
	{"method of a pointer", `type sim struct{ speed int32 }

func (x *sim) Step(s *$S, t *$T) {
	s.M += x.speed
	BODY
}

var game = $GAME{$REST, Step: (&sim{2}).Step}`, ""},
	{"method of a value", `type sim struct{ speed int32 }

func (x sim) advance(s *$S, t *$T) {
	BODY
}

func (x sim) game() $GAME { return $GAME{$REST, Step: x.advance} }`, "sim{1}.game()"},
	{"as the interface", `func definition() rollback.Definition[$S, $I] {
	return $GAME{$REST, Step: func(s *$S, t *$T) {
		BODY
	}}
}`, "definition()"},
	{"maker of the step", `type config struct{ speed int32 }

func makeStep(c config) func(*$S, *$T) {
	return func(s *$S, t *$T) {
		s.M += c.speed
		BODY
	}
}

var game = $GAME{$REST, Step: makeStep(config{speed: 2})}`, ""},
	{"builder", `type builder struct{ g $GAME }

func (b *builder) step(f func(*$S, *$T)) *builder {
	b.g.Step = f
	return b
}

func (b *builder) build() $GAME {
	g := b.g
	$SET
	return g
}

var game = new(builder).step(step).build()

func step(s *$S, t *$T) {
	BODY
}`, ""},
	{"table of games", `var games = map[string]$GAME{
	"idle": {$REST, Step: func(s *$S, t *$T) { s.N++ }},
	"real": {$REST, Step: func(s *$S, t *$T) {
		BODY
	}},
}`, `games["real"]`},
	{"systems captured", `type System interface{ Run(s *$S, t *$T) }

type systemA struct{}

func (systemA) Run(s *$S, t *$T) { s.N++ }

type systemB struct{ by int32 }

func (b *systemB) Run(s *$S, t *$T) {
	BODY
}

func newGame(systems ...System) $GAME {
	return $GAME{$REST, Step: func(s *$S, t *$T) {
		for _, x := range systems {
			x.Run(s, t)
		}
	}}
}

var game = newGame(systemA{}, &systemB{2})`, ""},
	{"generic simulation", `type sim[A any, B comparable] struct{ run func(*A, *rollback.Tick[B]) }

func (x *sim[A, B]) step(s *A, t *rollback.Tick[B]) { x.run(s, t) }

func (x *sim[A, B]) game() $GEN { return $GEN{Step: x.step} }

func newGame() $GAME {
	x := &sim[$S, $I]{run: func(s *$S, t *$T) {
		BODY
	}}
	g := x.game()
	$SET
	return g
}`, "newGame()"},
	{"wrapped step", `func logged(f func(*$S, *$T)) func(*$S, *$T) {
	return func(s *$S, t *$T) {
		f(s, t)
		s.M++
	}
}

var game = $GAME{$REST, Step: logged(func(s *$S, t *$T) {
	BODY
})}`, ""},
	{"pointer to a game", `func fill(g *$GAME) {
	g.Step = func(s *$S, t *$T) {
		BODY
	}
}

func newGame() *$GAME {
	g := &$GAME{$REST}
	fill(g)
	return g
}`, "*newGame()"},
	{"chosen", `func newGame(hard bool) $GAME {
	step := easy
	if hard {
		step = difficult
	}
	return $GAME{$REST, Step: step}
}

func easy(s *$S, t *$T) { s.N++ }

func difficult(s *$S, t *$T) {
	BODY
}`, "newGame(true)"},
	{"embedded", `type Rules struct{ $GAME }

func newRules() Rules {
	return Rules{$GAME{$REST, Step: func(s *$S, t *$T) {
		BODY
	}}}
}`, "newRules().$NAME"},
	{"list of steps", `var steps = []func(*$S, *$T){first, func(s *$S, t *$T) {
	BODY
}}

func first(s *$S, t *$T) { s.N++ }

func run(s *$S, t *$T) {
	for _, f := range steps {
		f(s, t)
	}
}

var game = $GAME{$REST, Step: run}`, ""},
}
