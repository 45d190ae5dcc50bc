//go:build !js

// Package browsertest is for tests of pages in a real browser: Chromium, without a screen,
// told what to do over its debugging protocol. Only tests import it.
//
//   - [Run] is the TestMain of a package that uses it.
//   - [Shared] is the one browser of a test program, [Start] one of its own.
//   - [Browser.Open] opens a window with a page for somebody new, who has no storage in
//     common with others, and [Page.Another] one more for the same person.
//   - [Until] waits until the page's status is as it should be: the JSON of
//     window.tickback, or what [Page.Status] says.
//   - [Page.Hide], [Page.Offline], [Page.Slow], [Page.Reload] and [Page.Close] are what
//     happens to pages; [Page.Shot] keeps a picture among the test's artifacts.
//   - [Find] waits until no test of another package uses a browser.
//   - [Program] builds a program for pages once, [Folder] a page around it, and [Serve]
//     serves it, with rooms.
//
// What a page complains of in its console fails the test when it ends, unless
// [Page.Forgive] expects it.
//
// Without a browser tests are skipped, and with -short; with TICKBACK_BROWSER=required in
// the environment they fail without a browser, and "all" runs those that take long, too ([Rarely]).
package browsertest
