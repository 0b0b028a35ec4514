package discord

import (
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Discord ids are numbers that grow with time: the upper bits are milliseconds since its epoch.
const (
	epoch     = 1420070400000
	timeShift = 22
)

// newer reports whether id a was created after id b; any id is newer than "".
func newer(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// before returns the id just before id, or id itself if it is not a number.
func before(id string) string {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil || n == 0 {
		return id
	}
	return strconv.FormatUint(n-1, 10)
}

// snowflake returns the smallest id created at t.
func snowflake(t time.Time) string {
	return strconv.FormatInt(max(0, t.UnixMilli()-epoch)<<timeShift, 10)
}

// madeAt returns when id was created, or the zero time if it is not an id.
func madeAt(id string) time.Time {
	t, err := discordgo.SnowflakeTimestamp(id)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// isID reports whether s can be a Discord id.
func isID(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
