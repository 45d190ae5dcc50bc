package serve

import (
	"io/fs"
	"log/slog"

	"github.com/tickback/tickback/online/rooms"
)

// DefaultPolicy is the default Content-Security-Policy of the page: what a program in
// WebAssembly with sound needs, from this server alone. The server adds frame-ancestors.
const DefaultPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; " +
	"style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'none'"

// Config is what a server serves.
type Config struct {
	// Files is the page: a directory (os.DirFS), or an embed.FS. Without it there are
	// only the rooms.
	Files fs.FS
	// Rooms is how rooms are kept. Its Address and Log are ours, if they are not given. Its
	// Hosts are the names that are answered at all, besides this machine's name and those
	// of the certificates.
	Rooms rooms.Config
	// TLS, if given, is where certificates come from; the zero value serves without TLS.
	TLS TLS
	// TrustProxy takes the address of a client from the last entry of X-Forwarded-For:
	// for a server that only a proxy can reach.
	TrustProxy bool
	// Policy is the Content-Security-Policy; the default is DefaultPolicy. Unless it has
	// frame-ancestors, the server adds them, by Frames.
	Policy string
	// Frames are the origins whose pages may show this one in a frame, such as
	// https://slides.example.org or https://*.example.org, or * for all; the default is none. A page in
	// a frame can be covered by the one around it, so that people click what they do not see.
	Frames []string
	// Log, if given, gets a record for each start and end, and for what goes wrong.
	Log *slog.Logger
}
