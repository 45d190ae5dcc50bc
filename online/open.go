package online

import (
	"context"
	"fmt"
)

// Open joins the room in an address, or makes one on its server: what a program does
// first, whether its player invites or was invited. See [Join] and [Create] for the
// config and the errors.
//
// In a page the address "" is that of the page itself. The room is then added to it, so
// that players can copy it from the address bar, and another link there leads to its
// room. The ticket is kept while the window is open, unless the config has one: after a
// reload the player has the same place. Natively nothing is kept, and an address is
// required.
func Open(ctx context.Context, address string, cfg Config) (*Room, error) {
	here := page()
	ours := address == "" && here != ""
	if ours {
		address = here
	}
	if address == "" {
		return nil, fmt.Errorf("%w: there is no page here, so say which server or room", ErrLink)
	}
	_, room, err := parse(address)
	if err != nil {
		return nil, err
	}
	if ours && cfg.Ticket == "" {
		cfg.Ticket = keptTicket()
	}
	enter := Create
	if room != "" {
		enter = Join
	}
	r, err := enter(ctx, address, cfg)
	if err == nil && ours {
		keep(r)
	}
	return r, err
}
