package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"os"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// billOf returns a bill of materials, in the form of CycloneDX 1.6: every module that is linked into a program, as the
// program itself says, with the checksum that go.sum has for it, and the version of Go.
func billOf(program, version, goos, goarch string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	bill := cdx.NewBOM()
	bill.Metadata = &cdx.Metadata{Component: &cdx.Component{
		Type: cdx.ComponentTypeApplication, Name: info.Path, Version: version, BOMRef: "program",
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Properties: &[]cdx.Property{{Name: "goos", Value: goos}, {Name: "goarch", Value: goarch}},
		Licenses:   &cdx.Licenses{{License: &cdx.License{Name: "see LICENSE and tickback licenses"}}},
	}}
	components := []cdx.Component{{
		Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion, BOMRef: "std",
		PackageURL: "pkg:golang/std@" + info.GoVersion[len("go"):],
	}}
	for _, m := range info.Deps {
		at := m
		if m.Replace != nil {
			at = m.Replace
		}
		c := cdx.Component{
			Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: at.Version, BOMRef: m.Path,
			PackageURL: fmt.Sprintf("pkg:golang/%s@%s", m.Path, at.Version),
		}
		if at.Sum != "" {
			c.Properties = &[]cdx.Property{{Name: "go.sum", Value: at.Sum}}
		}
		components = append(components, c)
	}
	bill.Components = &components
	refs := make([]string, 0, len(components))
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}
	bill.Dependencies = &[]cdx.Dependency{{Ref: "program", Dependencies: &refs}}
	var out bytes.Buffer
	e := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON)
	e.SetPretty(true)
	if err := e.EncodeVersion(bill, cdx.SpecVersion1_6); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
