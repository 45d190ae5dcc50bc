//go:build !js

package firefox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/browsertest/screen"
)

// Time limits: to start the browser on a busy machine, and for one step with it.
const (
	startTime = 2 * time.Minute
	stepTime  = time.Minute
	lookEvery = 50 * time.Millisecond
)

// settings are for a browser that connects only to the tests, draws without a graphics card, and connects pages of
// one machine with each other. A remote-controlled browser turns off other disturbing features by itself.
var settings = map[string]any{
	"app.update.disabledForTesting":                     true,
	"browser.sessionstore.resume_from_crash":            false,
	"datareporting.policy.dataSubmissionEnabled":        false,
	"media.autoplay.default":                            0,
	"media.peerconnection.ice.loopback":                 true,
	"media.peerconnection.ice.obfuscate_host_addresses": false,
	"network.captive-portal-service.enabled":            false,
	"network.connectivity-service.enabled":              false,
	"services.settings.server":                          "",
	"toolkit.telemetry.reportingpolicy.firstRun":        false,
	"webgl.force-enabled":                               true,
}

// Browser is a headless browser.
type Browser struct {
	session *session
	pages   pages
}

// Start starts a browser, which is closed when the test ends. It skips the test like [browsertest.Find].
func Start(t testing.TB) *Browser {
	t.Helper()
	path := browsertest.Look(t, "firefox-esr", "firefox")
	display := screen.Open(t, 1600, 1200)
	if display == "" {
		t.Skip("there is no Xvfb, and without a screen Firefox draws no pictures of WebGL")
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "tickback-firefox")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // dir is temporary
	if err := prepare(dir); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(path, "--no-remote", "--profile", dir, "--remote-debugging-port", "0", "about:blank")
	program.Env = append(os.Environ(), "HOME="+dir, "DISPLAY="+display)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	program.Stdout, program.Stderr = log, log
	err = program.Start()
	_ = log.Close() // the browser has its own copy
	if err != nil {
		t.Fatal("the browser does not start: ", err)
	}
	gone := make(chan struct{})
	go func() { _ = program.Wait(); close(gone) }()
	t.Cleanup(func() { _ = program.Process.Kill(); <-gone })
	b := &Browser{}
	address, err := listens(ctx, dir, gone)
	if err == nil {
		b.session, err = dial(ctx, address, b.pages.tell)
	}
	if err != nil {
		said, _ := os.ReadFile(filepath.Join(dir, "log"))
		t.Fatalf("the browser does not start: %v; it says %s", err, said)
	}
	t.Cleanup(b.session.close)
	return b
}

// prepare writes the settings.
func prepare(dir string) error {
	var b strings.Builder
	for name, value := range settings {
		v, err := json.Marshal(value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "user_pref(%q, %s);\n", name, v)
	}
	return os.WriteFile(filepath.Join(dir, "user.js"), []byte(b.String()), 0o644)
}

// listens waits until the browser has written the address at which it listens, and returns that.
func listens(ctx context.Context, dir string, gone <-chan struct{}) (string, error) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-gone:
			return "", errors.New("it has ended")
		case <-ticker.C:
		}
		text, err := os.ReadFile(filepath.Join(dir, "WebDriverBiDiServer.json"))
		if err != nil {
			continue
		}
		var at struct {
			Host string `json:"ws_host"`
			Port int    `json:"ws_port"`
		}
		if json.Unmarshal(text, &at) == nil && at.Port != 0 { // on an error, the file is not complete yet
			return fmt.Sprintf("ws://%s:%d/session", at.Host, at.Port), nil
		}
	}
}
