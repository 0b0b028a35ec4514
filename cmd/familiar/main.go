// Familiar is a chat bot with a persistent persona. See familiar --help.
package main

import (
	"os"
	"time"
	_ "time/tzdata" // time zones work on systems without a zone database

	"familiar/internal/cli"
)

func main() { os.Exit(cli.Run(newRoot, time.Now)) }
