package persona

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

// exportFiles is how many bytes of kept files go with an export to a chat: networks refuse large files.
const exportFiles = 8 << 20

// exportCommand sends the person a file with everything known of them: a page to read, and JSON.
func (cm commander) exportCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	if !c.room.Direct {
		return commandResult{text: "Say /export in our direct talk: the file is for you alone."}, nil
	}
	sender, ok := c.channel.(channels.FileSender)
	if !ok {
		return commandResult{text: fmt.Sprintf("I cannot send files here. Whoever runs me can: familiar person export %d --to FILE.zip", c.person.ID)}, nil
	}
	files, err := cm.Store.Transfer.PersonArchive(ctx, c.person.ID, c.person.Location(cm.Settings.Zone))
	if err != nil {
		return commandResult{}, err
	}
	sent, leftOut, err := cm.Store.Transfer.PersonFiles(ctx, c.person.ID, exportFiles)
	if err != nil {
		return commandResult{}, err
	}
	content, err := transfer.Zip(append(files, sent...), cm.Now())
	if err != nil {
		return commandResult{}, err
	}
	sending, cancel := context.WithTimeout(ctx, exportTimeout)
	defer cancel()
	where, err := sender.SendFile(sending, c.room.Room, channels.OutgoingFile{
		Name: "familiar-" + cm.Now().Format("2006-01-02") + ".zip", Type: "application/zip", Content: content,
	})
	if ctx.Err() != nil {
		return commandResult{}, ctx.Err()
	}
	missing := ""
	if leftOut > 0 {
		missing = fmt.Sprintf(" Not among it, because they are too large to send, are %d files of yours. Whoever runs me has them: familiar person export %d --to FILE.zip", leftOut, c.person.ID)
	}
	switch cause, known := errors.AsType[*channels.SendError](err); {
	case err == nil && where != "":
		return commandResult{text: fmt.Sprintf("Everything I know of you is in %s: index.html is for reading, data.jsonl for programs.", where) + missing}, nil
	case err == nil:
		return commandResult{text: "This is everything I know of you: index.html is for reading, data.jsonl for programs." + missing}, nil
	case known && cause.Kind == channels.Temporary, known && cause.Kind == channels.RateLimited:
		return commandResult{text: "The network takes no file from me just now. Ask again in a few minutes."}, nil
	default:
		cm.Log.Error("send an export", "channel", c.room.Channel, "bytes", len(content), "error", err)
		return commandResult{text: fmt.Sprintf("The file could not be sent. Whoever runs me can: familiar person export %d --to FILE.zip", c.person.ID)}, nil
	}
}
