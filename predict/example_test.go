package predict_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/predict/smooth"
)

// Cart is what a player drives, and Push what it does.
type Cart struct{ Pos, Speed int64 } // mm, and mm per second

type Push int64 // mm per second and second

// roll is how an input moves a cart: in integers, so that it is the same everywhere.
func roll(c *Cart, in Push, d time.Duration) {
	ms := d.Milliseconds()
	c.Speed += int64(in) * ms / 1000
	c.Pos += c.Speed * ms / 1000
}

// The client and the server share this.
var carts = predict.Motion[Cart, Push]{Step: roll, Cadence: 50 * time.Millisecond, Unit: time.Millisecond}

// A client makes moves at once, sends them, and is corrected by what the server says.
func Example() {
	client, err := predict.New(Cart{}, predict.Config[Cart, Push]{Motion: carts, Player: 1})
	if err != nil {
		panic(err)
	}

	// In the client's loop: the time that has passed makes moves.
	var sent []predict.Move[Push]
	for move, err := range client.Advance(160*time.Millisecond, func() Push { return 2000 }) {
		if err != nil {
			break // ErrFull: the server has been silent for long
		}
		sent = append(sent, move)
	}
	fmt.Println("predicted:", *client.State())

	// At the server: the moves that have arrived, two of the three, and a push by
	// somebody else, which the client could not foresee.
	server := Cart{}
	for _, move := range sent[:2] {
		if carts.Check(move.For) == nil {
			carts.Apply(&server, move.Input, move.For)
		}
	}
	server.Speed += 100
	update := predict.Update[Cart]{Player: 1, Frame: 1, Acked: sent[1].Tick, State: server}

	// Back at the client: the third move is made again on top of what the server says.
	correction, err := client.Accept(&update)
	if err != nil {
		panic(err)
	}
	fmt.Println("corrected:", *correction.After, "pending:", client.Len())
	// Output:
	// predicted: {30 300}
	// corrected: {35 400} pending: 1
}

// A server gives each client an account of the time that has passed: a client that
// claims more has none of it.
func ExampleAccount() {
	var time1 predict.Account
	time1.Add(100 * time.Millisecond)
	for _, move := range []time.Duration{50 * time.Millisecond, 30 * time.Millisecond, 50 * time.Millisecond} {
		fmt.Println(move, time1.Take(move))
	}
	// Output:
	// 50ms true
	// 30ms true
	// 50ms false
}

// A correction moves what is predicted at once, and what is drawn follows.
func Example_smooth() {
	client, err := predict.New(Cart{}, predict.Config[Cart, Push]{Motion: carts, Player: 1})
	if err != nil {
		panic(err)
	}
	update := predict.Update[Cart]{Player: 1, Frame: 1, State: Cart{Pos: 8}}
	if err := show(client, update, func(at float64) { fmt.Printf("%.1f ", at) }); err != nil {
		panic(err)
	}
	// Output: 1.4 2.6 3.5 4.3 5.0
}

func show(client *predict.Predictor[Cart, Push], update predict.Update[Cart], draw func(at float64)) error {
	offset := smooth.Offset{Snap: 200, Fastest: 180} // in the game's units, and units a second
	correction, err := client.Accept(&update)
	if err != nil {
		return err
	}
	offset.Add(smooth.Vec{float64(correction.Before.Pos - correction.After.Pos)})
	for range 5 {
		offset.Advance(time.Second / 60) // the time since the last picture
		draw(float64(client.State().Pos) + offset.At()[0])
	}
	return nil
}
