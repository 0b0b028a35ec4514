package memory

import "sync"

// keptBudget is how many bytes of recalled rows are kept of one scope, about six thousand memories with what was said
// around them. What does not fit any more makes room by dropping all: the next recalls read their own again.
const keptBudget = 4 << 20

// keptTalk keeps what recall lately read of a scope: memories and lines, which never change while the scope's epoch
// and names stay. What does change in a memory, how often it was recalled, is read anew each time.
type keptTalk struct {
	mu       sync.Mutex
	memories map[int64]Memory
	lines    map[int64]nearbyLine
	bytes    int64
}

// memoryBytes and lineBytes are about what a row takes beside its texts, with its place in a map.
const (
	memoryBytes = 400
	lineBytes   = 160
)

// memory is a memory that was read before.
func (k *keptTalk) memory(id int64) (m Memory, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m, known = k.memories[id]
	return m, known
}

// line is a line that was read before.
func (k *keptTalk) line(id int64) (l nearbyLine, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l, known = k.lines[id]
	return l, known
}

func (k *keptTalk) keepMemory(m Memory) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.makeRoom(memoryBytes + int64(len(m.Text)+len(m.Author)+len(m.RoomTitle)))
	k.memories[m.ID] = m
}

func (k *keptTalk) keepLine(l nearbyLine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.makeRoom(lineBytes + int64(len(l.Text)+len(l.Author)))
	k.lines[l.MessageID] = l
}

func (k *keptTalk) makeRoom(bytes int64) {
	if k.memories == nil || k.bytes+bytes > keptBudget {
		k.memories, k.lines, k.bytes = map[int64]Memory{}, map[int64]nearbyLine{}, 0
	}
	k.bytes += bytes
}

func (k *keptTalk) size() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes
}
