package online

import (
	"context"
	"fmt"
)

// Open joins the room in an address, or creates one on its server if the address has none. It is what a program calls
// first, whether its player invites or was invited. See [Join] and [Create] for the config and the errors.
//
// In a page, the address "" means that of the page itself. The room is then added to the page's address, so that
// players can copy it from the address bar, and entering another link there leads to that room. The ticket is kept
// while the window is open, unless the config has one, so the player gets the same place after a reload. Natively
// nothing is kept, and an address is required.
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
