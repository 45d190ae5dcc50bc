package tanks_test

import (
	"fmt"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/internal/page"
	"github.com/tickback/tickback/rollback"
)

// number reads a number of the page.
func number(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// numbers reads all numbers of a row.
func numbers(t testing.TB, row []string) (list []int64) {
	t.Helper()
	for _, cell := range row {
		list = append(list, number(t, cell))
	}
	return list
}

// The page of the tanks describes the code: its tables are compared with the code, or with the results of running it.
func TestThePageOfTheTanksIsTrue(t *testing.T) {
	p := page.Open(t, "../../docs/reference/tanks.md")
	checkConstants(t, p)
	checkMap(t, p)
	checkLayout(t, p.Table("Inputs", "offset", "bytes", "field", "type", "meaning"), reflect.TypeFor[tanks.Input]())
	checkStateTables(t, p)
	checkDriving(t, p)
	checkAnswers(t, p)
	checkSentences(t, p)
}

// checkConstants: the page has all the constants that the package exports, and no others.
func checkConstants(t *testing.T, p *page.Page) {
	declared := page.Constants(t, ".", nil)
	for _, row := range p.Table("Constants", "constant", "value", "unit", "file", "meaning") {
		if c, is := declared[row[0]]; !is || c.Value != row[1] || c.File != row[3] {
			t.Errorf("%s: the page has %s in %s, and the code %v", row[0], row[1], row[3], c)
		}
		delete(declared, row[0])
	}
	for name, c := range declared {
		if name[0] >= 'A' && name[0] <= 'Z' && c.File != "bot.go" {
			t.Errorf("the page has not %s", name)
		}
	}
}

func checkMap(t *testing.T, p *page.Page) {
	rows := p.Table("The map", "wall", "X", "Y", "half width", "half height")
	want(t, "walls", len(rows), tanks.Walls)
	for i, row := range rows {
		w := tanks.WallAt(i)
		want(t, "wall", fmt.Sprint(numbers(t, row)), fmt.Sprint([]int{i, int(w.X), int(w.Y), int(w.HalfX), int(w.HalfY)}))
	}
	rows = p.Table("The map", "spawn", "X", "Y")
	want(t, "spawns", len(rows), tanks.Spawns)
	for i, row := range rows {
		s := tanks.SpawnAt(i)
		want(t, "spawn", fmt.Sprint(numbers(t, row)), fmt.Sprint([]int{i, int(s.X), int(s.Y)}))
	}
}

// checkLayout: the fields of a type are where the page says.
func checkLayout(t *testing.T, rows [][]string, typ reflect.Type) {
	t.Helper()
	want(t, "fields", len(rows), typ.NumField())
	for i, row := range rows {
		f := typ.Field(i)
		want(t, "field", fmt.Sprint(row[:3]), fmt.Sprint([]string{fmt.Sprint(f.Offset), fmt.Sprint(f.Type.Size()), f.Name}))
	}
}

// checkStateTables: the state has no gaps, so its memory is its encoding.
func checkStateTables(t *testing.T, p *page.Page) {
	rows := p.Table("The state", "offset", "bytes", "field", "meaning")
	types := []reflect.Type{reflect.TypeFor[tanks.State](), reflect.TypeFor[tanks.Tank](), reflect.TypeFor[tanks.Shot]()}
	for _, typ := range types {
		n := min(typ.NumField(), len(rows))
		checkLayout(t, rows[:n], typ)
		rows = rows[n:]
	}
	want(t, "rows that are left", len(rows), 0)
}

func checkDriving(t *testing.T, p *page.Page) {
	for _, row := range p.Table("Driving", "turn", "throttle", "ms", "heading", "X") {
		n := numbers(t, row)
		tank := tanks.Tank{Stance: tanks.Alive, Pos: at(-200, 500)}
		tanks.Drive(&tank, tanks.Input{Turn: int8(n[0]), Throttle: int8(n[1])}, n[2])
		want(t, fmt.Sprint(row, " heading"), tank.Heading, fixed.Num(n[3]))
		want(t, fmt.Sprint(row, " X"), tank.Pos.X-at(-200, 0).X, fixed.Num(n[4]))
	}
	apart := corner(150, true).Pos.Distance(corner(150, false).Pos)
	hundredths := (apart * 100).Round().Int()
	p.Says("Driving", "for %d ms in one part ends %d.%02d units from where three parts of %d ms lead", 150, hundredths/100, hundredths%100, tanks.TickMs)
}

func checkAnswers(t *testing.T, p *page.Page) {
	for _, row := range p.Table("Known answers", "script", "seed", "players", "frames", "hash") {
		n := numbers(t, row[1:4])
		var s tanks.State
		switch seed, players, frames := uint64(n[0]), int(n[1]), rollback.Frame(n[2]); row[0] {
		case "random":
			s = run(seed, tanks.Random(seed), players, frames)
		case "busy":
			s = runBots(tanks.Bot{Seed: seed, Mood: tanks.Busy}, players, frames)
		default:
			t.Errorf("there is no script %s", row[0])
		}
		want(t, fmt.Sprint(row[:4]), fmt.Sprintf("0x%016X", plan(t).Hash(&s)), row[4])
	}
}

// checkSentences: figures in the text that follow from the constants are right.
func checkSentences(t *testing.T, p *page.Page) {
	const perTick = tanks.TicksPerSecond
	p.Says("The step", "whose distance d is below %d, both move by half of %d - d", 2*tanks.TankRadius, 2*tanks.TankRadius)
	p.Says("Driving", "`Turn` * %d * ms / %d", tanks.TurnRate, tanks.StickEnd*1000)
	p.Says("Driving", "`Throttle` * %d * ms / %d", tanks.Speed, tanks.StickEnd*1000)
	p.Says("Driving", "is nearer than %d to a wall is moved away from the nearest point of the wall, until it is %d away", tanks.TankRadius, tanks.TankRadius)
	p.Says("Driving", "X is limited to -%d to %d", tanks.HalfWidth-tanks.TankRadius, tanks.HalfWidth-tanks.TankRadius)
	p.Says("Driving", "Y to -%d to %d", tanks.HalfHeight-tanks.TankRadius, tanks.HalfHeight-tanks.TankRadius)
	p.Says("Shots", "`Vel` is %d times", tanks.ShotSpeed/perTick)
	p.Says("Shots", "slot `Shots` modulo %d", tanks.ShotsEach)
	p.Says("Shots", "`Seen`, at most %d", tanks.Rewind)
	p.Says("Shots", "comes nearer than %d to it", tanks.TankRadius+tanks.ShotRadius)
	p.Says("Shots", "so is one whose %d ticks are over", tanks.ShotTicks)
	p.Says("Shots", "A hit costs %d health", tanks.ShotDamage)
	holds(t, "a slot is free before its turn", tanks.ShotsEach*tanks.ReloadTicks > tanks.ShotTicks)
	want(t, "half a second", tanks.Rewind*tanks.Tick, time.Second/2)
	p.Says("Lag compensation", "The cap is %d ticks, half a second. A client that claims more gets %d", tanks.Rewind, tanks.Rewind)
	p.Says("Lag compensation", "a picture that is 4 ticks late misses a tank that drives across: it has come %d units farther", 4*tanks.Speed/perTick)
	holds(t, "which is a miss", 4*tanks.Speed/perTick > tanks.TankRadius+tanks.ShotRadius)
	p.Says("Respawns", "uniformly from the %d spawns", tanks.Spawns)
	p.Says("Respawns", "After %d ticks", tanks.RespawnTicks)
	want(t, "two seconds", tanks.RespawnTicks*tanks.Tick, 2*time.Second)
	p.Says("Sight", "what is nearer than %d units", tanks.ViewDistance)
	p.Loose([]string{"Q48.16", "1/65536", "XXH3-64, with seed 0", "state 0", "state f + 1", "from 0", "by 0", "number + 1", "or 0, a draw", "`Lag` of 0", "is 0;", "else 0", "| 0"},
		"Conventions", "Driving", "Shots", "Lag compensation", "Respawns", "Sight", "The end")
}
