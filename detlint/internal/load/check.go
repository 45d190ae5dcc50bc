package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/tickback/tickback/detlint/internal/std"
)

// reader type-checks packages from their source only: nothing is compiled, so requirements of a package other than Go
// do not matter, and no time is spent by the compiler. In the library it only reads declarations, no bodies.
type reader struct {
	fset    *token.FileSet
	overlay map[string][]byte
	chosen  map[string]bool // paths of the packages whose bodies are read
	cgo     map[string]cgo  // the replaced files of packages that use C, by ID
	sizes   types.Sizes
	begun   map[string]*checked // by ID
	turns   chan struct{}       // limits how much is done at a time
	done    func()              // called after each package that is not in the library

	mu      sync.Mutex
	parsing map[string]*parsed // the parsed files of the library: a file may be in several variants of a package
}

// cgo has the replacement for the files of a package that use C.
type cgo struct {
	files []string // the files that replace them, and those that cgo has added
	err   error    // why there are none
}

// checked is a package that is being read.
type checked struct {
	*packages.Package // with types, and syntax if its bodies were read
	ready             chan struct{}
	errs              []error
	left              bool // whether its bodies could not be read
}

type parsed struct {
	file *ast.File
	err  error
}

// graph returns the listed packages, with those that are imported by the files that cgo adds.
func (r *reader) graph(cfg *packages.Config, listed []*packages.Package) ([]*packages.Package, error) {
	if len(r.cgo) == 0 {
		return listed, nil
	}
	own := *cfg
	own.Tests = false
	more, err := packages.Load(&own, added...)
	if err != nil {
		return nil, fmt.Errorf("listing what cgo needs: %w", err)
	}
	return slices.Concat(listed, more), nil
}

// read reads packages, with everything that they import, and returns those whose bodies were to be read, each after
// those that it imports.
func (r *reader) read(list []*packages.Package) (all []*checked) {
	r.begun, r.turns = map[string]*checked{}, make(chan struct{}, max(runtime.GOMAXPROCS(0), 1))
	packages.Visit(list, nil, func(p *packages.Package) {
		if r.begun[p.ID] != nil || !r.wanted(p) && !r.chosenTest(p) {
			return
		}
		copied := *p
		c := &checked{Package: &copied, ready: make(chan struct{})}
		r.begun[p.ID] = c
		all = append(all, c)
	})
	for _, c := range all {
		go r.check(c)
	}
	for _, c := range all {
		<-c.ready
	}
	return slices.DeleteFunc(all, func(c *checked) bool { return std.Known(c.PkgPath) })
}

// wanted reports whether a package is one of the chosen ones, or in the library.
func (r *reader) wanted(p *packages.Package) bool { return std.Known(p.PkgPath) || r.chosen[p.PkgPath] }

// chosenTest reports whether a package is the test of a chosen one.
func (r *reader) chosenTest(p *packages.Package) bool {
	path, is := strings.CutSuffix(p.PkgPath, "_test")
	return is && r.chosen[path]
}

// added are the imports of the files that cgo adds to a package.
var added = []string{"syscall", "runtime/cgo"}

// check type-checks a package once its imports have been checked.
func (r *reader) check(c *checked) {
	defer close(c.ready)
	if c.PkgPath == "unsafe" {
		c.Types = types.Unsafe
		return
	}
	for _, i := range c.Imports {
		if d := r.begun[i.ID]; d != nil {
			<-d.ready
		}
	}
	_, uses := r.cgo[c.ID]
	for _, path := range added {
		if d := r.begun[path]; d != nil && uses {
			<-d.ready
		}
	}
	r.turns <- struct{}{}
	defer func() {
		<-r.turns
		if !std.Known(c.PkgPath) {
			r.done()
		}
	}()
	library := std.Known(c.PkgPath)
	files := c.GoFiles
	if g, uses := r.cgo[c.ID]; uses {
		if files = g.files; g.err != nil {
			c.errs, c.left, files = append(c.errs, g.err), true, c.GoFiles
		}
	}
	for _, e := range c.Errors {
		c.errs = append(c.errs, e)
	}
	var syntax []*ast.File
	for _, name := range files {
		f, err := r.parse(name, library)
		if err != nil {
			c.errs = append(c.errs, err)
		}
		if f != nil {
			syntax = append(syntax, f)
		}
	}
	r.types(c, syntax, library)
	c.left = c.left || !library && len(c.errs) > 0
	if !c.left && !library {
		c.Syntax = syntax
	}
}

// types checks the files of a package. Errors in packages of the library are ignored: they may use C.
func (r *reader) types(c *checked, syntax []*ast.File, library bool) {
	conf := types.Config{
		Importer: importer{r, c}, Sizes: r.sizes, IgnoreFuncBodies: library || c.left, FakeImportC: library || c.left,
		Error: func(err error) {
			if !library && !c.left {
				c.errs = append(c.errs, err)
			}
		},
	}
	if m := c.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	if !library && !c.left {
		c.TypesInfo = newInfo()
	}
	c.Types, _ = conf.Check(c.PkgPath, r.fset, syntax, c.TypesInfo) // errors have been recorded
}

// parse reads a file.
func (r *reader) parse(name string, library bool) (*ast.File, error) {
	var source any
	if b, ok := r.overlay[name]; ok {
		source = b
	}
	if !library {
		return parser.ParseFile(r.fset, name, source, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	}
	r.mu.Lock()
	p := r.parsing[name]
	r.mu.Unlock()
	if p == nil {
		p = &parsed{}
		p.file, p.err = parser.ParseFile(r.fset, name, source, parser.SkipObjectResolution)
		r.mu.Lock()
		r.parsing[name] = p
		r.mu.Unlock()
	}
	return p.file, p.err
}

// importer returns the imports of a package.
type importer struct {
	r *reader
	c *checked
}

// Import returns the types of a package by its path in the source.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	id := path
	if p := i.c.Imports[path]; p != nil {
		id = p.ID
	} else if !slices.Contains(added, path) {
		id = ""
	}
	if d := i.r.begun[id]; d != nil && d.Types != nil { // it is ready
		return d.Types, nil
	}
	return nil, fmt.Errorf("package %s could not be read", path)
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
}

// sizesFor returns the sizes of types on the target machine of the go command.
func sizesFor(c Config) (types.Sizes, error) {
	cmd := exec.Command("go", "env", "GOARCH")
	cmd.Dir, cmd.Env = c.Dir, c.Env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("asking the go command for the machine: %w", err)
	}
	arch := strings.TrimSpace(string(out))
	sizes := types.SizesFor("gc", arch)
	if sizes == nil {
		return nil, fmt.Errorf("the sizes of types on %s are not known", arch)
	}
	return sizes, nil
}

// runCgo runs cgo through the go command for the files that use C, in those of the chosen packages that have some. It
// needs a C compiler, and the headers that the files include.
func runCgo(c *packages.Config, listed []*packages.Package, chosen map[string]bool) (map[string]cgo, error) {
	var ids, paths, files []string
	found := map[string]cgo{}
	packages.Visit(listed, nil, func(p *packages.Package) {
		switch {
		case !chosen[p.PkgPath] || !anyHas(p.GoFiles, `"C"`) || !usesC(p.GoFiles):
			return
		case p.PkgPath == "command-line-arguments": // it was given by its files
			files = append(files, p.GoFiles...)
		default:
			paths = append(paths, p.PkgPath)
		}
		ids = append(ids, p.ID)
	})
	if len(ids) == 0 {
		return found, nil
	}
	cfg := *c
	cfg.Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles
	// With -trimpath in GOFLAGS, files written by cgo would contain invalid positions.
	cfg.BuildFlags = append(slices.Clip(cfg.BuildFlags), "-trimpath=false")
	slices.Sort(paths)
	var list []*packages.Package
	for _, patterns := range [][]string{slices.Compact(paths), files} { // the go command only takes one kind
		if len(patterns) == 0 {
			continue
		}
		loaded, err := packages.Load(&cfg, patterns...)
		if err != nil {
			return nil, fmt.Errorf("running cgo: %w", err)
		}
		list = append(list, loaded...)
	}
	for _, p := range list {
		g := cgo{files: p.CompiledGoFiles}
		if err := failures([]*packages.Package{p}); err != nil || len(p.CompiledGoFiles) == 0 {
			g.err = fmt.Errorf("cgo could not be run: %s", firstLine(err))
		}
		found[p.ID] = g
	}
	for _, id := range ids { // such as tests of the package
		if _, ok := found[id]; !ok {
			found[id] = cgo{err: errors.New("cgo was not run for it")}
		}
	}
	return found, nil
}

// usesC reports whether one of the files imports C.
func usesC(files []string) bool {
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }) {
			return true
		}
	}
	return false
}

// firstLine returns the first line of an error that says what is missing.
func firstLine(err error) string {
	if err == nil {
		return "it has made nothing"
	}
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && strings.Contains(line, "rror") {
			return line
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return line
}
