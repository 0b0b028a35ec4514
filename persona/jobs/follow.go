package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/claim"
)

// newsAtOnce is how many of the things said in a scope are read and written of at a time.
const newsAtOnce = 500

// following is what a job notes while it reads what one scope has new.
type following struct {
	Night
	audience memory.Audience
	notes    []memory.LoopNote
	opened   int64
}

// open notes that a message opens a loop, and returns the number by which later notes name it.
func (f *following) open(note memory.LoopNote) int64 {
	f.opened--
	note.Loop, note.What = f.opened, memory.NotedNew
	f.notes = append(f.notes, note)
	return f.opened
}

// hear notes what a message means for a loop.
func (f *following) hear(loop, message int64, what string) {
	f.notes = append(f.notes, memory.LoopNote{Loop: loop, Message: message, What: what})
}

// overNews lets a job read what each scope has new, somebody's words at a time and in the order they said them, and keeps
// what it notes of them together with how far it has read.
func (n Night) overNews(ctx context.Context, job string, run int64, think func(context.Context, *following, []memory.News) error) (done memory.LoopsNoted, err error) {
	unread, last, err := n.Store.Unread(ctx, n.Card.Key, job)
	if err != nil || len(unread) == 0 {
		return done, err
	}
	for _, s := range scopesOf(unread) {
		if err := n.followIn(ctx, job, run, s.audience, think, &done); err != nil {
			return done, fmt.Errorf("read %s %d: %w", s.audience.Kind, s.audience.Ref, err)
		}
	}
	_, err = n.Store.NoteLoops(ctx, n.Card.Key, run, nil, memory.Mark{Job: job, Audience: memory.Audience{Kind: memory.World}, Memory: last})
	return done, err
}

func (n Night) followIn(
	ctx context.Context, job string, run int64, a memory.Audience, think func(context.Context, *following, []memory.News) error, done *memory.LoopsNoted,
) error {
	for more := true; more; {
		news, err := n.Store.NewIn(ctx, n.Card.Key, job, a, newsAtOnce)
		if err != nil || len(news) == 0 {
			return err
		}
		more = len(news) == newsAtOnce
		f := &following{Night: n, audience: a}
		for _, own := range byAuthor(news) {
			if err := think(ctx, f, own); err != nil {
				return err
			}
		}
		noted, err := n.Store.NoteLoops(ctx, n.Card.Key, run, f.notes, memory.Mark{Job: job, Audience: a, Memory: news[len(news)-1].ID})
		if err != nil {
			return err
		}
		done.Opened += noted.Opened
		done.Heard += noted.Heard
		done.Closed += noted.Closed
	}
	return ctx.Err()
}

// byAuthor parts what was said by who said it, in the order in which they first did.
func byAuthor(news []memory.News) (parts [][]memory.News) {
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

// utterance is something said as it is read.
func (f *following) utterance(ctx context.Context, m memory.News) (claim.Utterance, error) {
	zone, err := f.zoneOf(ctx, m.AuthorID)
	return claim.Utterance{Text: m.Text, At: m.Created.In(zone), Before: m.Before}, err
}

// asksAbout says that what the persona had said asks about a term.
func asksAbout(before, term string) bool {
	return slices.ContainsFunc(strings.SplitAfter(before, "?"), func(s string) bool {
		return strings.HasSuffix(s, "?") && strings.Contains(strings.ToLower(s), strings.ToLower(term))
	})
}
