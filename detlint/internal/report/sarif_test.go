package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// object is what the SARIF 2.1.0 schema says about one kind of object: the properties that we write, with the kinds of
// objects in them ("" for plain values, "+" for at least one of a list), and those that are required.
type object struct {
	properties map[string]string
	required   []string
}

var schema = map[string]object{
	"log":           {map[string]string{"$schema": "", "version": "", "runs": "run"}, []string{"version", "runs"}},
	"run":           {map[string]string{"tool": "tool", "results": "result", "columnKind": "", "originalUriBaseIds": "{artifact"}, []string{"tool"}},
	"tool":          {map[string]string{"driver": "driver"}, []string{"driver"}},
	"driver":        {map[string]string{"name": "", "informationUri": "", "rules": "rule"}, []string{"name"}},
	"rule":          {map[string]string{"id": "", "shortDescription": "text", "help": "text", "defaultConfiguration": "configuration"}, []string{"id"}},
	"text":          {map[string]string{"text": ""}, []string{"text"}},
	"configuration": {map[string]string{"level": ""}, nil},
	"result": {map[string]string{
		"ruleId": "", "ruleIndex": "", "level": "", "message": "text", "locations": "location", "codeFlows": "flow",
		"partialFingerprints": "{", "fixes": "fix",
	}, []string{"message"}},
	"location":    {map[string]string{"physicalLocation": "physical", "message": "text"}, nil},
	"physical":    {map[string]string{"artifactLocation": "artifact", "region": "region"}, []string{"artifactLocation"}},
	"artifact":    {map[string]string{"uri": "", "uriBaseId": ""}, []string{"uri"}},
	"region":      {map[string]string{"startLine": "", "startColumn": "", "byteOffset": "", "byteLength": ""}, nil},
	"flow":        {map[string]string{"threadFlows": "+thread"}, []string{"threadFlows"}},
	"thread":      {map[string]string{"locations": "+step"}, []string{"locations"}},
	"step":        {map[string]string{"location": "location"}, []string{"location"}},
	"fix":         {map[string]string{"description": "text", "artifactChanges": "+change"}, []string{"artifactChanges"}},
	"change":      {map[string]string{"artifactLocation": "artifact", "replacements": "+replacement"}, []string{"artifactLocation", "replacements"}},
	"replacement": {map[string]string{"deletedRegion": "region", "insertedContent": "text"}, []string{"deletedRegion"}},
}

// keeps lists where a value breaks the schema.
func keeps(kind string, v any) (wrong []string) {
	rest, several := strings.CutPrefix(kind, "+")
	if list, ok := v.([]any); ok {
		if several && len(list) == 0 {
			wrong = append(wrong, rest+": an empty list")
		}
		for _, x := range list {
			wrong = append(wrong, keeps(rest, x)...)
		}
		return wrong
	}
	inner, table := strings.CutPrefix(rest, "{")
	m, ok := v.(map[string]any)
	switch {
	case kind == "":
		if ok {
			wrong = append(wrong, fmt.Sprintf("%v is no plain value", v))
		}
		return wrong
	case !ok:
		return []string{fmt.Sprintf("%v is no %s", v, rest)}
	case table:
		for _, x := range m {
			wrong = append(wrong, keeps(inner, x)...)
		}
		return wrong
	}
	for name, x := range m {
		k, ok := schema[rest].properties[name]
		if !ok {
			wrong = append(wrong, rest+" has no "+name)
			continue
		}
		wrong = append(wrong, keeps(k, x)...)
	}
	for _, name := range schema[rest].required {
		if _, ok := m[name]; !ok {
			wrong = append(wrong, rest+" needs "+name)
		}
	}
	return append(wrong, values(rest, m)...)
}

// values checks numbers and strings.
func values(kind string, m map[string]any) (wrong []string) {
	oneOf := func(name string, allowed ...string) {
		if v, ok := m[name]; ok && !slices.Contains(allowed, fmt.Sprint(v)) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is %v", kind, name, v))
		}
	}
	oneOf("level", "none", "note", "warning", "error")
	oneOf("columnKind", "utf16CodeUnits", "unicodeCodePoints")
	oneOf("version", "2.1.0")
	for name, least := range map[string]float64{"startLine": 1, "startColumn": 1, "byteOffset": 0, "byteLength": 0, "ruleIndex": -1} {
		if v, ok := m[name].(float64); ok && v < least {
			wrong = append(wrong, fmt.Sprintf("%s: %s is %v", kind, name, v))
		}
	}
	return wrong
}

// Rule: the output conforms to the schema: it has nothing that the schema does not know, and everything that it
// requires; columns count characters.
func TestSARIFKeepsToTheSchema(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a b.go")
	if err := os.WriteFile(name, []byte("package a\n\nvar ä, x = 1, 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := token.Position{Filename: name, Line: 3, Column: 8} // the x, after a letter of two bytes
	list := []Finding{
		{Rule: "fixedops", Message: "m", Fix: "f", Position: at, Game: "g", Role: "Step", Chain: []Step{{"a.Step", at}, {"b.F", token.Position{Filename: "/else/b.go", Line: 1, Column: 3}}}, Edits: []Edit{{File: name, Text: "x"}, {File: name, Start: 3, End: 5, Text: ")"}}},
		{Rule: "ignore", Message: "m", Position: token.Position{Filename: "/else/c.go"}},
	}
	for _, l := range [][]Finding{list, nil} {
		var out bytes.Buffer
		if err := SARIF(&out, dir, l, nil, nil); err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(out.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if wrong := keeps("log", v); len(wrong) > 0 {
			t.Errorf("%s\n%s", strings.Join(wrong, "\n"), out.String())
		}
		if l != nil && (!strings.Contains(out.String(), `"startColumn": 7`) || !strings.Contains(out.String(), `"uri": "a%20b.go"`)) {
			t.Error(out.String())
		}
		var log sarifLog
		if err := json.Unmarshal(out.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		for i, r := range run.Results {
			if run.Tool.Driver.Rules[r.Index].ID != l[i].Rule {
				t.Errorf("result %d has rule %d", i, r.Index)
			}
		}
		if len(run.Results) != len(l) {
			t.Errorf("%d results of %d", len(run.Results), len(l))
		}
	}
	if wrong := keeps("log", map[string]any{"runs": []any{map[string]any{"tool": "x", "what": 1.0}}}); len(wrong) != 3 {
		t.Errorf("a log without a version, with a tool that is none, and what a run does not have: %q", wrong)
	}
}
