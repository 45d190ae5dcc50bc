package main

import "slices"

// targets are the packages in which mutants are looked for, and the stages that may kill them after the package's own
// short tests: tests of packages that use it, the cheapest first.
var targets = map[string][]Stage{
	".":                  {test("tickbacktest")},
	"predict":            nil,
	"predict/smooth":     nil,
	"rollback":           {test("session"), test("replay")},
	"session":            {soak, test("wire/capture"), fleet},
	"classic":            nil,
	"fleet/hosted":       nil,
	"session/admission":  {test("session/spectate"), test("session"), soak},
	"session/bulk":       {test("session/spectate"), test("session/served")},
	"session/desync":     {test("session"), soak},
	"session/event":      {test("session"), soak},
	"session/inputs":     {test("session"), soak},
	"session/lobby":      {test("session"), soak},
	"session/match":      {test("session"), soak},
	"session/membership": {test("session"), soak},
	"session/pace":       {test("session"), soak},
	"session/peer":       {test("session"), soak},
	"session/reliable":   {test("session"), soak},
	"session/sequencer":  {test("session/served")},
	"session/served":     {test("fleet/hosted"), test(".")},
	"session/shares":     {test("session/spectate"), test("online/rooms")},
	"session/sight":      {test("session/served"), test("fleet/hosted")},
	"session/spectate":   {test("session"), soak},
	"session/stream":     {test("session"), soak},
	"wire/agreed":        {test("replay/tbr"), test("session")},
	"wire/datagram":      {test("session"), test("wire/capture")},
	"classic/rbn1":       {test("classic")},
	"replay/tbr":         {test("replay")},
	"online/dtls":        {test("online/lan"), test("online")},
	"online/lan":         {test("online")},
	"online/metrics":     nil,
	"online/peers":       {test("online/lan"), test("online")},
	"online/rooms":       {test("online")},
	"online/serve":       {test("online")},
	"online/webrtc":      {test("online")},
	"world":              {test("games/skirmish")},
	"world/nav":          {test("games/skirmish")},
	"world/near":         {test("games/skirmish")},
}

// soak plays whole matches in virtual time and checks them, in a few seconds.
var soak = Stage{Package: "cmd/tickback", Program: []string{
	"soak", "--game", "arena", "--players", "2,3,4", "--profile", "all", "--seeds", "32", "--shrink=false",
}}

// longSoak tries the deliberate changes: 96 matches of a minute.
var longSoak = Stage{Package: "cmd/tickback", Program: []string{
	"soak", "--game", "arena", "--players", "2,3,4,8", "--profile", "all", "--seeds", "24", "--shrink=false",
}}

// fleet is the stage that finds most mutants, and takes longest.
var fleet = test("fleet")

func test(path string) Stage { return Stage{Package: path} }

// stagesOf returns the stages for a package, beginning with its own tests.
func stagesOf(path string) []Stage {
	return append([]Stage{test(path)}, targets[path]...)
}

func targetNames() []string {
	var names []string
	for name := range targets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
