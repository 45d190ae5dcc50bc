package failing

import "testing"

func TestFails(t *testing.T) { t.Error("always") }
