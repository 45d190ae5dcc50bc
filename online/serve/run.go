package serve

import (
	"context"
	"errors"
	"net"
)

// Run makes a server and serves at an address such as ":8080", until ctx ends: [New], Listen and [Server.Serve] in
// one call. The log gets the URLs of the page.
func Run(ctx context.Context, address string, cfg Config) error {
	s, err := New(cfg)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return errors.Join(err, s.Close(ctx))
	}
	for _, url := range s.URLs(l.Addr()) {
		s.cfg.Log.Info("play", "at", url)
	}
	return s.Serve(ctx, l)
}
