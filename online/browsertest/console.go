//go:build !js

package browsertest

import (
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// maxComplaints bounds what is remembered of a page that does nothing but complain.
const maxComplaints = 50

// console is what a page has said.
type console struct {
	mu       sync.Mutex
	said     []string // complaints: errors, failed assertions, exceptions, failed requests
	expected []string // what is none, though
}

// listen takes what the browser tells about a page.
func (p *Page) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeAssert {
			p.console.add(words(e.Args))
		}
	case *runtime.EventExceptionThrown:
		p.console.add(e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.console.add(e.Entry.Text + " " + e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		go func() { _ = p.try(page.HandleJavaScriptDialog(true)) }() // yes; a listener must not wait
	}
}

// words joins what was given to the console.
func words(args []*runtime.RemoteObject) string {
	var list []string
	for _, a := range args {
		text := string(a.Value)
		if text == "" {
			text = a.Description
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func (c *console) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.said) < maxComplaints {
		c.said = append(c.said, text)
	}
}

// Forgive makes no complaint of what has one of these texts in it, from the beginning.
func (p *Page) Forgive(texts ...string) {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	p.console.expected = append(p.console.expected, texts...)
}

// Complaints returns what the page has complained of, but for what is forgiven. If there
// are any at its end, the test fails.
func (p *Page) Complaints() []string {
	p.console.mu.Lock()
	defer p.console.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.console.said), func(said string) bool {
		return slices.ContainsFunc(p.console.expected, func(e string) bool { return strings.Contains(said, e) })
	})
}

// evaluate is an expression whose promise is waited for.
func evaluate(expression string, to any) chromedp.Action {
	return chromedp.Evaluate(expression, to, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) })
}
