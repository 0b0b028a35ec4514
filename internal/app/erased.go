package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/channels/console"
	"familiar/config"
	"familiar/internal/text"
	"familiar/memory"
)

// TidyErased removes from the files of the home what is left of somebody who was erased: the console's input that is no longer
// stored, with its commands, what channels keep in files of their own, and the lines of the log that name one of ids, their
// accounts and direct rooms.
func TidyErased(ctx context.Context, home config.Home, store *memory.Store, ids []string) error {
	history := console.ForgetHistory(home.History(), true, func(lines []string) (map[string]bool, error) {
		return store.Log.SaidTexts(ctx, console.Name, lines)
	})
	files := all.Forget(ctx, string(home), func(h channels.Handle) bool { return slices.Contains(ids, h.ID) })
	return errors.Join(history, files, tidyLog(home.Log(), ids))
}

// tidyLog removes the lines that name one of ids from a log, in place: the process that writes it keeps its file.
func tidyLog(path string, ids []string) error {
	all, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	lines := strings.SplitAfter(string(all), "\n")
	left := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return text.HasToken(line, id) })
	})
	if len(left) == len(lines) {
		return nil
	}
	if err := os.WriteFile(path, []byte(strings.Join(left, "")), 0o600); err != nil {
		return fmt.Errorf("remove lines of an erased person from the log: %w", err)
	}
	return nil
}
