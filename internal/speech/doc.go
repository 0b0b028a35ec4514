// Package speech turns recordings into text, and text into voice notes: with servers that speak OpenAI's audio API, and with
// the programs ffmpeg and espeak-ng where they are installed. Recordings come from strangers: what they are called or said to
// be does not matter, and every size and time is bounded.
package speech

import "time"

const (
	// MaxBytes is the largest recording that is listened to: what OpenAI takes, less what a request adds.
	MaxBytes = 24 << 20
	// maxResponse is the most bytes that are read of a transcript, maxSpeech of a spoken text.
	maxResponse, maxSpeech = 1 << 20, 16 << 20
	// TokensPerSecond is what a second of a recording counts as in the ledger of models.
	TokensPerSecond = 10
)

// Recording is a recording as somebody sent it.
type Recording struct {
	Data []byte
	// Length is how long it is said to be, 0 if unknown.
	Length time.Duration
}

// Transcript is what is said in a recording.
type Transcript struct {
	// Text is on one line, "" if nothing is said.
	Text string
	// Requests is how many requests it took.
	Requests int
}

// slowest is the least number of bytes that a second of speech takes in any format, to estimate what is unknown.
const slowest = 600

// Duration returns how long a recording is: as its file tells if its format does, else as it is said to be, else the longest that
// a file of its size can be. The longer of the first two counts.
func (r Recording) Duration() time.Duration {
	length := max(lengthOf(r.Data), r.Length)
	if length <= 0 {
		length = time.Duration(len(r.Data)/slowest+1) * time.Second
	}
	return length
}
