package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const architecturePage = "docs/architecture.md"

// tableBelow returns the cells of the first table below a heading of a page, without its head.
func tableBelow(t *testing.T, page, heading string) (rows [][]string) {
	t.Helper()
	_, section, found := strings.Cut(page, "\n"+heading+"\n")
	if !found {
		t.Fatalf("the page has no %q", heading)
	}
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		switch isRow := strings.HasPrefix(line, "|"); {
		case isRow:
			var cells []string
			for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(c))
			}
			rows = append(rows, cells)
		case len(rows) > 0:
			return rows[2:]
		}
	}
	return nil
}

// quoted returns what stands between backticks.
func quoted(cell string) (list []string) {
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		list = append(list, m[1])
	}
	return list
}

// declarations are the functions ("New"), methods ("Engine.Tick") and types ("Engine") of a
// package, for whatever system, without its tests. A struct has the methods of what it embeds, too.
func declarations(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	if pkg == "tickback" {
		pkg = "."
	}
	names, embedded := map[string]bool{}, map[string]string{} // from what is embedded to the struct
	paths, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = receiver(d) + "." + name
				}
				names[name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						names[s.Name.Name] = true
						for _, part := range embeds(s) {
							embedded[part] = s.Name.Name
						}
					}
				}
			}
		}
	}
	for _, name := range slices.Collect(maps.Keys(names)) {
		if part, method, is := strings.Cut(name, "."); is && embedded[part] != "" {
			names[embedded[part]+"."+method] = true
		}
	}
	return names
}

// embeds returns which types of the package a struct embeds.
func embeds(s *ast.TypeSpec) (parts []string) {
	if body, is := s.Type.(*ast.StructType); is {
		for _, f := range body.Fields.List {
			if len(f.Names) == 0 {
				parts = append(parts, typeName(f.Type))
			}
		}
	}
	return parts
}

// A hop of the walk.
type hop struct {
	pkg       string
	functions []string
	help      []string // with their packages
}

func walk(t *testing.T) (hops []hop) {
	t.Helper()
	for i, row := range tableBelow(t, readFile(t, architecturePage), "## The walk of one input") {
		if len(row) != 5 || row[0] != strconv.Itoa(i+1) || len(quoted(row[1])) != 1 || len(quoted(row[2])) == 0 {
			t.Fatalf("hop %d is %q", i+1, row)
		}
		hops = append(hops, hop{quoted(row[1])[0], quoted(row[2]), quoted(row[4])})
	}
	return hops
}

// Rule: each package and each function that the page names in its walk exists. (How much a frame runs is counted by
// TestASteadyFrameRunsLittle.)
func TestTheWalkOfAnInputNamesWhatThereIs(t *testing.T) {
	hops := walk(t)
	if len(hops) < 5 {
		t.Errorf("of the walk only %d hops are found", len(hops))
	}
	for i, h := range hops {
		for _, f := range h.functions {
			if !declarations(t, h.pkg)[f] {
				t.Errorf("hop %d: %s has no function %s", i+1, h.pkg, f)
			}
		}
		for _, name := range h.help {
			slash := strings.LastIndex(name, "/") + 1
			last, f, _ := strings.Cut(name[slash:], ".")
			if pkg := name[:slash] + last; !declarations(t, pkg)[f] {
				t.Errorf("hop %d: %s has no function %s", i+1, pkg, f)
			}
		}
	}
	for pkg, name := range map[string]string{"rollback": "Engine.Tock", "session/nowhere": "New", "session": "Outbox"} {
		if declarations(t, pkg)[name] {
			t.Errorf("%s.%s is found, though it does not exist", pkg, name)
		}
	}
}

// The drawing shows the hops of the table, in the same order.
func TestTheDrawingShowsTheWalk(t *testing.T) {
	boxes := regexp.MustCompile(`<tspan font-weight="600">([^<]+)</tspan><tspan fill="[^"]+"> · ([^<]+)</tspan>`).
		FindAllStringSubmatch(readFile(t, "docs/images/architecture.svg"), -1)
	hops := walk(t)
	if len(boxes) != len(hops) {
		t.Fatalf("the drawing has %d boxes for %d hops", len(boxes), len(hops))
	}
	for i, h := range hops {
		if boxes[i][1] != h.pkg {
			t.Errorf("box %d is in %s, and hop %[1]d in %[3]s", i+1, boxes[i][1], h.pkg)
		}
		owner := ""
		for _, f := range strings.Split(boxes[i][2], ", ") { // "Machine.a, b" is two methods of Machine
			if before, _, found := strings.Cut(f, "."); found {
				owner = before
			} else {
				f = owner + "." + f
			}
			if !slices.Contains(h.functions, f) {
				t.Errorf("box %d has %s, and hop %[1]d does not", i+1, f)
			}
		}
	}
}

// treeOf returns the first element of the path of a room.
func treeOf(path string) string {
	tree, _, _ := strings.Cut(path, "/")
	return tree
}

// layerOf returns the layer of a room, or of the smallest tree around it that has one.
func layerOf(layers map[string]int, path string) (layer int, ok bool) {
	for {
		if layer, ok = layers[path]; ok {
			return layer, true
		}
		end := strings.LastIndex(path, "/")
		if end < 0 {
			return 0, false
		}
		path = path[:end]
	}
}

// wrongLayers lists what is wrong with a map from rooms to their layers.
func wrongLayers(table []room, layers map[string]int) (wrong []string) {
	for _, r := range table {
		layer, ok := layerOf(layers, r.path)
		if !ok {
			wrong = append(wrong, r.path+" is in no layer")
			continue
		}
		for _, below := range table {
			imports := slices.ContainsFunc(r.imports, func(i string) bool { return i != "*" && within(below.path, i) })
			if its, _ := layerOf(layers, below.path); imports && its >= layer && treeOf(below.path) != treeOf(r.path) {
				wrong = append(wrong, r.path+" may import "+below.path+", which is not in a lower layer")
			}
		}
	}
	return wrong
}

// Rule: each room stands in one layer of the page, above all rooms of other trees that it may
// import.
func TestTheLayersOfThePageAreThoseOfTheTable(t *testing.T) {
	layers := map[string]int{}
	for _, row := range tableBelow(t, readFile(t, architecturePage), "## Rooms in layers") {
		number, _, _ := strings.Cut(row[0], ",")
		layer, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range quoted(row[1]) {
			if path == "tickback" {
				continue // what "." is
			}
			if _, twice := layers[path]; twice {
				t.Errorf("%s is in two layers", path)
			}
			layers[path] = layer
		}
	}
	for _, w := range wrongLayers(rooms, layers) {
		t.Error(w)
	}
	for path := range layers {
		if !slices.ContainsFunc(rooms, func(r room) bool { return r.path == path }) {
			t.Errorf("%s is in a layer, and no room", path)
		}
	}
	// The negative control.
	bad := wrongLayers([]room{{"a", []string{"b"}}, {"b", nil}, {"c", nil}, {"b/d", []string{"b"}}, {"b/d/e", nil}}, map[string]int{"a": 1, "b": 1, "b/d": 0})
	if want := []string{"a may import b, which is not in a lower layer", "c is in no layer"}; !slices.Equal(bad, want) {
		t.Errorf("%q, want %q", bad, want)
	}
}

// Each part of session and behind the front door, each type and each file that the page names
// exists.
func TestThePartsAreThere(t *testing.T) {
	page := readFile(t, architecturePage)
	parts := append(tableBelow(t, page, "## The parts of `session`"), tableBelow(t, page, "## The parts behind the front door")...)
	for _, row := range parts {
		pkg := quoted(row[0])[0]
		for _, name := range quoted(row[1]) {
			if !declarations(t, pkg)[name] {
				t.Errorf("%s has no type %s", pkg, name)
			}
		}
	}
	for _, r := range rooms {
		named := slices.ContainsFunc(parts, func(row []string) bool { return quoted(row[0])[0] == r.path })
		behind := treeOf(r.path) == "internal" && slices.Contains(rooms[0].imports, r.path)
		if (treeOf(r.path) == "session" || behind) != named {
			t.Errorf("the page names %s as a part: %v", r.path, named)
		}
	}
	_, rest, _ := strings.Cut(page, "knows nothing of those below:")
	conducts := tableBelow(t, "\n## conducts\n"+rest, "## conducts")
	if len(conducts) < 5 {
		t.Errorf("the machine conducts %d things", len(conducts))
	}
	for _, row := range conducts {
		for _, file := range quoted(row[2]) {
			if _, err := os.Stat(filepath.Join("session", file)); err != nil {
				t.Error(err)
			}
		}
		for _, name := range slices.Concat(quoted(row[0]), quoted(row[3])) {
			if !declarations(t, "session")[name] {
				t.Errorf("session has no %s", name)
			}
		}
	}
}
