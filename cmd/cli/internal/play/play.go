package play

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/serve"
)

// flags are the flags of the play command.
type flags struct {
	listen, web          string
	open, json, proxy    bool
	check                bool
	hosts, origins       []string
	frames               []string
	stun, turn           []string
	turnUser, turnSecret string
	rooms, connections   int
	metrics, redirect    string
	tls                  serve.TLS
}

// turnSecretVariable and turnPasswordVariable are names of environment variables. They are used because everybody on
// the machine can read a command line.
const (
	turnSecretVariable   = "TICKBACK_TURN_SECRET"
	turnPasswordVariable = "TICKBACK_TURN_PASSWORD"
)

const help = `Serves the game's page, and the rooms in which players meet. They play from machine
to machine; this server carries no play, and keeps nothing on disk.

It answers on /rooms (WebSocket) and /healthz, and with the files of --web. It listens on
this machine alone unless --listen says otherwise. Figures for Prometheus are at an address
of their own, with --metrics, and for the same names as the page.

Browsers want TLS over the internet. It takes a certificate from files (--tls-cert, --tls-key;
they are read again when they change), gets one by ACME (--acme NAME, which is to agree to the
terms of Let's Encrypt), or stands behind a proxy that has one (--behind-proxy --host NAME).
It answers by localhost, numeric addresses, this machine's name, and the names of --host, --acme
and the certificate: other names are refused, as they may lead a foreign page here.

Players on one network find each other without help. Over the internet they need a STUN
server, and behind strict networks a TURN server: --stun and --turn name them. TURN takes
either a user (--turn-user, with the password in ` + turnPasswordVariable + `) or a secret for
credentials of each member's own, for half an hour (` + turnSecretVariable + `, coturn's
static-auth-secret). The password of a user is told to everybody in a room.

An interrupt ends it in order: players are told, and matches go on without it. --check
serves, fetches all of the page once, and ends: for scripts.

Exit codes: 0 it was ended; 1 it cannot serve; 2 wrong usage.`

func (a *family) playCommand() *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Serve the page of the games, and the rooms to play in",
		Long:  help,
		Example: "  " + a.Name + " play --open\n" +
			"  " + a.Name + " play --listen :8080\n" +
			"  " + a.Name + " play --acme play.example.org --redirect :80 --metrics 127.0.0.1:9100\n" +
			"  " + a.Name + " play --listen 127.0.0.1:8080 --behind-proxy --host play.example.org --stun stun:stun.example.org:3478",
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.play(cmd.Context(), &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "", "serve on this `ADDRESS`; :8080 is all of this machine's (default 127.0.0.1:8080, or the next port that is free)")
	f.StringVar(&o.web, "web", "", "the `DIR` of the page (default web beside this program, or bin/web)")
	f.BoolVar(&o.open, "open", false, "open the page in the browser, if there is one")
	f.BoolVar(&o.check, "check", false, "fetch the page as a browser would, print whether all of it comes, and end")
	f.BoolVar(&o.proxy, "behind-proxy", false, "believe the proxy's X-Forwarded-For: only a proxy can reach this server")
	f.StringSliceVar(&o.hosts, "host", nil, "browsers reach this server by these `NAMES`, such as play.example.org or *.example.org")
	f.StringSliceVar(&o.origins, "origin", nil, "pages of these `HOSTS` may use the rooms, too")
	f.StringSliceVar(&o.frames, "embed", nil, "pages of these `ORIGINS`, such as https://slides.example.org, may show the game in a frame; * is all")
	f.StringSliceVar(&o.stun, "stun", nil, "STUN servers that players should use, such as `stun:HOST:3478`")
	f.StringSliceVar(&o.turn, "turn", nil, "TURN servers that players should use, such as `turn:HOST:3478`")
	f.StringVar(&o.turnUser, "turn-user", "", "the `NAME` of a user of the TURN servers")
	f.StringVar(&o.metrics, "metrics", "", "serve figures for Prometheus at /metrics on this `ADDRESS`, such as 127.0.0.1:9100")
	f.StringVar(&o.tls.Cert, "tls-cert", "", "the PEM `FILE` of a certificate, with its intermediates")
	f.StringVar(&o.tls.Key, "tls-key", "", "the PEM `FILE` of its key")
	f.StringSliceVar(&o.tls.Hosts, "acme", nil, "get certificates for these `NAMES`, at port 443 or by --redirect :80")
	f.StringVar(&o.tls.Cache, "acme-cache", "", "keep them in this `DIR` (default tickback/acme in the user's cache directory)")
	f.StringVar(&o.tls.Email, "acme-email", "", "the authority writes to this `ADDRESS` when something is wrong")
	f.StringVar(&o.tls.Directory, "acme-directory", "", "the `URL` of another authority than Let's Encrypt")
	f.StringVar(&o.redirect, "redirect", "", "on this `ADDRESS`, such as :80, redirect requests without TLS to the page with it")
	f.IntVar(&o.rooms, "max-rooms", 0, "at most `N` rooms at a time (default 4096)")
	f.IntVar(&o.connections, "max-connections", 0, "at most `N` connections at a time (default 8192)")
	f.BoolVar(&o.json, "json", false, "write the log as JSON")
	return cmd
}

// ice returns the STUN and TURN servers for the players, from the flags.
func (o *flags) ice() ([]rooms.ICEServer, error) {
	var list []rooms.ICEServer
	if len(o.stun) > 0 {
		list = append(list, rooms.ICEServer{URLs: o.stun})
	}
	password := os.Getenv(turnPasswordVariable)
	switch {
	case len(o.turn) == 0 && o.turnUser != "":
		return nil, console.Usagef("--turn-user needs --turn")
	case len(o.turn) == 0:
		return list, nil
	case o.turnUser == "" && o.turnSecret == "":
		return nil, console.Usagef("--turn needs --turn-user, or a secret in %s", turnSecretVariable)
	case o.turnUser != "" && password == "":
		return nil, console.Usagef("--turn-user needs the password in %s", turnPasswordVariable)
	case o.turnUser != "" && o.turnSecret != "":
		return nil, console.Usagef("--turn-user does not go with a secret in %s", turnSecretVariable)
	}
	return append(list, rooms.ICEServer{URLs: o.turn, Username: o.turnUser, Credential: password}), nil
}

// page returns the directory of the page.
func (o *flags) page() (fs.FS, error) {
	candidates := []string{o.web}
	if o.web == "" {
		candidates = []string{filepath.Join("bin", "web")}
		if program, err := os.Executable(); err == nil {
			candidates = append([]string{filepath.Join(filepath.Dir(program), "web")}, candidates...)
		}
	}
	for _, dir := range candidates {
		root, err := os.OpenRoot(dir) // links in the directory cannot lead out of it
		if err != nil {
			continue
		}
		if _, err := root.Stat("index.html"); err == nil {
			return root.FS(), nil
		}
		_ = root.Close() // nothing was written
	}
	return nil, console.Failed(fmt.Errorf("there is no page (index.html) in %s: %s", strings.Join(candidates, " or "), howToBuild(".")))
}

// howToBuild says how to build a page for --web, depending on what is in a directory: the program of a module that
// "new" has made, or the Makefile of Tickback's repository.
func howToBuild(dir string) string {
	there := func(elements ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{dir}, elements...)...))
		return err == nil
	}
	switch {
	case there("pack", "main.go"):
		return "go run ./pack builds it, and --web web serves it"
	case there("Makefile") && there("play", "cmd"):
		return "make play-build builds it"
	}
	return "--web is for the folder of the page, which is built from your game; the command new makes a game with a page, and a program that builds it"
}

// logger returns a logger that writes to stderr.
func (a *family) logger(json bool) *slog.Logger {
	if json {
		return slog.New(slog.NewJSONHandler(a.Stderr, nil))
	}
	return slog.New(slog.NewTextHandler(a.Stderr, nil))
}

func (a *family) play(ctx context.Context, o *flags) error {
	o.turnSecret = os.Getenv(turnSecretVariable)
	for name, n := range map[string]int{"max-rooms": o.rooms, "max-connections": o.connections} {
		if n < 0 {
			return console.Usagef("--%s %d: must be 1 or more, or 0 for the default", name, n)
		}
	}
	if err := o.checkAddresses(); err != nil {
		return err
	}
	ice, err := o.ice()
	if err != nil {
		return err
	}
	files, err := o.page()
	if err != nil {
		return err
	}
	s, err := serve.New(serve.Config{
		Files: files, TrustProxy: o.proxy, Log: a.logger(o.json), TLS: o.tls, Frames: o.frames,
		Rooms: rooms.Config{
			Hosts: o.names(), Origins: o.origins, ICE: ice, TURNSecret: o.turnSecret, MaxRooms: o.rooms, MaxConnections: o.connections,
		},
	})
	if err != nil {
		return o.refused(err)
	}
	l, err := a.listenPlay(ctx, o)
	if err != nil {
		return console.Failed(errors.Join(err, s.Close(ctx)))
	}
	a.tellAddresses(s, o, l.Addr())
	if o.check {
		return a.servedOnce(ctx, s, l)
	}
	beside, err := o.beside(ctx, s, l.Addr())
	if err != nil {
		return console.Failed(errors.Join(err, l.Close(), s.Close(ctx)))
	}
	fmt.Fprintln(a.Stdout, "Ctrl-C ends it.")
	_ = a.Stdout.Flush() // Run reports the error
	if o.open {
		openBrowser(ctx, s.URLs(l.Addr())[0])
	}
	ctx, ended := beside.start(ctx)
	if err := errors.Join(s.Serve(ctx, l), ended()); err != nil {
		return console.Failed(err)
	}
	return nil
}

// refused rewords an error of the server about its configuration, in terms of the flags.
func (o *flags) refused(err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "serve: "), "rooms: ")
	if about, is := strings.CutPrefix(text, "TLS: "); is && o.tls.Cert != "" {
		return console.Usagef("--tls-cert %s, --tls-key %s: %s", o.tls.Cert, o.tls.Key, strings.TrimPrefix(about, "tls: "))
	}
	return console.Usagef("%s", text)
}

// servedOnce serves until the page has been fetched once.
func (a *family) servedOnce(ctx context.Context, s *serve.Server, l net.Listener) error {
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(serving, l) }()
	err := a.checkServed(ctx, serve.Addresses(l.Addr())[0])
	stop()
	if err := errors.Join(err, <-ended); err != nil {
		return console.Failed(err)
	}
	return nil
}

// tellAddresses prints the addresses of the page.
func (a *family) tellAddresses(s *serve.Server, o *flags, at net.Addr) {
	for _, url := range s.URLs(at) {
		fmt.Fprintln(a.Stdout, "play at", url)
	}
	if !serve.IsLoopback(at) && !o.secure() {
		fmt.Fprintln(a.Stdout, "Everybody who can reach this machine can play. Browsers want TLS before it for some things, such as gamepads.")
	}
}
