//go:build desktop

package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/examples/nes/console"
	"github.com/tickback/tickback/examples/nes/room"
	"github.com/tickback/tickback/examples/nes/speaker"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// run plays until the window is closed.
func run() (err error) {
	var o room.Options
	flag.IntVar(&o.Dots, "dots", 0, "how many dots win, in matches that begin here; less than 0 is a match that does not end")
	flag.IntVar(&o.RunAhead, "runahead", 0, "by how many frames to show what you do earlier, 0 to 8")
	flag.StringVar(&o.Net, "net", "", "the profile of a network, such as awful, for what is sent from here")
	flag.BoolVar(&o.Bot, "bot", false, "let a bot play here")
	record := flag.String("record", "", "record the first match to this new file (.tbr)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: window [FLAGS] ADDRESS, of a page or of a room, such as http://localhost:8080/")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		return errors.New("there is no address")
	}
	if *record != "" {
		file, err := os.OpenFile(*record, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		o.Record = file
	}
	// A twentieth of a second waits, besides what the device has.
	queue := speaker.NewQueue(console.SampleRate / 20)
	o.Hear = queue.Write
	w := &window{}
	if w.device, err = speaker.Open(queue, console.SampleRate); err != nil {
		log.Print(err) // one can play without
	}
	game, err := room.Open(flag.Arg(0), w, o)
	if err != nil {
		return err
	}
	defer game.Close()
	w.game, w.preview = game, game.Preview()
	fmt.Println("send this to the others:", game.Link())
	ebiten.SetWindowSize(3*width, 3*(height+above))
	ebiten.SetWindowTitle("Collect")
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetTPS(ebiten.SyncWithFPS) // the match keeps its own time
	return ebiten.RunGame(w)
}
