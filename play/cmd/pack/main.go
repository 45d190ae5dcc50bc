// Command pack builds the client's page into a folder: the program for js/wasm, the loader and the index, with the
// content's hash in their names, and compressed.
//
//	go run ./play/cmd/pack -o bin/web            quick compression, for this machine
//	go run ./play/cmd/pack -o bin/web -release   the smallest, for the world
//
// Run it in the root of the repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/tickback/tickback/play/page"
)

// most is the maximum size of the page in a release, compressed with brotli: see docs/benchmarks.md.
const most = 2_760_000

func main() {
	out := flag.String("o", "bin/web", "the folder to write")
	release := flag.Bool("release", false, "compress as well as possible, and check the size")
	lines := flag.Bool("lines", false, "have traces of panics name lines, too; the page is a fifth larger then")
	url := flag.String("url", "", "where the page will be, for a server that is not tickback play: links that are shared need that for their picture")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *out, *url, *release, *lines)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, url string, release, lines bool) error {
	s, err := page.Build(ctx, ".", page.Options{Lines: lines})
	if err != nil {
		return err
	}
	s.Best, s.URL = release, url
	sizes, err := page.Pack(out, s)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, %d in gzip, %d in brotli\n", out, sizes.Plain, sizes.Gzip, sizes.Brotli)
	if release && !lines && sizes.Brotli > most {
		return fmt.Errorf("the page has %d bytes in brotli, more than %d", sizes.Brotli, most)
	}
	return nil
}
