package serve

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// authority is an ACME server (RFC 8555) with one account and one order at a time, which
// accepts all signatures, and checks that the client has the name.
type authority struct {
	*signer
	t         *testing.T
	web       *httptest.Server
	challenge string // "tls-alpn-01" or "http-01"
	secure    string // where the name's port 443 is,
	plain     string // and port 80

	mu     sync.Mutex
	host   string
	proved bool
	issued []byte
	asked  []string // for which names
}

const challengeToken = "a-token-of-the-authority"

func newAuthority(t *testing.T, challenge string) *authority {
	a := &authority{signer: newSigner(t), t: t, challenge: challenge}
	a.web = httptest.NewServer(a)
	t.Cleanup(a.web.Close)
	return a
}

func (a *authority) url(path string) string { return a.web.URL + path }

// ServeHTTP answers with what the path asks for. The bodies are JWS whose payload counts.
func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Replay-Nonce", fmt.Sprintf("%p", r))
	var signed struct{ Payload string }
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &signed) // a GET has none
	payload, _ := base64.RawURLEncoding.DecodeString(signed.Payload)
	a.mu.Lock()
	defer a.mu.Unlock()
	status := http.StatusOK
	var answer any
	switch r.URL.Path {
	case "/":
		answer = map[string]any{"newNonce": a.url("/nonce"), "newAccount": a.url("/account"), "newOrder": a.url("/new"), "revokeCert": a.url("/no"), "keyChange": a.url("/no")}
	case "/account":
		w.Header().Set("Location", a.url("/account/1"))
		status, answer = http.StatusCreated, map[string]any{"status": "valid"}
	case "/new":
		var order struct{ Identifiers []struct{ Value string } }
		_ = json.Unmarshal(payload, &order)
		a.host, a.proved, a.issued = order.Identifiers[0].Value, false, nil
		a.asked = append(a.asked, a.host)
		w.Header().Set("Location", a.url("/order"))
		status, answer = http.StatusCreated, a.order()
	case "/order":
		answer = a.order()
	case "/challenge":
		a.proved = a.has()
		answer = a.proof()
	case "/authz":
		answer = map[string]any{"status": a.status(), "identifier": a.identifier(), "challenges": []any{a.proof()}}
	case "/finalize":
		var order struct{ CSR string }
		_ = json.Unmarshal(payload, &order)
		a.issue(order.CSR)
		w.Header().Set("Location", a.url("/order"))
		answer = a.order()
	case "/cert":
		w.Header().Set("Content-Type", "application/pem-certificate-chain")
		_, _ = w.Write(a.issued)
		return
	}
	w.WriteHeader(status)
	if answer != nil {
		_ = json.NewEncoder(w).Encode(answer)
	}
}

func (a *authority) status() string {
	if a.proved {
		return "valid"
	}
	return "pending"
}

func (a *authority) identifier() map[string]string {
	return map[string]string{"type": "dns", "value": a.host}
}

func (a *authority) proof() map[string]any {
	return map[string]any{"type": a.challenge, "url": a.url("/challenge"), "token": challengeToken, "status": a.status()}
}

func (a *authority) order() map[string]any {
	o := map[string]any{
		"status": "pending", "identifiers": []any{a.identifier()}, "authorizations": []string{a.url("/authz")}, "finalize": a.url("/finalize"),
	}
	switch {
	case a.issued != nil:
		o["status"], o["certificate"] = "valid", a.url("/cert")
	case a.proved:
		o["status"] = "ready"
	}
	return o
}

// has reports whether the machine with the name answers in the way that only the client
// could arrange.
func (a *authority) has() bool {
	if a.challenge == "http-01" {
		r, _ := http.NewRequest(http.MethodGet, "http://"+a.plain+"/.well-known/acme-challenge/"+challengeToken, nil)
		r.Host = a.host
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			a.t.Error(err)
			return false
		}
		defer answer.Body.Close()
		b, _ := io.ReadAll(answer.Body)
		return strings.HasPrefix(string(b), challengeToken+".")
	}
	c, err := tls.Dial("tcp", a.secure, &tls.Config{ServerName: a.host, NextProtos: []string{"acme-tls/1"}, InsecureSkipVerify: true}) // its certificate is the proof
	if err != nil {
		a.t.Error(err)
		return false
	}
	defer c.Close()
	return slices.ContainsFunc(c.ConnectionState().PeerCertificates[0].Extensions, func(e pkix.Extension) bool { return e.Id.String() == "1.3.6.1.5.5.7.1.31" })
}

func (a *authority) issue(csr string) {
	der, _ := base64.RawURLEncoding.DecodeString(csr)
	q, err := x509.ParseCertificateRequest(der)
	if err != nil || !a.proved {
		a.t.Errorf("a certificate is asked for without a proof: %v", err)
		return
	}
	a.issued = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.sign(a.t, q.PublicKey, 7, q.DNSNames...)})
}

// A server gets its certificate from the authority when the first client comes by its name,
// and keeps it for the next start; for other names there is none.
func TestACertificateFromAnAuthority(t *testing.T) {
	for _, challenge := range []string{"tls-alpn-01", "http-01"} {
		t.Run(challenge, func(t *testing.T) {
			ca, cache := newAuthority(t, challenge), t.TempDir()
			cfg := Config{Files: page, TLS: TLS{Hosts: []string{"play.example.org"}, Cache: cache, Directory: ca.web.URL}}
			for start := range 2 {
				s, at := running(t, cfg)
				ca.mu.Lock()
				ca.secure, ca.plain = at, redirecting(t, s, at)
				ca.mu.Unlock()
				web := ca.client(at)
				r, err := web.Get("https://play.example.org/")
				if err != nil {
					t.Fatal(err)
				}
				b, _ := io.ReadAll(r.Body)
				r.Body.Close()
				web.CloseIdleConnections()
				if string(b) != "<p>play" || r.TLS.PeerCertificates[0].SerialNumber.Int64() != 7 {
					t.Errorf("start %d: %q", start, b)
				}
				if _, err := web.Get("https://evil.example/"); err == nil {
					t.Error("there is a certificate for somebody else's name")
				}
			}
			if len(ca.asked) != 1 || ca.asked[0] != "play.example.org" {
				t.Errorf("the authority was asked for %q", ca.asked)
			}
		})
	}
}

// redirecting serves what is at port 80.
func redirecting(t *testing.T, s *Server, secure string) (at string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.ServeRedirect(ctx, l, text(secure)) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+"/x", nil)
	r.Host = "play.example.org"
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusPermanentRedirect || !strings.HasPrefix(to, "https://play.example.org:") {
		t.Errorf("%d to %q", answer.StatusCode, to)
	}
	return l.Addr().String()
}
