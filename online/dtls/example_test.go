package dtls_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/dtls"
)

// Two machines with the same token communicate, and nobody else understands them. A match takes each end as its
// Options.Transport.
func Example() {
	token := tickback.NewToken() // one of the players makes it, and sends its text to the others
	there, err := tickback.ParseToken(token.String())
	if err != nil {
		panic(err)
	}
	alice, err := dtls.Listen("127.0.0.1:0", dtls.Config{Token: token})
	if err != nil {
		panic(err)
	}
	defer alice.Close()
	bob, err := dtls.Listen("127.0.0.1:0", dtls.Config{Token: there})
	if err != nil {
		panic(err)
	}
	defer bob.Close()

	// Sending connects; until then datagrams are lost, as may happen anyway.
	for alice.Send(bob.LocalAddr(), []byte("frame 1")) != nil {
		time.Sleep(10 * time.Millisecond)
	}
	<-bob.Notify()
	var buf [dtls.MaxDatagram]byte
	n, from, _, ok := bob.Receive(buf[:])
	fmt.Printf("%q, from alice: %v, %v\n", buf[:n], from == alice.LocalAddr(), ok)
	// Output:
	// "frame 1", from alice: true, true
}

// With a trusted server, each machine has a key of its own, and the server tells everybody
// the fingerprints: then no player can pretend to be another one.
func ExampleTransport_Trust() {
	mine, theirs := dtls.NewIdentity(), dtls.NewIdentity()
	transport, err := dtls.Listen("127.0.0.1:0", dtls.Config{Identity: mine})
	if err != nil {
		panic(err)
	}
	defer transport.Close()
	fingerprint, err := dtls.ParseFingerprint(theirs.Fingerprint().String()) // as signalled
	if err != nil {
		panic(err)
	}
	transport.Trust(fingerprint)
}
