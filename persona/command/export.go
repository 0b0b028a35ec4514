package command

import (
	"context"
	"errors"
	"math"
	"time"

	"familiar/channels"
	"familiar/memory/transfer"
)

// exportTimeout bounds how long sending a file may take.
const exportTimeout = 2 * time.Minute

// exportCommand sends the person a file with everything known of them: a page to read, and JSON.
func (r Runner) exportCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("export.direct"), nil
	}
	sender, ok := c.channel.(channels.FileSender)
	if !ok {
		return c.told("export.nofiles", "person", c.person.ID), nil
	}
	files, err := r.Store.Transfer.PersonArchive(ctx, c.person.ID, c.person.Location(r.Zone))
	if err != nil {
		return result{}, err
	}
	sent, _, err := r.Store.Transfer.PersonFiles(ctx, c.person.ID, math.MaxInt64) // what a network finds too large is told below
	if err != nil {
		return result{}, err
	}
	content, err := transfer.Zip(append(files, sent...), r.Now())
	if err != nil {
		return result{}, err
	}
	sending, cancel := context.WithTimeout(ctx, exportTimeout)
	defer cancel()
	where, err := sender.SendFile(sending, c.room.Room, channels.OutgoingFile{
		Name: "familiar-" + r.Now().Format("2006-01-02") + ".zip", Type: "application/zip", Content: content,
	})
	if ctx.Err() != nil {
		return result{}, ctx.Err()
	}
	switch cause, known := errors.AsType[*channels.SendError](err); {
	case err == nil && where != "":
		return c.told("export.where", "where", where), nil
	case err == nil:
		return c.told("export.done"), nil
	case known && cause.Kind == channels.Temporary, known && cause.Kind == channels.RateLimited:
		return c.told("export.later"), nil
	default:
		r.Log.Error("send an export", "channel", c.room.Channel, "bytes", len(content), "error", err)
		return c.told("export.failed", "person", c.person.ID), nil
	}
}
