package report

import (
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tickback/tickback/detlint/internal/rules"
)

// sarifSchema is the schema of SARIF output.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

// SARIF writes findings for tools that display them, in version 2.1.0 of that format. Files below dir are relative to
// it. The chain of calls is a code flow, and the key of a baseline the fingerprint. What could not be followed is a
// note, and what is trusted is suppressed, with the reason.
func SARIF(w io.Writer, dir string, list, notes []Finding, trusted []Trusted) error {
	s := sarif{dir: dir, lines: map[string][]string{}}
	all := rules.All()
	driver := sarifDriver{Name: "detlint", InformationURI: "https://pkg.go.dev/github.com/tickback/tickback/detlint"}
	for _, r := range all {
		level := "error"
		if r.Name == rules.Unproved {
			level = "note"
		}
		driver.Rules = append(driver.Rules, sarifRule{
			ID: r.Name, Short: sarifText{r.Short}, Help: sarifText{"Instead: " + r.Fix + "."},
			Default: sarifLevel{level},
		})
	}
	run := sarifRun{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Bases = map[string]sarifArtifact{"ROOT": {URI: uri(dir) + "/"}}
	shown := slices.Concat(list, notes)
	for _, t := range trusted {
		shown = append(shown, t.Finding)
	}
	for i, key := range Keys(dir, shown) {
		r := s.result(shown[i])
		if i >= len(list) && shown[i].Note() {
			r.Level = "note"
		}
		if n := i - len(list) - len(notes); n >= 0 {
			r.Suppressions = []sarifSuppression{{"inSource", trusted[n].Reason}}
		}
		r.Index = slices.IndexFunc(all, func(r *rules.Rule) bool { return r.Name == shown[i].Rule })
		r.Fingerprints = map[string]string{"detlint/v1": key}
		run.Results = append(run.Results, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool                `json:"tool"`
		Bases      map[string]sarifArtifact `json:"originalUriBaseIds"`
		ColumnKind string                   `json:"columnKind"`
		Results    []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string     `json:"id"`
		Short   sarifText  `json:"shortDescription"`
		Help    sarifText  `json:"help"`
		Default sarifLevel `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Flows        []sarifFlow       `json:"codeFlows,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`

		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line   int  `json:"startLine,omitempty"`
		Column int  `json:"startColumn,omitempty"`
		Offset *int `json:"byteOffset,omitempty"`
		Length *int `json:"byteLength,omitempty"`
	}
	sarifFlow struct {
		Threads []sarifThread `json:"threadFlows"`
	}
	sarifThread struct {
		Locations []sarifThreadLocation `json:"locations"`
	}
	sarifThreadLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// sarif caches the lines of files, in which the format counts characters: Go counts bytes.
type sarif struct {
	dir   string
	lines map[string][]string
}

func (s sarif) result(f Finding) sarifResult {
	r := sarifResult{Rule: f.Rule, Level: "error", Message: sarifText{f.Text()}, Locations: []sarifLocation{s.location(Step{Position: f.Position}, "")}}
	if len(f.Chain) > 0 {
		var t sarifThread
		for i, step := range f.Chain {
			t.Locations = append(t.Locations, sarifThreadLocation{s.location(step, f.Call(i))})
		}
		t.Locations = append(t.Locations, sarifThreadLocation{s.location(Step{Position: f.Position}, f.Message)})
		r.Flows = []sarifFlow{{[]sarifThread{t}}}
	}
	if len(f.Edits) > 0 {
		fix := sarifFix{Description: sarifText{f.Fix}}
		for _, e := range f.Edits {
			start, length := e.Start, e.End-e.Start
			if n := len(fix.Changes); n == 0 || f.Edits[0].File != e.File {
				fix.Changes = append(fix.Changes, sarifChange{Artifact: s.artifact(e.File)})
			}
			last := &fix.Changes[len(fix.Changes)-1]
			last.Replacements = append(last.Replacements, sarifReplacement{sarifRegion{Offset: &start, Length: &length}, sarifText{e.Text}})
		}
		r.Fixes = []sarifFix{fix}
	}
	return r
}

func (s sarif) location(step Step, message string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: s.artifact(step.Position.Filename)}}
	if step.Position.Line > 0 {
		l.Physical.Region = &sarifRegion{Line: step.Position.Line, Column: s.column(step)}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}

// column returns the number of a character in its line, from 1.
func (s sarif) column(step Step) int {
	name := step.Position.Filename
	if _, ok := s.lines[name]; !ok {
		b, _ := os.ReadFile(name) // after an error, bytes are counted
		s.lines[name] = strings.Split(string(b), "\n")
	}
	i, column := step.Position.Line-1, max(step.Position.Column, 1)
	if lines := s.lines[name]; i < len(lines) && column-1 <= len(lines[i]) {
		return utf8.RuneCountInString(lines[i][:column-1]) + 1
	}
	return column
}

func (s sarif) artifact(name string) sarifArtifact {
	if rel := Relative(s.dir, name); rel != name {
		return sarifArtifact{URI: escape(rel), Base: "ROOT"}
	}
	return sarifArtifact{URI: uri(name)}
}

func uri(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // on Windows
	}
	return "file://" + escape(path)
}

func escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }
