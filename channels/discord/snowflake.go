package discord

import (
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Discord's ids are numbers that grow with time: the upper bits are milliseconds since its epoch.
const (
	epoch     = 1420070400000
	timeShift = 22
)

// newer says that id a was made after id b; anything is newer than "".
func newer(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// before is the id just before id, id itself when it is no number.
func before(id string) string {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil || n == 0 {
		return id
	}
	return strconv.FormatUint(n-1, 10)
}

// snowflake is the least id made at t.
func snowflake(t time.Time) string {
	return strconv.FormatInt(max(0, t.UnixMilli()-epoch)<<timeShift, 10)
}

// madeAt is when id was made, the zero time when it is no id.
func madeAt(id string) time.Time {
	t, err := discordgo.SnowflakeTimestamp(id)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// isID says that s can be an id of Discord's.
func isID(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
