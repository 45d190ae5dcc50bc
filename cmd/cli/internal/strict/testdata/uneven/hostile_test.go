package game_test

import (
	"encoding/json"
	"os"
)

// hostile replies what HOSTILE says, and ends.
func hostile() {
	b, err := os.ReadFile(os.Getenv("TICKBACK_TEST_TASK"))
	var k struct{ Reply string }
	if err == nil {
		err = json.Unmarshal(b, &k)
	}
	if err == nil && os.Getenv("HOSTILE") != "nothing" {
		err = os.WriteFile(k.Reply, []byte(os.Getenv("HOSTILE")), 0o600)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(0)
}
