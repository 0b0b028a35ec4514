package whatsapp

import (
	"context"

	"familiar/channels"
)

// phoneRooms holds the people without a known hidden id: their direct rooms are named by phone number.
type phoneRooms struct {
	rooms map[string]bool
	// arrivals are their recent events. A redelivered event keeps the address it first had, even if the network now
	// reports another one.
	arrivals map[arrival]bool
	// day is when arrivals was last loaded from the records, where old ones expire.
	day string
}

// arrival identifies an event from a person known by a number.
type arrival struct{ number, id string }

// loadNumbers finds the people known only by a phone number, and their recent events.
func (l *connection) loadNumbers() {
	l.numbers = phoneRooms{rooms: make(map[string]bool), arrivals: make(map[arrival]bool)}
	rooms, err := l.host.Rooms(l.ctx)
	if err != nil {
		l.log.Warn("whatsapp: load the known rooms", "error", err)
	}
	for _, room := range rooms {
		if isNumber(room.ID) {
			l.numbers.rooms[room.ID] = true
		}
	}
	l.loadArrivals()
}

// loadArrivals loads the recent events from people known only by a phone number.
func (l *connection) loadArrivals() {
	arrivals, err := l.records.arrivals(l.ctx)
	if err != nil {
		l.log.Warn("whatsapp: load recent events from phone numbers", "error", err)
		return
	}
	l.numbers.arrivals, l.numbers.day = make(map[arrival]bool), l.records.day(0)
	for _, a := range arrivals {
		l.numbers.arrivals[a] = true
	}
}

// originalAddress returns m with the address it first had, if that was a number.
func (l *connection) originalAddress(m channels.Message) channels.Message {
	if m.Direct && l.numbers.arrivals[arrival{m.Author.Alias, m.ID}] {
		m.Author.Handle.ID, m.Author.Alias = m.Author.Alias, m.Author.Handle.ID
		m.Room.ID = m.Author.Handle.ID
	}
	return m
}

// recordArrival records that m comes from a number, before m is passed on. It repeats until the record is on disk or
// the connection ends.
func (l *connection) recordArrival(m channels.Message) bool {
	a := arrival{m.Room.ID, m.ID}
	if !m.Direct || !isNumber(a.number) || l.numbers.arrivals[a] {
		return true
	}
	if !l.untilStored(func(ctx context.Context) error { return l.records.putArrival(ctx, a) }) {
		return false
	}
	l.numbers.arrivals[a] = true
	if l.numbers.day != l.records.day(0) {
		l.loadArrivals()
	}
	return true
}

// announceMove reports that a person known by a number now has a hidden id, before m is passed on, and reports whether
// m may follow.
func (l *connection) announceMove(m channels.Message) bool {
	if m.Direct && isNumber(m.Room.ID) {
		l.numbers.rooms[m.Room.ID] = true
	}
	if !m.Direct || !l.numbers.rooms[m.Author.Alias] || isNumber(m.Room.ID) {
		return true
	}
	was := m.Author
	was.Handle.ID = m.Author.Alias
	if !l.acceptRetrying(channels.Message{
		ID: "moved/" + m.Room.ID, Action: channels.Move, TargetID: m.Room.ID, Room: channels.Room{Channel: Name, ID: m.Author.Alias},
		Author: was, Direct: true, At: m.At,
	}) {
		return false
	}
	delete(l.numbers.rooms, m.Author.Alias)
	return true
}
