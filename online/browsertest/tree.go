//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Heard is a node of a page's accessibility tree.
type Heard struct {
	Role, Name, Value string
	Focused           bool

	node cdp.BackendNodeID
}

// String returns roughly what a screen reader would read out.
func (h Heard) String() string {
	text := h.Role + " " + fmt.Sprintf("%q", h.Name)
	if h.Value != "" {
		text += " = " + h.Value
	}
	if h.Focused {
		text += " (focused)"
	}
	return text
}

// node is a node of the tree as the browser reports it. It has only the fields needed here, since each version has
// reasons and properties that other versions do not know.
type node struct {
	Ignored           bool
	Role, Name, Value struct{ Value any }
	BackendDOMNodeID  cdp.BackendNodeID `json:"backendDOMNodeId"`
	Properties        []struct {
		Name  string
		Value struct{ Value any }
	}
}

// Tree returns the accessibility tree of the page, in reading order, without ignored nodes.
func (p *Page) Tree() (list []Heard) {
	p.t.Helper()
	var text json.RawMessage
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		return cdp.Execute(ctx, accessibility.CommandGetFullAXTree, nil, &text)
	}))
	var tree struct{ Nodes []node }
	if err := json.Unmarshal(text, &tree); err != nil {
		p.Fatalf("the tree of accessibility: %v", err)
	}
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		h := Heard{Role: textOf(n.Role.Value), Name: textOf(n.Name.Value), Value: textOf(n.Value.Value), node: n.BackendDOMNodeID}
		for _, q := range n.Properties {
			h.Focused = h.Focused || q.Name == "focused" && q.Value.Value == true
		}
		list = append(list, h)
	}
	return list
}

// textOf returns a value of the tree as a text.
func textOf(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// Hear waits until the tree has a node with this role and name, and returns the first one.
func (p *Page) Hear(role, name string) Heard {
	p.t.Helper()
	return p.HearThat(fmt.Sprintf("a %s %q", role, name), func(h Heard) bool {
		return h.Role == role && h.Name == name
	})
}

// HearText waits until the page says something that contains a text.
func (p *Page) HearText(text string) {
	p.t.Helper()
	p.HearThat(fmt.Sprintf("the text %q", text), func(h Heard) bool { return h.Role == "StaticText" && strings.Contains(h.Name, text) })
}

// HearThat waits until the tree has a node for which the function is returns true, and returns the first one.
func (p *Page) HearThat(what string, is func(h Heard) bool) Heard {
	p.t.Helper()
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	for deadline := time.Now().Add(Patience); ; <-ticker.C {
		list := p.Tree()
		for _, h := range list {
			if is(h) {
				return h
			}
		}
		if time.Now().After(deadline) {
			p.Fatalf("waited in vain until there is %s; the tree is %v", what, list)
		}
	}
}

// Press activates a node as assistive technology activates a button.
func (p *Page) Press(h Heard) { p.t.Helper(); p.with(h, "function() { this.click(); }") }

// Focus moves the keyboard focus to a node.
func (p *Page) Focus(h Heard) { p.t.Helper(); p.with(h, "function() { this.focus(); }") }

// with calls a JavaScript function in which "this" is the element of a node.
func (p *Page) with(h Heard, function string) {
	p.t.Helper()
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		object, err := dom.ResolveNode().WithBackendNodeID(h.node).Do(ctx)
		if err != nil {
			return fmt.Errorf("%v is gone: %w", h, err)
		}
		_, thrown, err := runtime.CallFunctionOn(function).WithObjectID(object.ObjectID).Do(ctx)
		if err == nil && thrown != nil {
			err = thrown
		}
		return err
	}))
}
