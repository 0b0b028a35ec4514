package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/transfer"
)

// exportTimeout bounds how long sending a file may take.
const exportTimeout = 2 * time.Minute

// exportCommand sends the person a file with everything known of them: a page to read, and JSON.
func (r Runner) exportCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return result{text: "Say /export in our direct talk: the file is for you alone."}, nil
	}
	sender, ok := c.channel.(channels.FileSender)
	if !ok {
		return result{text: fmt.Sprintf("I cannot send files here. Whoever runs me can: familiar person export %d --to FILE.zip", c.person.ID)}, nil
	}
	files, err := r.Store.Transfer.PersonArchive(ctx, c.person.ID, c.person.Location(r.Zone))
	if err != nil {
		return result{}, err
	}
	content, err := transfer.Zip(files, r.Now())
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
		return result{text: fmt.Sprintf("Everything I know of you is in %s: index.html is for reading, data.jsonl for programs.", where)}, nil
	case err == nil:
		return result{text: "This is everything I know of you: index.html is for reading, data.jsonl for programs."}, nil
	case known && cause.Kind == channels.Temporary, known && cause.Kind == channels.RateLimited:
		return result{text: "The network takes no file from me just now. Ask again in a few minutes."}, nil
	default:
		r.Log.Error("send an export", "channel", c.room.Channel, "bytes", len(content), "error", err)
		return result{text: fmt.Sprintf("The file could not be sent. Whoever runs me can: familiar person export %d --to FILE.zip", c.person.ID)}, nil
	}
}
