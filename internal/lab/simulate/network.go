package simulate

import (
	"strconv"

	"familiar/channels"
)

const (
	// networkName is the channel everybody writes on.
	networkName = "simulated"
	// clubRoom is the one group, clubTitle what it is called.
	clubRoom  = "club"
	clubTitle = "Thursday club"
)

// roomOf is where a person talks with the persona alone.
func roomOf(who int) channels.Room {
	return channels.Room{Channel: networkName, ID: strconv.Itoa(who)}
}

// message is line number n of the script as the network hands it over.
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
