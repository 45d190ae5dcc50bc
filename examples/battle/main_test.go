package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Rule: docs/world.md leads to this program, block by block, and says what it prints.
func TestThePageIsThisProgram(t *testing.T) {
	page, err := os.ReadFile("../../docs/world.md")
	if err != nil {
		t.Fatal(err)
	}
	_, guide, _ := strings.Cut(string(page), "## A hundred moving units")
	guide, _, _ = strings.Cut(guide, "\n## ")
	var blocks []string
	for _, b := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(guide, -1) {
		blocks = append(blocks, b[1])
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(blocks, "\n") != string(source) {
		t.Error("the blocks of docs/world.md are not main.go")
	}
	test, err := os.ReadFile("main_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, printed, _ := strings.Cut(guide, "```text\n")
	printed, _, _ = strings.Cut(printed, "\n```")
	if printed == "" || !strings.Contains(string(test), "// Output: "+printed+"\n") {
		t.Error("docs/world.md says that it prints", printed)
	}
}

func Example() {
	main()
	// Output: 99 units; the first is 1#1/1 at {2000 100}
}
