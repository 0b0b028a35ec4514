package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"familiar/config"
	"familiar/internal/cli"
)

// labConfig returns the configuration in which stories and probes are played: the defaults with the configured models and embedder.
func labConfig(inv *cli.Invocation) (*config.Config, error) {
	configured, err := inv.Config()
	if err != nil {
		return nil, err
	}
	cfg := config.Default()
	cfg.Home, cfg.Model, cfg.Embedder, cfg.Limits = configured.Home, configured.Model, configured.Embedder, configured.Limits
	cfg.Timezone = config.Zone{Location: time.UTC}
	return cfg, nil
}

// writeFile lets write fill a file.
func writeFile(file string, write func(io.Writer) error) (err error) {
	f, err := os.Create(file) //nolint:gosec // the operator names the file to be written
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
