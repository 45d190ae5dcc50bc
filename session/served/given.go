package served

import "github.com/tickback/tickback/wire/datagram"

// given is the server's state that we have requested because ours differs.
type given struct {
	whole        // its field here is set once the state is complete; it is empty if the server does not hold it
	asked, begun bool
	machine      string // description of the server's machine
}

// ask requests a state.
func (r *serverLink) ask(f Frame) error {
	r.given = given{whole: whole{number: f}, asked: true}
	return r.pipe.Channel.Send(appendDiffers(nil, f))
}

// begin handles the message before the bytes.
func (g *given) begin(b []byte, most int) error {
	f, size, machine, err := consumeTruth(b)
	switch {
	case err != nil:
		return err
	case !g.asked || g.begun || f != g.number || size > most:
		return datagram.ErrRange
	}
	g.begun, g.machine, g.size = true, machine, size
	if g.here = size == 0; g.here {
		return nil
	}
	return g.Begin(size, most)
}
