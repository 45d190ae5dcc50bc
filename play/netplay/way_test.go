package netplay

import "testing"

// Rule: a link that only this machine can reach is not offered as an invitation.
func TestALinkOfThisMachineSaysSo(t *testing.T) {
	for link, want := range map[string]bool{
		"http://127.0.0.1:8080/#room=a": true, "http://localhost:8080/#room=a": true, "http://[::1]:1/#room=a": true,
		"http://192.168.1.5:8080/#room=a": false, "https://play.example.org/#room=a": false, "%": false,
	} {
		if got := onlyHere(link); got != want {
			t.Errorf("%s: %v", link, got)
		}
	}
}
