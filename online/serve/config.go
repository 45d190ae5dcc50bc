package serve

import (
	"io/fs"
	"log/slog"

	"github.com/tickback/tickback/online/rooms"
)

// DefaultPolicy is the default Content-Security-Policy of the page: it allows what a program in WebAssembly with
// sound needs, from this server only. The server adds frame-ancestors.
const DefaultPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; " +
	"style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'none'"

// Config configures a server.
type Config struct {
	// Files is the page: a directory (os.DirFS), or an embed.FS. Without it the server only has the rooms.
	Files fs.FS
	// Rooms configures the rooms. If its Address and Log are not given, the server sets them. Its Hosts are the names
	// for which requests are answered, in addition to this machine's name and those of the certificates.
	Rooms rooms.Config
	// TLS, if given, says how to get certificates; the zero value serves without TLS.
	TLS TLS
	// TrustProxy takes the address of a client from the last entry of X-Forwarded-For: for a server that can only be
	// reached through a proxy.
	TrustProxy bool
	// Policy is the Content-Security-Policy; the default is DefaultPolicy. The server adds frame-ancestors according
	// to Frames, unless the policy already has them.
	Policy string
	// Frames are the origins whose pages may show this one in a frame, such as https://slides.example.org or
	// https://*.example.org, or * for all; the default is none. The surrounding page could cover this one, and make
	// people click on things that they do not see.
	Frames []string
	// Log, if given, gets a record for each start and end, and for errors.
	Log *slog.Logger
}
