// Package survey reads the source of the standard library and determines for each exported function what matters to a
// step: whether it reads the clock, random numbers or the scheduler, and what it does to memory. Its result is the
// table generated.txt of package std.
package survey

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Packages are the packages with functions that a step may use, so that their functions are listed. Of all others
// only the names are listed.
var Packages = []string{
	"bufio", "bytes", "cmp", "compress/bzip2", "compress/flate", "compress/gzip", "compress/lzw", "compress/zlib", "container/heap", "container/list", "container/ring",
	"crypto/hmac", "crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512", "crypto/subtle",
	"encoding", "encoding/ascii85", "encoding/asn1", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "encoding/pem", "encoding/xml",
	"errors", "fmt", "hash", "hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv", "html", "image", "image/color", "image/color/palette", "image/draw", "index/suffixarray", "io", "iter",
	"maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2", "net/netip", "net/url", "path", "reflect", "regexp", "regexp/syntax", "slices", "sort", "strconv", "strings", "structs",
	"sync", "sync/atomic", "text/scanner", "text/tabwriter", "text/template", "time", "unicode", "unicode/utf16", "unicode/utf8", "unsafe",
}

// Table returns the lines of the table, in order, for the library of this version of Go.
func Table() ([]string, error) {
	every, err := packages.Load(&packages.Config{Mode: packages.NeedName}, "std")
	if err != nil {
		return nil, fmt.Errorf("listing the library: %w", err)
	}
	var lines []string
	for _, p := range every {
		lines = append(lines, "package "+p.PkgPath)
	}
	slices.Sort(lines)
	functions, err := Functions(Packages...)
	return append(lines, functions...), err
}

// Functions returns the lines of the exported functions of some packages.
func Functions(paths ...string) ([]string, error) {
	fset := token.NewFileSet()
	read, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Fset: fset}, paths...)
	if err != nil {
		return nil, fmt.Errorf("reading the library: %w", err)
	}
	s := &survey{fset: fset, infos: map[*types.Package]*types.Info{}, verdicts: map[*ssa.Function]std.Verdict{}}
	prog := ssa.NewProgram(fset, ssa.InstantiateGenerics)
	var errs []error
	packages.Visit(read, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			errs = append(errs, e)
		}
		if p.PkgPath == "unsafe" {
			prog.CreatePackage(types.Unsafe, nil, nil, true)
		} else if p.Types != nil {
			prog.CreatePackage(p.Types, p.Syntax, p.TypesInfo, true)
			s.infos[p.Types] = p.TypesInfo
		}
	})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	prog.Build()
	s.flow = flow.New(func(fn *ssa.Function) (flow.Traits, bool) { return bodyless(fn), true })
	var lines []string
	for _, p := range read {
		if p.PkgPath != "unsafe" {
			lines = append(lines, s.exported(prog, p.Types)...)
		}
	}
	slices.Sort(lines)
	return lines, nil
}

type survey struct {
	fset     *token.FileSet
	infos    map[*types.Package]*types.Info
	flow     *flow.Analysis
	verdicts map[*ssa.Function]std.Verdict
}

// exported returns the lines of a package: of its exported functions, and of the methods of all of its types, since
// values of an unexported type can be returned.
func (s *survey) exported(prog *ssa.Program, p *types.Package) (lines []string) {
	line := func(obj *types.Func) {
		fn := prog.FuncValue(obj)
		if fn == nil || !ast.IsExported(obj.Name()) {
			return
		}
		pkg, name := rules.FuncName(obj)
		lines = append(lines, std.Line(pkg+"."+name, s.verdict(fn, map[*ssa.Function]bool{}), s.flow.Traits(fn)))
	}
	for _, name := range p.Scope().Names() {
		switch obj := p.Scope().Lookup(name).(type) {
		case *types.Func:
			line(obj)
		case *types.TypeName:
			if n, ok := obj.Type().(*types.Named); ok {
				for i := range n.NumMethods() {
					line(n.Method(i))
				}
			}
		}
	}
	return lines
}

// bodyless returns the assumed traits of a function in assembly: it writes to memory behind pointers, as hash
// functions do, but only reads slices: most such functions are in internal/bytealg.
func bodyless(fn *ssa.Function) (t flow.Traits) {
	for i, p := range fn.Params {
		if _, ok := p.Type().Underlying().(*types.Pointer); ok {
			t.Writes |= 1 << i
		}
	}
	return t
}

// decisive are the rules whose findings make a function of the library unusable in a step. (How the library itself
// uses memory and unsafe does not matter.)
var decisive = []string{"clock", "random", "environment", "machine", "collector", "maphash", "concurrency", "maporder"}

// verdict judges a function by its code and by what it calls.
func (s *survey) verdict(fn *ssa.Function, on map[*ssa.Function]bool) std.Verdict {
	if v, ok := s.verdicts[fn]; ok {
		return v
	}
	if on[fn] {
		return std.Verdict{Kind: std.Allowed}
	}
	on[fn] = true
	v := s.judge(fn, on)
	delete(on, fn)
	s.verdicts[fn] = v
	return v
}

func (s *survey) judge(fn *ssa.Function, on map[*ssa.Function]bool) std.Verdict {
	pkg, name := rules.NameOf(fn)
	if v := std.Curated(pkg, name); v.Kind == std.Refused {
		return std.Verdict{Kind: std.Refused, Rule: v.Rule, Reason: "it comes to " + pkg + "." + name}
	} else if v.Kind != std.Unlisted {
		return std.Verdict{Kind: std.Allowed}
	}
	if len(fn.Blocks) == 0 {
		return std.Verdict{Kind: std.Allowed}
	}
	var info *types.Info
	if p := fn.Package(); p != nil {
		info = s.infos[p.Pkg]
	}
	for _, f := range rules.Examine(rules.Context{Fn: fn, Fset: s.fset, Info: info, Flow: s.flow}, false) {
		if slices.Contains(decisive, f.Rule) {
			return std.Verdict{Kind: std.Refused, Rule: f.Rule, Reason: strings.TrimSpace(shortened(f.Message))}
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			var callee *ssa.Function
			switch in := in.(type) {
			case ssa.CallInstruction:
				callee = in.Common().StaticCallee()
			case *ssa.MakeClosure:
				callee = in.Fn.(*ssa.Function)
			}
			if callee == nil {
				continue
			}
			if v := s.verdict(callee, on); v.Kind == std.Refused {
				return v
			}
		}
	}
	return std.Verdict{Kind: std.Allowed}
}

// shortened returns a message without its line numbers, which would change with every version.
func shortened(message string) string {
	if i := strings.LastIndex(message, " (line "); i >= 0 {
		message = message[:i]
	}
	return strings.ReplaceAll(message, "\t", " ")
}
