package cli

import (
	"context"
	"errors"
	"fmt"

	"familiar/internal/app"
)

// WithApp opens everything that serves the home, without its lock, for do.
func WithApp(ctx context.Context, inv *Invocation, do func(a *app.App) error) (err error) {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	a, err := app.OpenUnlocked(ctx, cfg, NewLog(inv.Errs, cfg, inv.JSON), inv.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return do(a)
}

// NoneConfigured is the error of something that needs what the configuration lacks.
func NoneConfigured(of, needs string) error {
	return fmt.Errorf("%s needs %s, but none is configured: see `familiar config show`", of, needs)
}
