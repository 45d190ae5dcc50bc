// Command server serves the game's page, and its rooms.
package main

import (
	"context"
	"log"
	"log/slog"
	"os"

	"github.com/tickback/tickback/online/serve"
)

func main() {
	config := serve.Config{Files: os.DirFS("web"), Log: slog.Default()}
	log.Fatal(serve.Run(context.Background(), ":8080", config))
}
