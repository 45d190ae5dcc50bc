//go:build !alone && !sofa && (js || desktop)

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"

	"github.com/tickback/tickback/play/tutorial/game"
)

// table shows the matches of a room.
type table struct {
	view
	room    *online.Room
	playing bool
	update  func() error
}

func main() {
	flag.Parse()
	config := online.Config{GameID: "hot-potato", Build: "1", Seats: game.Seats}
	room, err := online.Open(context.Background(), flag.Arg(0), config)
	if err != nil {
		show(&view{text: err.Error()})
	}
	t := &table{room: room}
	t.update = room.Background(t.step)
	show(t)
}

// Update is called for each picture.
func (t *table) Update() error { return t.update() }

func (t *table) step() error {
	if t.playing {
		t.play()
	} else {
		t.wait()
	}
	return nil
}

// wait shows the link until a match begins.
func (t *table) wait() {
	t.text = fmt.Sprintf("%d of %d are here. Invite others:\n%s", len(t.room.State().Members), game.Seats, t.room.Link())
	if t.room.IsHost() {
		t.text += "\nThen press space."
		if inpututil.IsKeyJustPressed(ebiten.KeySpace) {
			t.room.Start()
		}
	}
	if err := t.room.Err(); err != nil {
		t.text = err.Error() // the server has gone
	}
	if t.room.Started() {
		t.begin()
	}
}

// begin plays the match of the room, from its beginning or from now on.
func (t *table) begin() {
	match, err := online.Play(t.room, game.Rules, options(func(tickback.Player) game.Input { return arrows.held() }))
	if err != nil {
		t.text = err.Error()
		return
	}
	t.match, t.playing = match, true
	t.text = fmt.Sprintf("You are P%d.", t.room.Me().Seat+1)
}

// play lets the match run, and ends it when it is over.
func (t *table) play() {
	err := t.view.Update()
	for _, e := range t.match.Events() {
		log.Println(e)
		if e.What == tickback.Reported {
			log.Println(t.match.DesyncReport())
		}
	}
	end, over := t.match.Outcome()
	switch {
	case over:
		log.Printf("over: frame %d, state %016x, %v", end.Frames, end.Hash, end.Health)
	case err != nil:
		log.Println(t.room.Explain(err))
	default:
		return
	}
	t.match.Close()
	t.playing = false
	var removed *tickback.RemovedError
	if errors.As(err, &removed) || errors.Is(err, tickback.ErrClosed) {
		t.begin() // the others have gone on without us, or the page was left and is back
	}
}
