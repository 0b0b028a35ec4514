package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"familiar/memory/belief"
	"familiar/memory/jobrun"
	"familiar/memory/model"
)

// scopeReader collects a job's notes while it reads the news of one scope.
type scopeReader struct {
	Deps
	audience model.Audience
	notes    []belief.LoopMention
	// opened counts down the temporary IDs of new loops. Scopes read in parallel share it.
	opened *atomic.Int64
	// read is how far the job has read. more reports that there is more.
	read jobrun.Cursor
	more bool
}

// open notes that a message opens a loop and returns its temporary ID for later notes.
func (f *scopeReader) open(note belief.LoopMention) int64 {
	note.Loop, note.Mention = f.opened.Add(-1), belief.MentionNew
	f.notes = append(f.notes, note)
	return note.Loop
}

// hear notes what a message means for a loop.
func (f *scopeReader) hear(loop, message int64, what string) {
	f.notes = append(f.notes, belief.LoopMention{Loop: loop, Message: message, Mention: what})
}

// forEachNews lets a job read the news of each scope, one person's messages at a time in order, and stores its notes
// together with the cursor.
func (n Deps) forEachNews(ctx context.Context, job string, run int64, think func(context.Context, *scopeReader, []belief.BacklogItem) error) (done belief.MentionCounts, err error) {
	err = n.forEachBacklog(ctx, job, run, func(some []scope) error {
		for len(some) > 0 {
			opened := new(atomic.Int64)
			read, err := parallel(ctx, some, func(ctx context.Context, s scope) (*scopeReader, error) {
				f := &scopeReader{Deps: n, audience: s.audience, opened: opened}
				if err := f.follow(ctx, job, think); err != nil {
					return nil, fmt.Errorf("read %s %d: %w", s.audience.Kind, s.audience.Ref, err)
				}
				return f, nil
			})
			if err != nil {
				return err
			}
			if some, err = n.noteAll(ctx, run, some, read, &done); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	return done, err
}

// follow reads the news of the scope, at most newsAtOnce.
func (f *scopeReader) follow(ctx context.Context, job string, think func(context.Context, *scopeReader, []belief.BacklogItem) error) error {
	news, err := f.Store.Beliefs.Backlog(ctx, f.Card.Key, job, f.audience, newsAtOnce)
	if err != nil || len(news) == 0 {
		return err
	}
	f.read = jobrun.Cursor{Job: job, Audience: f.audience, Memory: news[len(news)-1].ID}
	f.more = len(news) == newsAtOnce
	for _, own := range byAuthor(news) {
		if err := think(ctx, f, own); err != nil {
			return err
		}
	}
	return nil
}

// noteAll stores the notes of some scopes and returns those with more to read.
func (n Deps) noteAll(ctx context.Context, run int64, some []scope, read []*scopeReader, done *belief.MentionCounts) (more []scope, err error) {
	var notes []belief.LoopMention
	var marks []jobrun.Cursor
	for i, f := range read {
		if f.read.Memory == 0 {
			continue // nothing new may be read
		}
		notes, marks = append(notes, f.notes...), append(marks, f.read)
		if f.more {
			more = append(more, some[i])
		}
	}
	if len(marks) == 0 {
		return nil, nil
	}
	noted, err := n.Store.Beliefs.RecordMentions(ctx, n.Card.Key, run, notes, marks...)
	done.Opened += noted.Opened
	done.Added += noted.Added
	done.Closed += noted.Closed
	return more, err
}

// byAuthor groups messages by author, in order of first appearance.
func byAuthor(news []belief.BacklogItem) (parts [][]belief.BacklogItem) {
	at := map[int64]int{}
	for _, m := range news {
		i, known := at[m.AuthorID]
		if !known {
			i = len(parts)
			at[m.AuthorID], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], m)
	}
	return parts
}

// asksAbout reports whether the persona's message before asks about a term.
func asksAbout(before, term string) bool {
	return slices.ContainsFunc(strings.SplitAfter(before, "?"), func(s string) bool {
		return strings.HasSuffix(s, "?") && strings.Contains(strings.ToLower(s), strings.ToLower(term))
	})
}
