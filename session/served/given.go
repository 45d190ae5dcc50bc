package served

import "github.com/tickback/tickback/wire/datagram"

// given is the server's state that we have asked for, since ours is another one.
type given struct {
	whole        // here once all of it has come; without bytes, if the server does not hold it
	asked, begun bool
	machine      string // what the server runs on
}

// ask asks for a state.
func (r *serverLink) ask(f Frame) error {
	r.given = given{whole: whole{number: f}, asked: true}
	return r.pipe.Channel.Send(appendDiffers(nil, f))
}

// begin takes the message before the bytes.
func (g *given) begin(b []byte, most int) error {
	f, size, machine, err := consumeTruth(b)
	switch {
	case err != nil:
		return err
	case !g.asked || g.begun || f != g.number || size > most:
		return datagram.ErrRange
	}
	g.begun, g.machine, g.size, g.here = true, machine, size, size == 0
	return nil
}
