package house

import (
	"flag"
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateTasks = flag.Bool("update-tasks", false, "write docs/reference/tasks.md")

const (
	tasksPage = "docs/reference/tasks.md"
	ownPath   = "github.com/tickback/tickback"
	reference = "https://pkg.go.dev/"
)

// Rule: docs/reference/tasks.md is the outlines by task of all packages that a program outside may import.
// "go test ./internal/house -run TasksPage -update-tasks" writes it.
func TestTasksPage(t *testing.T) {
	page := tasks(t)
	if n := strings.Count(page, "\n- "); n < 200 {
		t.Errorf("only %d tasks: the outlines are no longer found", n)
	}
	if *updateTasks {
		if err := os.WriteFile(tasksPage, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := readFile(t, tasksPage); got != page {
		t.Errorf("%s is out of date: run go test ./internal/house -run TasksPage -update-tasks", tasksPage)
	}
}

// tasks makes the page.
func tasks(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# What to do with what\n\nThe outlines of all packages, by task; each name leads to its documentation, as `go doc` shows it. This page is written from the\n" +
		"packages' own comments, and a test compares them.\n")
	for _, dir := range documented(t) {
		doc, name := outline(t, dir)
		if doc == "" || name == "main" {
			continue
		}
		items := listed(doc, path.Join(ownPath, dir))
		if len(items) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n`%s`\n\n", heading(dir), path.Join(ownPath, dir))
		for _, item := range items {
			b.WriteString("- " + item + "\n")
		}
	}
	return b.String()
}

func heading(dir string) string {
	if dir == "." {
		return "tickback"
	}
	return dir
}

// documented returns the folders of packages that may be imported from outside, the root first.
func documented(t *testing.T) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch base := d.Name(); {
		case name == ".":
		case base == "internal", base == "testdata", base == "examples", base == "bin", base == "tools", strings.HasPrefix(base, "."):
			return filepath.SkipDir
		}
		dirs = append(dirs, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	return dirs
}

// outline returns the comment of a package, and its name; both are empty if there is no package.
func outline(t *testing.T, dir string) (doc, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		name = f.Name.Name
		if f.Doc != nil && len(f.Doc.Text()) > len(doc) {
			doc = f.Doc.Text()
		}
	}
	return doc, name
}

// listed returns the items of the lists in a comment that name something that is exported, as Markdown.
func listed(doc, own string) (items []string) {
	p := comment.Parser{LookupSym: func(string, string) bool { return true }}
	for _, block := range p.Parse(doc).Content {
		list, ok := block.(*comment.List)
		if !ok {
			continue
		}
		for _, item := range list.Items {
			text, links := "", 0
			for _, inner := range item.Content {
				if paragraph, ok := inner.(*comment.Paragraph); ok {
					s, n := markdown(paragraph.Text, own)
					text, links = text+s, links+n
				}
			}
			if links > 0 && len(item.Content) == 1 && len(plain(item)) <= longestTask {
				items = append(items, strings.Join(strings.Fields(text), " "))
			}
		}
	}
	return items
}

// longestTask is how long an item may be that says what to do; longer ones are remarks.
const longestTask = 260

// plain returns an item as go doc shows it.
func plain(item *comment.ListItem) string {
	var p comment.Printer
	return string(p.Text(&comment.Doc{Content: item.Content}))
}

// markdown returns a text with its links, and their number.
func markdown(list []comment.Text, own string) (text string, links int) {
	for _, part := range list {
		switch part := part.(type) {
		case comment.Plain:
			text += escaped(string(part))
		case comment.Italic:
			text += "*" + escaped(string(part)) + "*"
		case *comment.Link:
			inner, _ := markdown(part.Text, own)
			text += "[" + inner + "](" + part.URL + ")"
		case *comment.DocLink:
			links++
			at := own
			if part.ImportPath != "" {
				at = part.ImportPath
			}
			symbol := part.Name
			if part.Recv != "" {
				symbol = part.Recv + "." + symbol
			}
			label, _ := markdown(part.Text, own)
			label = strings.TrimPrefix(label, ownPath+"/")
			if symbol != "" {
				symbol = "#" + symbol
			}
			text += "[" + label + "](" + reference + at + symbol + ")"
		}
	}
	return text, links
}

func escaped(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`).Replace(text)
}
