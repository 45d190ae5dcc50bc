// Battle has a hundred units that move and fight.
package main

import (
	"fmt"
	"log"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// Input is what the player does in a frame: the row of the unit that is to attack the first one.
type Input uint8

// Vec is a position or a speed, in units of 1/1000.
type Vec struct{ X, Y int32 }

// Units has a row for each unit.
type Units struct {
	world.Table
	Pos    world.Column[Vec]
	Speed  world.Column[Vec]
	Health world.Column[int32]
	Target world.Optional[world.Entity]
}

// Hit is a command: who loses how much health.
type Hit struct {
	Who    world.Entity
	Amount int32
}

// Battle is the world.
type Battle struct {
	Units Units
	Walls world.Grid[uint8]
	Score world.One[[2]int32]
	Hits  world.Later[Hit]
}

func initial(b *Battle) {
	b.Walls.Resize(64, 64)
	for i := range int32(100) {
		e, err := b.Units.Spawn()
		if err != nil {
			return // 16 million units exist already
		}
		b.Units.Pos.Set(e, Vec{X: i % 10 * 1000, Y: i / 10 * 1000})
		b.Units.Speed.Set(e, Vec{X: 10, Y: i})
		b.Units.Health.Set(e, 50)
	}
}

func move(b *Battle, c world.Chunk) {
	pos, speed := b.Units.Pos.Write(c), b.Units.Speed.Read(c)
	for row := range c.Live() {
		p := pos.At(row)
		p.X += speed.At(row).X
		p.Y += speed.At(row).Y
	}
}

func strike(b *Battle, c world.Chunk) {
	target := b.Units.Target.Read(c)
	for row := range b.Units.Target.Rows(c) {
		b.Hits.Push(c, Hit{Who: target.At(row), Amount: 20})
	}
}

func step(b *Battle, t *rollback.Tick[Input]) {
	if first := b.Units.At(0); t.Input(0) != 0 {
		b.Units.Target.Put(b.Units.At(int(t.Input(0))), first)
	}
	world.Stage(b, &b.Units.Table, move)
	world.Stage(b, &b.Units.Table, strike)
	for hit := range b.Hits.Drain() {
		health, alive := b.Units.Health.Get(hit.Who)
		if alive && health > hit.Amount {
			b.Units.Health.Set(hit.Who, health-hit.Amount)
		} else if alive && b.Units.Kill(hit.Who) == nil {
			b.Score.Write()[0]++
		}
	}
}

func main() {
	definition, err := world.Game[Battle, Input]{Init: initial, Step: step}.Definition()
	if err != nil {
		log.Fatal(err)
	}
	engine, err := rollback.New(definition, rollback.Config{Players: 1, Local: rollback.SetOf(0), Window: 8})
	if err != nil {
		log.Fatal(err)
	}
	for frame := range 100 {
		if err := engine.AddLocal(0, Input(frame), nil); err != nil {
			log.Fatal(err)
		}
		if err := engine.Tick(); err != nil {
			log.Fatal(err)
		}
	}
	b := engine.State()
	for e := range b.Units.All() {
		pos, _ := b.Units.Pos.Get(e)
		fmt.Println(b.Units.Len(), "units; the first is", e, "at", pos)
		break
	}
}
