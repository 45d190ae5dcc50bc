package reports

import (
	"encoding/hex"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
)

// reportJSON is a report for programs; players are counted from 1. The tags are the keys of --json.
type reportJSON struct {
	File    string      `json:"file"`
	OK      bool        `json:"ok"`
	Error   string      `json:"error"` // empty when ok
	Game    string      `json:"game"`
	Build   string      `json:"build"`
	Match   uint32      `json:"match"`
	Seed    uint64      `json:"seed"`
	State   uint32      `json:"state"` // the first that differs
	Equal   uint32      `json:"equal"` // the last compared state that was equal
	Noticed uint32      `json:"noticed"`
	Sides   []sideJSON  `json:"sides"`
	Fields  []fieldJSON `json:"fields"`
	Total   uint32      `json:"total"` // fields that differ
	AtLeast bool        `json:"at_least"`
	First   uint32      `json:"first"`  // the frame of the first inputs
	Inputs  [][]string  `json:"inputs"` // for each frame and player, in hexadecimal
	Replay  bool        `json:"replay"` // whether the report has a state to begin with
}

type sideJSON struct {
	Hash  string     `json:"hash"` // empty if it is not known
	Peers []peerJSON `json:"peers"`
}

type peerJSON struct {
	Players []int  `json:"players"`
	Machine string `json:"machine"`
	Source  string `json:"source"`
	Base    uint32 `json:"base"` // the state that it was resimulated from
	Hash    string `json:"hash"` // the hash of the peer's state now
	Inputs  string `json:"inputs"`
	Why     string `json:"why"`
}

type fieldJSON struct {
	Path   string    `json:"path"`
	Values []*string `json:"values"` // one per side; null where there is none
}

func reportObject(path string, r *desync.Report, err error) reportJSON {
	o := reportJSON{File: path, OK: err == nil, Error: console.ErrorText(err), Sides: []sideJSON{}, Fields: []fieldJSON{}, Inputs: [][]string{}}
	if err != nil {
		return o
	}
	o.Game, o.Build, o.Match, o.Seed = r.Game, r.Build, r.Match, r.Seed
	o.State, o.Equal, o.Noticed, o.Total, o.AtLeast = r.State, r.Equal, r.Noticed, r.Total, r.AtLeast
	o.First, o.Replay = r.First, r.Begin != nil
	for g, hash := range r.Groups {
		o.Sides = append(o.Sides, sideJSON{words.Checksum64(hash), peersOf(r, uint32(g))})
	}
	if unknown := peersOf(r, desync.None); len(unknown) > 0 {
		o.Sides = append(o.Sides, sideJSON{"", unknown})
	}
	for _, f := range r.Fields {
		j := fieldJSON{Path: f.Path}
		for _, v := range f.Values {
			var text *string
			if v.Kind == desync.Present {
				text = new(v.Text)
			}
			j.Values = append(j.Values, text)
		}
		o.Fields = append(o.Fields, j)
	}
	_ = r.Frames(func(f *agreed.Frame) error { // there is no error: Decode has already read the frames
		var row []string
		for p := range r.Shape.Players {
			row = append(row, hex.EncodeToString(f.Inputs[p*r.Shape.InputSize:(p+1)*r.Shape.InputSize]))
		}
		o.Inputs = append(o.Inputs, row)
		return nil
	})
	return o
}

func peersOf(r *desync.Report, group uint32) (list []peerJSON) {
	for _, p := range r.Peers {
		if p.Group != group {
			continue
		}
		j := peerJSON{Machine: p.Machine, Source: p.Origin.String(), Base: p.Base, Hash: words.Checksum64(p.Hash), Inputs: p.Inputs.String(), Why: p.Why}
		for player := range tickback.PlayerSet(p.Players).All() {
			j.Players = append(j.Players, int(player)+1)
		}
		list = append(list, j)
	}
	return list
}
