package webrtc

import "testing"

// FuzzSignal: what is taken keeps every limit.
func FuzzSignal(f *testing.F) {
	f.Add((&message{Kind: sayHello, From: "x", Want: true}).encode())
	f.Add((&message{Kind: sayOffer, From: "x", To: "y", Attempt: 1, SDP: "v=0\r\n"}).encode())
	f.Add((&message{Kind: sayCandidate, From: "x", Attempt: 3, Candidate: &candidate{Text: "candidate:1", Mid: new("0"), Line: new(uint16(0))}}).encode())
	f.Fuzz(func(t *testing.T, text string) {
		m, err := decodeSignal(text)
		if err != nil {
			return
		}
		if m.From == "" || len(m.SDP) > maxSDP || m.Kind == sayCandidate && !m.Candidate.bounded() || m.Kind != sayHello && m.Attempt == 0 {
			t.Fatalf("%+v", m)
		}
	})
}
