package tickback_test

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/journal"
	"github.com/tickback/tickback/transport/udp"
)

// serveForGood is a server whose match survives its process: run it again, and it goes on.
func serveForGood(conn *udp.Conn, record *os.File) error {
	file, err := journal.Open("match.journal", journal.Options{})
	if err != nil {
		return err // it is damaged, no journal, or in use by another server
	}
	defer file.Close()
	server, err := tickback.Serve(game, tickback.ServerOptions[State, Input]{
		Players: 2, Transport: conn, Journal: file, Record: record,
	})
	if errors.Is(err, tickback.ErrJournalEnded) {
		return nil // nothing is left to be played
	} else if err != nil {
		return err
	}
	return serveUntilTheEnd(server)
}

func serveUntilTheEnd(server *tickback.Server[State, Input]) error {
	defer server.Close()
	for {
		wait, err := server.Update()
		if errors.Is(err, tickback.ErrEnd) {
			return nil
		} else if err != nil {
			return err
		}
		server.Wait(wait)
	}
}

var _ = serveForGood

// A server dies in the midst of its match, and another one goes on with it.
func ExampleServe_journal() {
	var kept journal.Memory // a journal.File survives the process
	now := time.Unix(0, 0)
	for range 2 {
		conn, err := udp.Listen("127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return
		}
		server, err := tickback.Serve(game, tickback.ServerOptions[State, Input]{
			Players: 2, Transport: conn, TickRate: 20, Journal: &kept,
			Advanced: tickback.Advanced{Now: func() time.Time { return now }},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range server.Events() {
			fmt.Println(e)
		}
		from := server.View().Frame
		for server.View().Frame < from+30 {
			now = now.Add(10 * time.Millisecond)
			if _, err := server.Update(); err != nil {
				fmt.Println(err)
				return
			}
		}
		fmt.Println("it dies at tick", server.View().Frame)
		conn.Close() // and the server is not closed
	}
	// Output:
	// it dies at tick 30
	// started (it goes on from the journal, at tick 30)
	// it dies at tick 60
}
