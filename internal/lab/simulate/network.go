package simulate

import (
	"strconv"

	"familiar/channels"
)

const (
	// networkName is the channel on which everybody writes.
	networkName = "simulated"
	// clubRoom is the room of the one group, clubTitle its title.
	clubRoom  = "club"
	clubTitle = "Thursday club"
)

// roomOf returns the direct room of a person and the persona.
func roomOf(who int) channels.Room {
	return channels.Room{Channel: networkName, ID: strconv.Itoa(who)}
}

// message returns line number n of the script as the network delivers it.
func message(n int, line Line, author *Person) channels.Message {
	m := channels.Message{
		ID: strconv.Itoa(n), Room: roomOf(line.Who), Direct: true, Addressed: true, Text: line.Text, At: line.At,
		Author: channels.Author{Handle: channels.Handle{Channel: networkName, ID: strconv.Itoa(line.Who)}, Name: author.Name},
	}
	if line.Club {
		m.Room.ID, m.RoomTitle, m.Direct, m.Addressed = clubRoom, clubTitle, false, line.Addressed
	}
	return m
}
