package window_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	testscreen "github.com/tickback/tickback/online/browsertest/screen"
	"github.com/tickback/tickback/play/app"
)

// patience bounds every wait: several programs share the processors, and paint in software.
const patience = 3 * time.Minute

// needed fails the test if TICKBACK_WINDOW=required, and skips it otherwise, because something is missing.
func needed(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("TICKBACK_WINDOW") == "required" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// program builds the client for a window, once for all tests.
var program = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "tickback-window"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "tickback-play")
	if out, err := exec.Command("go", "build", "-tags", "desktop", "-o", path, "../cmd/tickback-play").CombinedOutput(); err != nil {
		return "", errors.New(err.Error() + ": " + string(out))
	}
	return path, nil
})

var built string // the folder of the program

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built) // it is in the folder for temporary files
	}
	os.Exit(code)
}

// screen is a screen in memory, and the program for it.
type screen struct {
	*testing.T
	name, program string
}

// display starts a screen, and builds the program. It skips the test where that is not possible.
func display(t *testing.T) *screen {
	t.Helper()
	if testing.Short() {
		t.Skip("a window takes its time")
	}
	if exec.Command("pkg-config", "--exists", "gl", "x11", "xcursor", "xi", "xinerama", "xrandr", "xxf86vm", "alsa").Run() != nil {
		needed(t, "there are no headers for a window: make play-desktop names them")
	}
	s := &screen{T: t, name: testscreen.Open(t, 1280, 720)}
	if s.name == "" {
		needed(t, "there is no Xvfb")
	}
	var err error
	if s.program, err = program(); err != nil {
		t.Fatal(err)
	}
	return s
}

// client is a running program, and its output.
type client struct {
	*screen
	cmd    *exec.Cmd
	name   string
	stderr bytes.Buffer
	ended  chan struct{}

	mu     sync.Mutex
	status app.Status
	lines  int // of its report
	code   error
}

// start starts a client with these flags, in a small window and without sound, which reports what it does. It is killed
// when the test ends.
func (s *screen) start(name string, flags ...string) *client {
	s.Helper()
	return s.startWith(nil, name, append([]string{"-silent", "-forget", "-size", "320x180", "-report", "lines", "-name", name}, flags...)...)
}

func (s *screen) startWith(env []string, name string, flags ...string) *client {
	s.Helper()
	c := &client{screen: s, name: name, cmd: exec.Command(s.program, flags...), ended: make(chan struct{})}
	c.cmd.Env = append(append(os.Environ(), "DISPLAY="+s.name, "LIBGL_ALWAYS_SOFTWARE=1"), env...)
	c.cmd.Stderr = &c.stderr
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		s.Fatal(err)
	}
	go c.read(bufio.NewScanner(out))
	s.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		<-c.ended
	})
	return c
}

// read reads the lines of the report until the end.
func (c *client) read(lines *bufio.Scanner) {
	defer close(c.ended)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s app.Status
		if json.Unmarshal(lines.Bytes(), &s) == nil {
			c.mu.Lock()
			c.status, c.lines = s, c.lines+1
			c.mu.Unlock()
		}
	}
	c.code = c.cmd.Wait()
}

// now returns the client's latest report.
func (c *client) now() app.Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status
}

func (c *client) fatalf(format string, args ...any) {
	c.Helper()
	text, _ := json.Marshal(c.now())
	c.Logf("%s says %s", c.name, text)
	select {
	case <-c.ended:
		c.Logf("it has ended, %v, with %s", c.code, c.stderr.String())
	default:
	}
	c.Fatalf(format, args...)
}

// until waits until the client's report meets a condition.
func (c *client) until(what string, is func(s app.Status) bool) app.Status {
	c.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		over := false
		select {
		case <-c.ended:
			over = true
		default:
		}
		if s := c.now(); is(s) {
			return s
		}
		if over {
			c.fatalf("%s has ended before %s", c.name, what)
		}
	}
	c.fatalf("%s: waited in vain until %s", c.name, what)
	return app.Status{}
}

// end waits until the client has ended by itself, without an error, and returns its last report.
func (c *client) end() app.Status {
	c.Helper()
	select {
	case <-c.ended:
	case <-time.After(patience):
		c.fatalf("%s does not end", c.name)
	}
	if c.code != nil {
		c.fatalf("%s: %v", c.name, c.code)
	}
	return c.now()
}

// stop ends the client with a signal, as the system does, and expects a clean end.
func (c *client) stop() app.Status {
	c.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		c.Fatal(err)
	}
	return c.end()
}

// address returns an address on loopback at which nothing listens now.
func address(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// colours counts the colours of a picture, at every fourth pixel.
func colours(t *testing.T, file string) int {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]uint32]bool{}
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 4 {
		for x := b.Min.X; x < b.Max.X; x += 4 {
			r, g, b, _ := m.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}
