//go:build !js

// Package browsertest is for tests of pages in a real browser: headless Chromium, controlled over its debugging
// protocol. Only tests import it.
//
//   - [Run] is the TestMain of a package that uses it.
//   - [Shared] is the one browser of a test program, [Start] starts a separate one.
//   - [Browser.Open] opens a window with a page for a new user, who shares no storage with
//     others, and [Page.Another] opens another one for the same user.
//   - [Until] waits until the page's status is as it should be: the JSON of
//     window.tickback, or what [Page.Status] returns.
//   - [Page.Hide], [Page.Offline], [Page.Slow], [Page.Reload] and [Page.Close] simulate what
//     happens to pages; [Page.Shot] saves a picture among the test's artifacts.
//   - [Find] waits until no test of another package uses a browser.
//   - [Program] builds a program for pages once, [Folder] a page around it, and [Serve]
//     serves it, with rooms.
//
// A test fails at its end if its page has complained in its console, unless [Page.Forgive] expects the complaint.
//
// Tests are skipped if there is no browser, and with -short. With TICKBACK_BROWSER=required in the environment they
// fail if there is none, and "all" also runs slow tests ([Rarely]).
package browsertest
