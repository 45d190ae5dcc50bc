package serve

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/tickback/tickback/online/rooms"
)

// signer is a certificate authority.
type signer struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

func newSigner(t *testing.T) *signer {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	s := &signer{key: key, pool: x509.NewCertPool()}
	s.cert, err = x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s.pool.AddCert(s.cert)
	return s
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sign makes a certificate for names.
func (s *signer) sign(t *testing.T, public any, serial int64, names ...string) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(serial), DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, s.cert, public, s.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// write puts a certificate and its key into a directory.
func (s *signer) write(t *testing.T, dir string, serial int64, names ...string) (files TLS) {
	t.Helper()
	key := newKey(t)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	files = TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	for name, block := range map[string]*pem.Block{
		files.Cert: {Type: "CERTIFICATE", Bytes: s.sign(t, key.Public(), serial, names...)}, files.Key: {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// client is a browser that trusts the authority, and finds a name at an address.
func (s *signer) client(at string) *http.Client {
	dialer := &net.Dialer{}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.pool}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, at)
		},
	}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// With a certificate the page is served by HTTP/2, rooms by WebSocket, and browsers are told to
// accept nothing else.
func TestServingWithTLS(t *testing.T) {
	ca := newSigner(t)
	s, at := running(t, Config{Files: page, TLS: ca.write(t, t.TempDir(), 1, "play.example.org")})
	web := ca.client(at)
	defer web.CloseIdleConnections()
	r, err := web.Get("https://play.example.org/")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(b) != "<p>play" || r.ProtoMajor != 2 || r.Header.Get("Strict-Transport-Security") != strictly {
		t.Errorf("%q by %s, %v", b, r.Proto, r.Header)
	}
	c, _, err := websocket.Dial(t.Context(), "wss://play.example.org/rooms", &websocket.DialOptions{
		Subprotocols: []string{rooms.Subprotocol}, HTTPHeader: http.Header{"Origin": {"https://play.example.org"}},
		HTTPClient: &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: ca.pool}, DialContext: web.Transport.(*http.Transport).DialContext,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(t.Context(), websocket.MessageText, []byte(`{"t":"create","game":"pong","seats":2}`)); err != nil {
		t.Fatal(err)
	}
	if _, b, err := c.Read(t.Context()); err != nil || !strings.Contains(string(b), "welcome") {
		t.Errorf("%s, %v", b, err)
	}
	if n, _ := s.atDoor(); n != 1 { // the page's
		t.Errorf("%d connections besides the room's", n)
	}
	c.CloseNow()
	if r, err = http.Get("http://" + at + "/"); err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusBadRequest {
		t.Errorf("without TLS: %d", r.StatusCode)
	}
}

// A client that comes without TLS is redirected to the same page with it; numbers and localhost are
// not remembered by browsers.
func TestRedirectsToTLS(t *testing.T) {
	ca := newSigner(t)
	s := server(t, Config{Files: page, TLS: ca.write(t, t.TempDir(), 1, "play.example.org")})
	for _, c := range []struct {
		host, port string
		method     string
		status     int
		to         string
	}{
		{"play.example.org", "443", "GET", 308, "https://play.example.org/x?y=1"},
		{"play.example.org:80", "8443", "GET", 308, "https://play.example.org:8443/x?y=1"},
		{"[::1]:80", "8443", "HEAD", 308, "https://[::1]:8443/x?y=1"},
		{"evil.example", "443", "GET", 421, ""},
		{"play.example.org", "443", "POST", 400, ""},
	} {
		r, w := httptest.NewRequest(c.method, "/x?y=1", nil), httptest.NewRecorder()
		r.Host = c.host
		s.redirect(text("0.0.0.0:"+c.port))(w, r)
		if w.Code != c.status || w.Header().Get("Location") != c.to {
			t.Errorf("%+v: %d to %q", c, w.Code, w.Header().Get("Location"))
		}
	}
	redirect := httptest.NewServer(s.redirect(text("0.0.0.0:443")))
	defer redirect.Close()
	for target, want := range map[string]string{
		"/x%2Fy?z=%20":                "https://play.example.org/x%2Fy?z=%20",
		"//evil.example/x":            "https://play.example.org//evil.example/x",
		"http://play.example.org/x":   "https://play.example.org/x",
		"http://play.example.org":     "https://play.example.org/",
		"http://u@play.example.org/x": "https://play.example.org/x",
		"http://evil.example/x":       "",
		"mailto:x":                    "https://play.example.org/",
		"x:.evil.example/":            "https://play.example.org/",
		"x:@evil.example/?y":          "https://play.example.org/?y",
	} {
		c, err := net.Dial("tcp", redirect.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: play.example.org\r\n\r\n", target)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Header.Get("Location"); got != want || (want == "") != (r.StatusCode == http.StatusMisdirectedRequest) {
			t.Errorf("%s: %d to %q, want %q", target, r.StatusCode, got, want)
		}
	}
	for host, want := range map[string]bool{
		"play.example.org": true, "play.example.org:8443": true, "localhost": false, "x.localhost:1": false, "10.0.0.1": false, "[::1]:1": false, "": false,
	} {
		if named(host) != want {
			t.Errorf("%q is a name: %v", host, !want)
		}
	}
}

// A replaced certificate is used, without a restart; an incomplete one is not, and the previous one
// stays.
func TestACertificateIsReadAgain(t *testing.T) {
	ca, dir := newSigner(t), t.TempDir()
	files := ca.write(t, dir, 1, "play.example.org")
	var log lockedBuffer
	f := &keyFiles{cert: files.Cert, key: files.Key, log: slog.New(slog.NewTextHandler(&log, nil))}
	if err := f.load(); err != nil {
		t.Fatal(err)
	}
	serial := func() int64 { return f.now().Leaf.SerialNumber.Int64() }
	touch := func(later time.Duration) {
		for _, name := range []string{files.Cert, files.Key} {
			at := time.Now().Add(later)
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := serial(); got != 1 {
		t.Errorf("at first it is %d", got)
	}
	if first := f.now(); f.now() != first {
		t.Error("it is read again though it is the same")
	}
	ca.write(t, dir, 2, "play.example.org")
	touch(time.Second)
	if got := serial(); got != 2 {
		t.Errorf("after it was replaced it is %d", got)
	}
	if err := os.WriteFile(files.Key, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := serial(); got != 2 || strings.Count(log.String(), "the old certificate stays") != 1 {
		t.Errorf("while it is written it is %d, and the operator reads %s", got, log.String())
	}
	os.Remove(files.Cert)
	if got := serial(); got != 2 {
		t.Errorf("without a file it is %d", got)
	}
	ca.write(t, dir, 3, "play.example.org")
	touch(2 * time.Second)
	f.every = time.Hour
	if got := serial(); got != 2 {
		t.Errorf("it is looked at more often than it should be: %d", got)
	}
	f.every = 0
	if got := serial(); got != 3 {
		t.Errorf("when it is whole again it is %d", got)
	}
}

// A server answers to the names of its current certificate: to those of a new one within 5 s, and to
// the previous names no longer. The same holds if it only redirects.
func TestACertificateGetsOtherNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca, dir := newSigner(t), t.TempDir()
		more := func() []string { return []string{"more.example.org"} }
		s := server(t, Config{Files: page, TLS: ca.write(t, dir, 1, "old.example.org"), Rooms: rooms.Config{Hosts: []string{"always.example.org"}, MoreHosts: more}})
		redirect := s.redirect(text("0.0.0.0:443"))
		answers := func(names ...string) {
			t.Helper()
			for _, host := range []string{"old.example.org", "new.example.org", "x.new.example.org", "always.example.org", "more.example.org", "evil.example"} {
				for what, h := range map[string]http.Handler{"asked": s.Handler(), "redirected": redirect} {
					r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
					r.Host = host
					if h.ServeHTTP(w, r); (w.Code == http.StatusMisdirectedRequest) == slices.Contains(names, host) {
						t.Errorf("%s by %s it answers %d", what, host, w.Code)
					}
				}
			}
		}
		answers("old.example.org", "always.example.org", "more.example.org")
		ca.write(t, dir, 2, "new.example.org", "*.new.example.org")
		time.Sleep(5*time.Second - time.Nanosecond)
		answers("old.example.org", "always.example.org", "more.example.org")
		time.Sleep(time.Nanosecond)
		answers("new.example.org", "x.new.example.org", "always.example.org", "more.example.org")
		if c, err := s.secure.config.GetCertificate(nil); err != nil || c.Leaf.SerialNumber.Int64() != 2 {
			t.Errorf("%v", err)
		}
		if got := s.URLs(text("0.0.0.0:443")); !slices.Equal(got, []string{"https://new.example.org/"}) {
			t.Errorf("it is reached at %q", got)
		}
		if got := s.URLs(text("0.0.0.0:8443")); !slices.Equal(got, []string{"https://new.example.org:8443/"}) {
			t.Errorf("at another port it is reached at %q", got)
		}
	})
}

// A server whose certificate has no name that can be opened is reached at its addresses, and by TLS.
func TestACertificateWithoutAName(t *testing.T) {
	ca := newSigner(t)
	s := server(t, Config{Files: page, TLS: ca.write(t, t.TempDir(), 1, "*.example.org")})
	if got := s.URLs(text("192.0.2.1:8443")); !slices.Equal(got, []string{"https://192.0.2.1:8443/"}) {
		t.Errorf("it is reached at %q", got)
	}
}

// An invalid certificate is refused, with what is wrong.
func TestCertificatesThatCannotBe(t *testing.T) {
	ca, dir := newSigner(t), t.TempDir()
	files := ca.write(t, dir, 1, "play.example.org")
	for want, c := range map[string]TLS{
		"Cert and Key":           {Cert: files.Cert},
		"a certificate and its":  {Key: files.Key},
		"not both":               {Cert: files.Cert, Key: files.Key, Hosts: []string{"play.example.org"}},
		"no such file":           {Cert: filepath.Join(dir, "none"), Key: files.Key},
		"tls:":                   {Cert: files.Key, Key: files.Key},
		"TLS.Cache is required":  {Hosts: []string{"play.example.org"}},
		`"localhost"`:            {Hosts: []string{"localhost"}, Cache: dir},
		`"https://x.example.org`: {Hosts: []string{"https://x.example.org"}, Cache: dir},
		`"*.example.org"`:        {Hosts: []string{"*.example.org"}, Cache: dir},
	} {
		if _, err := New(Config{TLS: c}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}

// An authority is only asked for names of letters, digits, hyphens, underscores and dots: not for a
// port, a path or a wildcard.
func TestNamesThatAnAuthorityIsAskedFor(t *testing.T) {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	for r := rune(0); r < 256; r++ {
		name := "x" + string(r) + "x.example.org"
		_, err := New(Config{TLS: TLS{Hosts: []string{name}, Cache: t.TempDir()}})
		if want := strings.ContainsRune(allowed, r); (err == nil) != want {
			t.Errorf("%q is asked for: %v, want %v; %v", name, err == nil, want, err)
		}
	}
}

// Only an answer over TLS, and for a name, may tell browsers to use nothing else: over plain HTTP an
// attacker on the path could say it.
func TestWhoIsToldToComeByTLS(t *testing.T) {
	h := server(t, Config{Files: page, Rooms: rooms.Config{Hosts: []string{"play.example.org"}}}).Handler()
	for url, want := range map[string]string{
		"https://play.example.org/": strictly, "http://play.example.org/": "", "https://127.0.0.1/": "", "https://localhost/": "",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
		if got := w.Header().Get("Strict-Transport-Security"); w.Code != http.StatusOK || got != want {
			t.Errorf("%s: %d, %q, want %q", url, w.Code, got, want)
		}
	}
}
