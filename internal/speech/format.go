package speech

import (
	"bytes"
	"encoding/binary"
	"time"
)

// Format is how a recording is stored, by the extension that OpenAI's API knows it under.
type Format string

// The formats that are told apart. Other is anything else.
const (
	Ogg   Format = "ogg"
	WAV   Format = "wav"
	MP3   Format = "mp3"
	MP4   Format = "m4a"
	WebM  Format = "webm"
	FLAC  Format = "flac"
	AMR   Format = "amr"
	AAC   Format = "aac"
	Other Format = ""
)

// Formats are those that can be named in the configuration.
var Formats = []Format{Ogg, WAV, MP3, MP4, WebM, FLAC, AMR, AAC}

// accepted are the formats that OpenAI's API takes.
var accepted = []Format{FLAC, MP3, MP4, Ogg, WAV, WebM}

// mimeTypes are the media types of the formats.
var mimeTypes = map[Format]string{
	Ogg: "audio/ogg", WAV: "audio/wav", MP3: "audio/mpeg", MP4: "audio/mp4", WebM: "audio/webm", FLAC: "audio/flac",
	AMR: "audio/amr", AAC: "audio/aac",
}

// demuxers are what ffmpeg calls the formats.
var demuxers = map[Format]string{
	Ogg: "ogg", WAV: "wav", MP3: "mp3", MP4: "mov", WebM: "matroska", FLAC: "flac", AMR: "amr", AAC: "aac",
}

// FormatOf tells a format by how the file begins.
func FormatOf(file []byte) Format {
	at := func(offset int, magic string) bool {
		return len(file) >= offset+len(magic) && string(file[offset:offset+len(magic)]) == magic
	}
	switch {
	case at(0, "OggS"):
		return Ogg
	case at(0, "RIFF") && at(8, "WAVE"):
		return WAV
	case at(0, "fLaC"):
		return FLAC
	case at(4, "ftyp"):
		return MP4
	case at(0, "\x1aE\xdf\xa3"):
		return WebM
	case at(0, "#!AMR"):
		return AMR
	case at(0, "ID3"):
		return MP3
	case len(file) > 1 && file[0] == 0xff && file[1]&0xf6 == 0xf0:
		return AAC
	case len(file) > 1 && file[0] == 0xff && file[1]&0xe0 == 0xe0 && file[1]&0x06 != 0:
		return MP3
	}
	return Other
}

// lengthOf returns how long a file says that it is, 0 if its format does not tell or it is not well-formed. It looks at no more
// than headers.
func lengthOf(file []byte) time.Duration {
	switch FormatOf(file) {
	case Ogg:
		return oggLength(file)
	case WAV:
		return wavLength(file)
	case MP4:
		return mp4Length(file)
	case FLAC:
		return flacLength(file)
	case AMR:
		return amrLength(file)
	case MP3:
		return mp3Length(file)
	case AAC:
		return aacLength(file)
	}
	return 0
}

// opusRate is the number of samples that a second of Opus counts, whatever it was recorded with.
const opusRate = 48_000

// oggLength reads the position of the last page.
func oggLength(file []byte) time.Duration {
	last := bytes.LastIndex(file, []byte("OggS"))
	if last < 0 || len(file) < last+14 {
		return 0
	}
	rate := uint64(opusRate)
	if v := bytes.Index(file[:min(len(file), 128)], []byte("\x01vorbis")); v >= 0 && len(file) >= v+16 {
		rate = uint64(binary.LittleEndian.Uint32(file[v+12:]))
	}
	return samples(binary.LittleEndian.Uint64(file[last+6:]), rate)
}

// wavLength reads the rate of bytes, and the number of those that are there: the header of a stream does not tell.
func wavLength(file []byte) time.Duration {
	if len(file) < 44 {
		return 0
	}
	return samples(uint64(len(file)-44), uint64(binary.LittleEndian.Uint32(file[28:])))
}

// mp4Length reads the header of the movie.
func mp4Length(file []byte) time.Duration {
	at := bytes.Index(file, []byte("mvhd"))
	switch {
	case at < 0 || len(file) < at+36:
		return 0
	case file[at+4] == 1:
		return samples(binary.BigEndian.Uint64(file[at+28:]), uint64(binary.BigEndian.Uint32(file[at+24:])))
	}
	return samples(uint64(binary.BigEndian.Uint32(file[at+20:])), uint64(binary.BigEndian.Uint32(file[at+16:])))
}

// flacLength reads the block that each file begins with.
func flacLength(file []byte) time.Duration {
	if len(file) < 26 {
		return 0
	}
	bits := binary.BigEndian.Uint64(file[18:])
	return samples(bits&(1<<36-1), bits>>44)
}

// amrFrames are the bytes of a frame of AMR by its mode, by how the file begins: narrowband and wideband.
var amrFrames = map[string][16]int{
	"#!AMR\n":    {13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1},
	"#!AMR-WB\n": {18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1},
}

// amrLength counts the frames of 20 ms.
func amrLength(file []byte) (length time.Duration) {
	for head, frames := range amrFrames {
		if !bytes.HasPrefix(file, []byte(head)) {
			continue
		}
		for at := len(head); at < len(file); at += frames[file[at]>>3&0xf] {
			length += 20 * time.Millisecond
		}
	}
	return length
}

// longest is the longest length that is believed.
const longest = 1000 * time.Hour

// samples returns how long n of rate per second are, 0 for nonsense.
func samples(n, rate uint64) time.Duration {
	if rate == 0 || n/rate > uint64(longest/time.Second) {
		return 0
	}
	return time.Duration(n/rate)*time.Second + time.Duration(n%rate*uint64(time.Second)/rate)
}
