package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// TLS says where a server's certificates come from: two files, or an authority that issues them by ACME, such as
// Let's Encrypt.
type TLS struct {
	// Cert and Key are PEM files: the certificate with its intermediates, and its key. They are read again when they
	// have changed, and the server then answers for the names in the new certificate.
	Cert, Key string

	// Hosts are the names to get certificates for, at the first request for each; setting them accepts the
	// authority's terms of service. The authority must be able to reach the server at port 443, or
	// Server.ServeRedirect at port 80.
	Hosts []string
	// Cache is the directory for the certificates and the account's key. It is required with Hosts. Only its owner can
	// read it.
	Cache string
	// Email is passed to the authority, which sends mail if there is a problem with a certificate. It may be empty.
	Email string
	// Directory is the authority's URL; the default is that of Let's Encrypt.
	Directory string
}

// secure is the TLS configuration of a server.
type secure struct {
	config *tls.Config
	hosts  func() []string                          // the names for which there are certificates at the moment
	answer func(fallback http.Handler) http.Handler // answers the challenges of an authority at port 80; nil if there are none
}

// open prepares TLS. It returns nil for a server without TLS.
func (t *TLS) open(log *slog.Logger) (*secure, error) {
	switch {
	case t.Cert == "" && t.Key == "" && len(t.Hosts) == 0:
		return nil, nil
	case len(t.Hosts) > 0 && t.Cert+t.Key != "":
		return nil, errors.New("serve: TLS takes a certificate from files or from an authority, not both")
	case len(t.Hosts) > 0:
		return t.byAuthority()
	case t.Cert == "" || t.Key == "":
		return nil, errors.New("serve: TLS takes a certificate and its key: Cert and Key")
	}
	return t.byFiles(log)
}

func (t *TLS) byAuthority() (*secure, error) {
	for _, h := range t.Hosts {
		if !strings.Contains(h, ".") || strings.ContainsFunc(h, notInName) {
			return nil, fmt.Errorf("serve: TLS: an authority gives no certificate for %q: it must be a name such as play.example.org", h)
		}
	}
	if t.Cache == "" {
		return nil, errors.New("serve: TLS.Cache is required with TLS.Hosts: authorities give few certificates a week")
	}
	m := &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(t.Cache), HostPolicy: autocert.HostWhitelist(t.Hosts...), Email: t.Email,
	}
	if t.Directory != "" {
		m.Client = &acme.Client{DirectoryURL: t.Directory}
	}
	config := m.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	return &secure{config, func() []string { return t.Hosts }, m.HTTPHandler}, nil
}

func (t *TLS) byFiles(log *slog.Logger) (*secure, error) {
	f := &keyFiles{cert: t.Cert, key: t.Key, log: log, every: lookEvery}
	if err := f.load(); err != nil {
		return nil, fmt.Errorf("serve: TLS: %w", err)
	}
	config := &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.now(), nil },
	}
	hosts := func() []string { return f.now().Leaf.DNSNames }
	return &secure{config: config, hosts: hosts}, nil
}

// lookEvery is the minimum time between two checks of the files.
const lookEvery = 5 * time.Second

// keyFiles is a certificate that is read again when its files have changed.
type keyFiles struct {
	cert, key string
	log       *slog.Logger
	every     time.Duration

	mu     sync.Mutex
	loaded *tls.Certificate
	stamp  [2]hashed // the size and time of the files when they were read
	looked time.Time
}

// stamps returns size and time of the files, to recognize changes; a file that does not exist has the zero value.
func (f *keyFiles) stamps() (now [2]hashed) {
	for i, name := range [...]string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			now[i] = hashed{size: info.Size(), mod: info.ModTime()}
		}
	}
	return now
}

// load reads the files.
func (f *keyFiles) load() error {
	f.looked = time.Now()
	stamp := f.stamps() // taken before reading, so that files written in the meantime are read again
	c, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return err
	}
	f.loaded, f.stamp = &c, stamp
	return nil
}

// now returns the certificate. While the files are being written, or are invalid, it returns the previous one.
func (f *keyFiles) now() *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < f.every {
		return f.loaded
	}
	f.looked = time.Now()
	if f.stamps() == f.stamp {
		return f.loaded
	}
	if err := f.load(); err != nil {
		f.log.Warn("the new certificate files cannot be used; the old certificate stays", "error", err)
	} else {
		f.log.Info("the certificate was read again", "names", f.loaded.Leaf.DNSNames, "ends", f.loaded.Leaf.NotAfter)
	}
	return f.loaded
}
