package app

import (
	"context"
	"fmt"

	"familiar/persona/card"
)

// finishRestores writes the files of personas whose checkpoint was being restored when the process died.
func (a *App) finishRestores(ctx context.Context) error {
	for _, key := range a.Config.Served() {
		of := card.Checkpoints{Store: a.Store.Checkpoints, Dir: a.Config.Home.Personas(), Key: key, Now: a.Now}
		name, err := of.Finish(ctx)
		if err != nil {
			return fmt.Errorf("finish restoring the checkpoint %s of %s: %w", name, key, err)
		}
		if err := of.RemovePrepared(); err != nil {
			a.Log.Warn("the files that an interrupted restore prepared cannot be removed", "persona", key, "error", err)
		}
		if name == "" {
			continue
		}
		a.Log.Info("finished restoring a checkpoint", "persona", key, "checkpoint", name)
		if key == a.Card.Key {
			if a.Card, err = LoadCard(a.Config); err != nil {
				return err
			}
		}
	}
	return nil
}
