//go:build !js

package browsertest

import (
	"strings"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// listen handles an event of the browser about a page.
func (p *Page) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeAssert {
			p.Complain(words(e.Args))
		}
	case *runtime.EventExceptionThrown:
		p.Complain(e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.Complain(e.Entry.Text + " " + e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		go func() { _ = p.try(page.HandleJavaScriptDialog(true)) }() // accepts it; a listener must not block
	}
}

// words joins the arguments of a call of the console.
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

// evaluate evaluates an expression and waits for its promise.
func evaluate(expression string, to any) chromedp.Action {
	return chromedp.Evaluate(expression, to, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) })
}
