package command

import (
	"context"
	"errors"
	"time"

	"familiar/channels"
)

// exportTimeout bounds how long sending a file may take.
const exportTimeout = 2 * time.Minute

// exportFiles is how many bytes of kept files go with an export to a chat: networks refuse large files.
const exportFiles = 8 << 20

// exportCommand sends the person a file with everything known of them: a page to read, and JSON.
func (r Runner) exportCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("export.direct"), nil
	}
	sender, ok := c.channel.(channels.FileSender)
	if !ok {
		return c.told("export.nofiles", "person", c.person.ID), nil
	}
	content, leftOut, err := r.Store.Transfer.PersonZip(ctx, c.person.ID, c.person.Location(r.Zone), exportFiles, r.Now())
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
	case err == nil:
		return c.exported(where, leftOut), nil
	case known && cause.Kind == channels.Temporary, known && cause.Kind == channels.RateLimited:
		return c.told("export.later"), nil
	default:
		r.Log.Error("send an export", "channel", c.room.Channel, "bytes", len(content), "error", err)
		return c.told("export.failed", "person", c.person.ID), nil
	}
}

// exported tells where the file is, if not in the chat, and that files of the person's were too large to be in it.
func (c call) exported(where string, leftOut int) result {
	done := c.told("export.done")
	if where != "" {
		done = c.told("export.where", "where", where)
	}
	if leftOut > 0 {
		done.text += " " + c.say("export.left", "files", c.count(leftOut, "file"), "person", c.person.ID)
	}
	return done
}
