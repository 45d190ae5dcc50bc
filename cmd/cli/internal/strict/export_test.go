package strict

import "context"

// Relay builds the relay into a folder.
func Relay(ctx context.Context, cache, goversion string) string {
	t := &tool{ctx: ctx}
	return t.relay(cache, &environment{GOVERSION: goversion})
}
