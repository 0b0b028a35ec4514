package whatsapp

import (
	"context"

	"familiar/channels"
)

// numbers are the people of whom no hidden id was known: their direct rooms are named by their phone number.
type numbers struct {
	rooms map[string]bool
	// came is what they said lately. It keeps the address it had, under which it is known, should it come again once
	// the network names them otherwise.
	came map[arrival]bool
	// day is when came was last read from the notes, which forget what is old.
	day string
}

// arrival is the event with an id, said by somebody known by a number.
type arrival struct{ number, id string }

// recallNumbers finds who is known by a phone number alone, and what came from them.
func (l *line) recallNumbers() {
	l.numbers = numbers{rooms: make(map[string]bool), came: make(map[arrival]bool)}
	rooms, err := l.host.Rooms(l.ctx)
	if err != nil {
		l.log.Warn("whatsapp: recall the known rooms", "error", err)
	}
	for _, room := range rooms {
		if isNumber(room.ID) {
			l.numbers.rooms[room.ID] = true
		}
	}
	l.recallArrivals()
}

// recallArrivals finds what came lately from people known by a phone number alone.
func (l *line) recallArrivals() {
	came, err := l.notes.came(l.ctx)
	if err != nil {
		l.log.Warn("whatsapp: recall what came from phone numbers", "error", err)
		return
	}
	l.numbers.came, l.numbers.day = make(map[arrival]bool), l.notes.day(0)
	for _, a := range came {
		l.numbers.came[a] = true
	}
}

// firstAddress is m under the address it came under first, if that was a number.
func (l *line) firstAddress(m channels.Message) channels.Message {
	if m.Direct && l.numbers.came[arrival{m.Author.Alias, m.ID}] {
		m.Author.Handle.ID, m.Author.Alias = m.Author.Alias, m.Author.Handle.ID
		m.Room.ID = m.Author.Handle.ID
	}
	return m
}

// noted notes that m comes from a number, before it is handed over, until that is on disk or the line ends.
func (l *line) noted(m channels.Message) bool {
	a := arrival{m.Room.ID, m.ID}
	if !m.Direct || !isNumber(a.number) || l.numbers.came[a] {
		return true
	}
	if !l.insist(func(ctx context.Context) error { return l.notes.coming(ctx, a) }) {
		return false
	}
	l.numbers.came[a] = true
	if l.numbers.day != l.notes.day(0) {
		l.recallArrivals()
	}
	return true
}

// moved hands over that somebody known by their number has a hidden id now, before m is, and says whether m may follow.
func (l *line) moved(m channels.Message) bool {
	if m.Direct && isNumber(m.Room.ID) {
		l.numbers.rooms[m.Room.ID] = true
	}
	if !m.Direct || !l.numbers.rooms[m.Author.Alias] || isNumber(m.Room.ID) {
		return true
	}
	was := m.Author
	was.Handle.ID = m.Author.Alias
	if !l.hand(channels.Message{
		ID: "moved/" + m.Room.ID, Action: channels.Move, TargetID: m.Room.ID, Room: channels.Room{Channel: Name, ID: m.Author.Alias},
		Author: was, Direct: true, At: m.At,
	}) {
		return false
	}
	delete(l.numbers.rooms, m.Author.Alias)
	return true
}
