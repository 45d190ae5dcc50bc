// Package firefox is for tests of pages in Firefox, without a screen, told what to do by WebDriver BiDi. Only tests
// import it. Nearly all of them are in Chromium ([browsertest]); this shows that another browser does the same.
//
//   - [Start] starts a browser.
//   - [Browser.Open] opens a window with a page for somebody new.
//   - [browsertest.Until] and [browsertest.Now] ask such a page, too.
//
// What a page complains of in its console fails the test when it ends, unless [Page.Forgive] expects it. Without
// Firefox tests are skipped or fail as those with Chromium do.
package firefox
