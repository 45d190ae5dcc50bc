package commands_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/online/rooms"
)

// The command serves a page and rooms, prints where, and ends cleanly on request.
func TestPlayServes(t *testing.T) {
	web := t.TempDir()
	if err := os.WriteFile(filepath.Join(web, "index.html"), []byte("<p>hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var log strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- cli.Run(ctx, "tickback", []string{"play", "--listen", "127.0.0.1:0", "--web", web, "--stun", "stun:stun.example.org"}, nil, in, &log, clitest.ToyGame())
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(line, "play at "))
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(body) != "<p>hello" {
		t.Errorf("the page is %q", body)
	}
	c, err := rooms.Enter(ctx, "ws"+strings.TrimPrefix(url, "http")+"rooms", rooms.Entry{GameID: "toy", Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if ice := c.ICE(); len(ice) != 1 || ice[0].URLs[0] != "stun:stun.example.org" {
		t.Errorf("the players are told %v", ice)
	}
	stop()
	if got := <-code; got != 0 {
		t.Errorf("exit code %d: %s", got, log.String())
	}
	if !strings.Contains(log.String(), "serving") || strings.Contains(log.String(), c.State().Room) {
		t.Errorf("the log is %s", log.String())
	}
}

// Metrics are at an address of their own, and nowhere else.
func TestPlayServesFiguresAside(t *testing.T) {
	web := t.TempDir()
	if err := os.WriteFile(filepath.Join(web, "index.html"), []byte("<p>hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := l.Addr().String()
	l.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var log strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- cli.Run(ctx, "tickback", []string{"play", "--listen", "127.0.0.1:0", "--web", web, "--metrics", free, "--host", "figures.example.org"}, nil, in, &log, clitest.ToyGame())
		in.Close()
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	page := strings.TrimSpace(strings.TrimPrefix(line, "play at "))
	beside := "http://" + free + "/metrics"
	for _, c := range []struct {
		url, host string
		want      int
	}{
		{page + "metrics", "", http.StatusNotFound},
		{beside, "", http.StatusOK},
		{beside, "localhost:9100", http.StatusOK},
		{beside, "figures.example.org", http.StatusOK},
		{beside, "evil.example", http.StatusMisdirectedRequest}, // a page whose name leads here
		{page, "evil.example", http.StatusMisdirectedRequest},
	} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = c.host
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != c.want {
			t.Errorf("%s by the name %q: %d, want %d", c.url, c.host, r.StatusCode, c.want)
		}
	}
	stop()
	if got := <-code; got != 0 {
		t.Errorf("exit code %d: %s", got, log.String())
	}
}

// If something cannot be served, the error says so, and what to do.
func TestPlayRefuses(t *testing.T) {
	web := t.TempDir()
	os.WriteFile(filepath.Join(web, "index.html"), nil, 0o666)
	half := t.TempDir()
	os.WriteFile(filepath.Join(half, "index.html"), []byte(`<script src="x.js"></script><script data-wasm="assets/game.wasm"></script>`), 0o666)
	os.WriteFile(filepath.Join(half, "x.js"), []byte("x"), 0o666)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().String()
	for _, c := range []struct {
		args   []string
		code   int
		stderr string
	}{
		{[]string{"--web", t.TempDir()}, 1, "is for the folder of the page"},
		{[]string{"--web", web, "--listen", "nonsense:x"}, 1, "unknown port"},
		{[]string{"--web", web, "--turn", "turn:x"}, 2, "TICKBACK_TURN_SECRET"},
		{[]string{"--web", web, "--turn", "turn:x", "--turn-user", "u"}, 2, "TICKBACK_TURN_PASSWORD"},
		{[]string{"--web", web, "--turn-user", "u"}, 2, "--turn"},
		{[]string{"--web", web, "--max-rooms", "-1"}, 2, "--max-rooms -1: must be 1 or more, or 0 for the default"},
		{[]string{"--web", web, "--stun", "stun.example.org:3478"}, 2, `tickback: ICE server "stun.example.org:3478": must be stun:HOST:PORT`},
		{[]string{"--web", web, "--origin", "https://x.org"}, 2, "must be a host"},
		{[]string{"--web", web, "--host", "https://x.org"}, 2, "must be a name"},
		{[]string{"--web", web, "--behind-proxy"}, 2, "--host NAME"},
		{[]string{"--web", web, "--metrics", "9100"}, 2, "--metrics \"9100\": must be HOST:PORT"},
		{[]string{"--web", web, "--metrics", taken, "--listen", "127.0.0.1:0"}, 1, "--metrics: "},
		{[]string{"--web", web, "--redirect", ":0"}, 2, "--redirect needs TLS"},
		{[]string{"--web", web, "--redirect", ":x:y"}, 2, "--redirect"},
		{[]string{"--web", web, "--tls-cert", "x.pem"}, 2, "go together"},
		{[]string{"--web", web, "--tls-cert", "x.pem", "--tls-key", "y.pem"}, 2, "tickback: --tls-cert x.pem, --tls-key y.pem: open x.pem: no such file"},
		{[]string{"--web", web, "--tls-cert", "x.pem", "--tls-key", "y.pem", "--acme", "x.example.org"}, 2, "from an authority or from files"},
		{[]string{"--web", web, "--tls-cert", "x.pem", "--tls-key", "y.pem", "--check"}, 2, "--check"},
		{[]string{"--web", web, "--acme", "localhost", "--acme-cache", web}, 2, "gives no certificate for \"localhost\""},
		{[]string{"--web", web, "--acme-email", "x@example.org"}, 2, "need --acme NAME"},
		{[]string{"--web", web, "--listen", "8080"}, 2, "or :PORT"},
		{[]string{"--web", web, "--listen", ":99999"}, 2, "0 to 65535"},
		{[]string{"extra"}, 2, "extra"},
		{[]string{"--web", web, "--listen", taken}, 1, "--listen takes another port"},
		{[]string{"--web", web, "--check"}, 1, "is empty"},
		{[]string{"--web", half, "--check"}, 1, "assets/game.wasm: the server says 404"},
	} {
		var out, log strings.Builder
		code := cli.Run(t.Context(), "tickback", append([]string{"play"}, c.args...), nil, &out, &log, clitest.ToyGame())
		if code != c.code || !strings.Contains(log.String(), c.stderr) {
			t.Errorf("%q: exit code %d, %s", c.args, code, log.String())
		}
	}
}

// With --check the command fetches the page and everything that it names, and ends.
func TestPlayChecksThePage(t *testing.T) {
	web := t.TempDir()
	for name, text := range map[string]string{
		"index.html": `<link rel="icon" href="data:,"><a href="https://example.org/">x</a><script src="x.js"></script><script src="y.js" data-wasm="game.wasm"></script>`,
		"x.js":       "x", "y.js": "y", "game.wasm": "wasm",
	} {
		if err := os.WriteFile(filepath.Join(web, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, log strings.Builder
	code := cli.Run(t.Context(), "tickback", []string{"play", "--check", "--web", web}, nil, &out, &log, clitest.ToyGame())
	if code != 0 || !strings.Contains(out.String(), "ok: the page and 3 files") {
		t.Errorf("exit code %d: %s%s", code, out.String(), log.String())
	}
}
