package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/recall"
)

// rounds is how often every room is asked. In the first round each recall reads its room.
const rounds = 4

// ScaleRooms measures recall and ingestion in a store with many rooms of n memories each, which are asked in turn.
func ScaleRooms(ctx context.Context, parts RecallParts, sizes []int, rooms int) (ScaleReport, error) {
	var r ScaleReport
	for _, n := range sizes {
		size, err := scaleRoomsOf(ctx, parts, n, rooms)
		if err != nil {
			return ScaleReport{}, fmt.Errorf("bench scale: %d rooms of %d memories: %w", rooms, n, err)
		}
		r.Sizes = append(r.Sizes, size)
	}
	return r, nil
}

// askedRoom is a room with its questions, one per round.
type askedRoom struct {
	room      channels.Room
	questions [rounds]string
}

func scaleRoomsOf(ctx context.Context, parts RecallParts, n, rooms int) (ScaleSize, error) {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return ScaleSize{}, fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	path := filepath.Join(dir, "familiar.db")

	asked := make([]askedRoom, rooms)
	talk := newCorpus()
	var ingesting time.Duration
	for i := range asked {
		talk.enter("town" + strconv.Itoa(i))
		messages := talk.next(n)
		took, err := fillStore(ctx, parts, path, messages)
		if err != nil {
			return ScaleSize{}, err
		}
		ingesting += took
		asked[i].room = talk.room
		for q := range asked[i].questions {
			asked[i].questions[q] = talk.question(messages)
		}
	}
	size := ScaleSize{Memories: n, Rooms: rooms, IngestPerSec: float64(n*rooms) / ingesting.Seconds()}
	now := talk.at.AddDate(0, 0, 1)
	talk = nil //nolint:ineffassign,wastedassign // free the data that made the store, so it does not count as serving memory
	debug.FreeOSMemory()
	err = askRooms(ctx, parts.Card.Key, path, asked, now, &size)
	return size, err
}

// FillRooms fills a store at path with so many memories in each of its rooms.
func FillRooms(ctx context.Context, parts RecallParts, path string, rooms, each int) error {
	talk := newCorpus()
	for i := range rooms {
		talk.enter("town" + strconv.Itoa(i))
		if _, err := fillStore(ctx, parts, path, talk.next(each)); err != nil {
			return fmt.Errorf("fill room %d of %d: %w", i, rooms, err)
		}
	}
	return nil
}

// askRooms opens the store at path, asks the rooms in turn and fills in size.
func askRooms(ctx context.Context, key, path string, rooms []askedRoom, now time.Time, size *ScaleSize) error {
	started := time.Now()
	store, err := memory.Open(ctx, path, memory.Options{Now: time.Now})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
	size.OpenMS = milliseconds(time.Since(started))
	times := make([]time.Duration, 0, rounds*len(rooms))
	for round := range rounds {
		for _, r := range rooms {
			room, err := store.Log.RoomByAddress(ctx, r.room)
			if err != nil {
				return err
			}
			hearing, err := store.Log.Visibility(ctx, key, room.ID)
			if err != nil {
				return err
			}
			started := time.Now()
			if _, err := store.Recall.Find(ctx, hearing, recall.Query{Text: r.questions[round], Now: now, Limit: asked, Budget: packBudget}); err != nil {
				return err
			}
			times = append(times, time.Since(started))
		}
	}
	first := quantiles(times[:len(rooms)])
	size.ColdMS, size.FirstMS, size.WarmMS = milliseconds(times[0]), &first, quantiles(times[len(rooms):])
	size.RSSMB = residentMB()
	size.DBMB, err = filesMB(path + "*")
	return err
}
