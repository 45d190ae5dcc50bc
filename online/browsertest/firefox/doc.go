// Package firefox is for tests of pages in headless Firefox, controlled by WebDriver BiDi. Only tests import it.
// Nearly all tests of pages use Chromium ([browsertest]); this package shows that another browser works, too.
//
//   - [Start] starts a browser.
//   - [Browser.Open] opens a window with a page for a new user.
//   - [browsertest.Until] and [browsertest.Now] query such a page, too.
//
// A test fails at its end if its page has complained in its console, unless [Page.Forgive] expects the complaint.
// Without Firefox, tests are skipped or fail like those with Chromium.
package firefox
