package dtls

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"

	"github.com/tickback/tickback"
)

// label separates the keys that this package derives from any others derived from the same secret, and versions of
// the package from each other.
const label = "tickback online/dtls v1 "

// Fingerprint names a public key: only the owner of the private key can present it. Peers exchange fingerprints over
// something they trust, such as a room.
type Fingerprint [sha256.Size]byte

// String returns the fingerprint as 64 hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// ParseFingerprint reads the text that [Fingerprint.String] returns.
func ParseFingerprint(text string) (f Fingerprint, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(f) {
		return f, fmt.Errorf("dtls: a fingerprint has %d hexadecimal digits, and this has not", 2*len(f))
	}
	return Fingerprint(b), nil
}

// Identity is the key of one machine, with a self-signed certificate. It is for one match or one run of a program:
// make a new one with [NewIdentity].
type Identity struct {
	certificate tls.Certificate
	fingerprint Fingerprint
}

// NewIdentity makes a random key.
func NewIdentity() *Identity {
	_, key, _ := ed25519.GenerateKey(rand.Reader) // there is no error: crypto/rand never fails
	return identityOf(key)
}

// Fingerprint returns the fingerprint that others need to recognize us. It is no secret.
func (i *Identity) Fingerprint() Fingerprint { return i.fingerprint }

// identityOf makes the certificate of a key. Only the key is checked, so the rest is as
// small as possible.
func identityOf(key ed25519.PrivateKey) *Identity {
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic("dtls: cannot make a certificate: " + err.Error()) // cannot happen with an ed25519 key
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		panic("dtls: cannot read our own certificate: " + err.Error())
	}
	return &Identity{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, fingerprintOf(leaf)}
}

func fingerprintOf(c *x509.Certificate) Fingerprint { return sha256.Sum256(c.RawSubjectPublicKeyInfo) }

// errStranger means that a certificate does not have the expected key.
var errStranger = errors.New("dtls: the certificate is not that of the peer")

// expect returns a function that checks that a certificate has a certain key.
func expect(want Fingerprint) func(raw [][]byte, _ [][]*x509.Certificate) error {
	return func(raw [][]byte, _ [][]*x509.Certificate) error {
		if len(raw) != 1 {
			return errStranger
		}
		leaf, err := x509.ParseCertificate(raw[0])
		if err != nil || fingerprintOf(leaf) != want {
			return errStranger
		}
		return nil
	}
}

// pair is what two peers share: the key that authenticates their greetings, and the key
// that their certificates must have.
type pair struct {
	id     keyID
	mac    [32]byte
	remote Fingerprint
}

// keyID identifies the pair of a greeting. It reveals nothing about the secret.
type keyID [8]byte

// derive derives a secret for one use from another secret.
func derive(secret []byte, use string, n int) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, label+use, n)
	if err != nil {
		panic("dtls: " + err.Error()) // only for lengths of many kilobytes
	}
	return key
}

// fromToken makes the identity that everybody who knows the token shares, and the pair for any two of them.
func fromToken(t tickback.Token) (*Identity, *pair) {
	self := identityOf(ed25519.NewKeyFromSeed(derive(t, "identity", ed25519.SeedSize)))
	return self, newPair(t, self.fingerprint)
}

// pairOf makes the pair of two machines that know each other's fingerprints. The key that authenticates their
// greetings is known to everybody who knows both fingerprints, and keeps out everybody else.
func pairOf(one, other Fingerprint) *pair {
	low, high := one, other
	if bytes.Compare(low[:], high[:]) > 0 {
		low, high = high, low
	}
	return newPair(append(low[:], high[:]...), other)
}

func newPair(secret []byte, remote Fingerprint) *pair {
	return &pair{keyID(derive(secret, "id", len(keyID{}))), [32]byte(derive(secret, "mac", 32)), remote}
}
