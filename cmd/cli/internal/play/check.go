package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// checkTime is how long loading the page may take in total.
const checkTime = time.Minute

// maxChecked is the maximum number of bytes of a file that are read.
const maxChecked = 256 << 20

// checkServed requests from a running server what a browser would: its health, the page, and all files that the page
// names.
func (a *family) checkServed(ctx context.Context, base string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if _, err := fetched(ctx, base+"healthz"); err != nil {
		return err
	}
	index, err := fetched(ctx, base)
	if err != nil {
		return err
	}
	names := namedIn(index)
	bytes := len(index)
	for _, name := range names {
		file, err := fetched(ctx, base+name)
		if err != nil {
			return err
		}
		bytes += len(file)
	}
	fmt.Fprintf(a.Stdout, "ok: the page and %d files of it are served, %d bytes\n", len(names), bytes)
	return nil
}

var names = regexp.MustCompile(`(?:src|href|data-wasm)="([^"]+)"`)

// namedIn returns the files of the same folder that a page names.
func namedIn(index []byte) (list []string) {
	for _, m := range names.FindAllSubmatch(index, -1) {
		if u, err := url.Parse(string(m[1])); err == nil && !u.IsAbs() && u.Host == "" && u.Path != "" {
			list = append(list, u.Path)
		}
	}
	return list
}

// fetched returns a file, which must not be empty.
func fetched(ctx context.Context, at string) (body []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxChecked))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", at, err)
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: the server says %s", at, answer.Status)
	case len(body) == 0:
		return nil, fmt.Errorf("%s is empty", at)
	}
	return body, nil
}
