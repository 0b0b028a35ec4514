// Licences lists every module that is linked into the product's binary on linux/amd64, with its version and licence, as
// LICENSES.md. It fails when it does not recognise a licence.
//
//	go run ./internal/licences          writes LICENSES.md
//	go run ./internal/licences -check   fails when LICENSES.md is not what would be written
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

// listed is the file that lists the licences.
const listed = "LICENSES.md"

func main() {
	check := flag.Bool("check", false, "fail when "+listed+" is stale, instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// run writes the list, or compares it with what would be written.
func run(check bool) error {
	modules, err := linked("./cmd/familiar")
	if err != nil {
		return err
	}
	page, err := render(modules)
	if err != nil {
		return err
	}
	if !check {
		if err := os.WriteFile(listed, page, 0o644); err != nil {
			return fmt.Errorf("write the licences: %w", err)
		}
		return nil
	}
	written, err := os.ReadFile(listed)
	if err != nil {
		return fmt.Errorf("read the licences: %w: run `make licences`", err)
	}
	if string(written) != string(page) {
		return errors.New(listed + " does not list what is linked: run `make licences`")
	}
	return nil
}
