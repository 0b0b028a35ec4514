package card

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"familiar/internal/plainfile"
	"familiar/memory/checkpoint"
	"familiar/persona/lore"
)

// Checkpoints saves states of a persona and restores them: its rows in the store and its files.
type Checkpoints struct {
	Store *checkpoint.Store
	// Dir is the directory of the personas, Key the persona's.
	Dir, Key string
	Now      func() time.Time
	// Step, if set, is called between the steps of a restore, with the name of the one that was done.
	Step func(done string)
}

// Files returns the texts of the persona's files as they are. It fails with ErrNoCard if there is no such persona.
func (c Checkpoints) Files() (f checkpoint.Files, err error) {
	text, _, err := CardText(c.Dir, c.Key)
	if err != nil {
		return f, err
	}
	book, err := plainfile.Read(LoreFile(c.Dir, c.Key), lore.MaxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("read the lore of %s: %w", c.Key, err)
	}
	return checkpoint.Files{Card: string(text), Lorebook: string(book)}, nil
}

// filesNow is Files of a persona whose file may be gone.
func (c Checkpoints) filesNow() (checkpoint.Files, error) {
	f, err := c.Files()
	if errors.Is(err, ErrNoCard) && ValidKey(c.Key) {
		err = nil
	}
	return f, err
}

// Create saves the state of the persona, after what an interrupted restore left to do.
func (c Checkpoints) Create(ctx context.Context, name, note string) (made checkpoint.Checkpoint, err error) {
	if err := c.tidy(ctx); err != nil {
		return made, err
	}
	files, err := c.Files()
	if err != nil {
		return made, err
	}
	return c.Store.Create(ctx, checkpoint.NewCheckpoint{Persona: c.Key, Name: name, Note: note, Files: files})
}

// Drop removes a checkpoint, after what an interrupted restore left to do; see checkpoint.Store.Drop.
func (c Checkpoints) Drop(ctx context.Context, name string) error {
	if err := c.tidy(ctx); err != nil {
		return err
	}
	return c.Store.Drop(ctx, c.Key, name)
}

// tidy finishes an interrupted restore and removes the files that others left behind.
func (c Checkpoints) tidy(ctx context.Context) error {
	if _, err := c.Finish(ctx); err != nil {
		return err
	}
	return c.RemovePrepared()
}

// Present returns the state of the persona now.
func (c Checkpoints) Present(ctx context.Context) (checkpoint.State, error) {
	files, err := c.filesNow()
	if err != nil {
		return checkpoint.State{}, err
	}
	return c.Store.Present(ctx, c.Key, files)
}

// WouldRestore returns what Restore would do.
func (c Checkpoints) WouldRestore(ctx context.Context, name string) (would checkpoint.Restored, err error) {
	files, err := c.filesNow()
	if err != nil {
		return would, err
	}
	return c.Store.WouldRestore(ctx, c.Key, name, files)
}

// Restore makes the persona what it was at a checkpoint, its files too; see checkpoint.Store.Restore. The files are ready on disk
// before the store changes, and take their places after it. What is killed in between is finished by the next Create, Restore or
// Finish.
func (c Checkpoints) Restore(ctx context.Context, name string) (done checkpoint.Restored, err error) {
	unlock, err := lock(ctx, c.Dir)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if _, err := c.finishDue(ctx); err != nil {
		return done, err
	}
	_, want, err := c.Store.Read(ctx, c.Key, name)
	if err != nil {
		return done, err
	}
	if want.Card != "" {
		if _, err := ParseCard(CardFile(c.Dir, c.Key), []byte(want.Card)); err != nil {
			return done, fmt.Errorf("the checkpoint's persona file cannot be used: %w", err)
		}
	}
	now, err := c.filesNow()
	if err != nil {
		return done, err
	}
	ready, err := c.prepare(want.Files, now)
	if err != nil {
		return done, err
	}
	c.did("prepared")
	if done, err = c.Store.Restore(ctx, c.Key, name, now); err != nil || !done.Files {
		return done, errors.Join(err, ready.discard())
	}
	c.did("restored")
	return done, c.finish(ctx, ready)
}

// Finish writes the files of a restore that was interrupted, and returns the name of its checkpoint, "" if there is none.
func (c Checkpoints) Finish(ctx context.Context) (name string, err error) {
	if name, _, err = c.Store.FilesDue(ctx, c.Key); err != nil || name == "" {
		return name, err
	}
	unlock, err := lock(ctx, c.Dir)
	if err != nil {
		return name, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return c.finishDue(ctx)
}

// finishDue is Finish for who holds the lock.
func (c Checkpoints) finishDue(ctx context.Context) (name string, err error) {
	name, files, err := c.Store.FilesDue(ctx, c.Key)
	if err != nil || name == "" {
		return "", err
	}
	now, err := c.filesNow()
	if err != nil {
		return name, err
	}
	ready, err := c.prepare(files, now)
	if err != nil {
		return name, err
	}
	return name, c.finish(ctx, ready)
}

func (c Checkpoints) finish(ctx context.Context, ready prepared) error {
	if err := c.place(ready); err != nil {
		err = errors.Join(err, ready.discard()) // the next Finish prepares them again
		return fmt.Errorf("%w: the memory is restored, the files of %s are not yet: mend this and run `familiar checkpoint restore` again", err, c.Key)
	}
	c.did("placed")
	return c.Store.FilesWritten(ctx, c.Key)
}

func (c Checkpoints) did(step string) {
	if c.Step != nil {
		c.Step(step)
	}
}
