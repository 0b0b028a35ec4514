package speech

import (
	"bytes"
	"encoding/binary"
	"time"
)

// wavOf returns samples of sampleRate, one channel of 16 bits, as a WAV file.
func wavOf(pcm []byte) []byte {
	var b bytes.Buffer
	b.Grow(44 + len(pcm))
	b.WriteString("RIFF")
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a buffer takes everything
	put(uint32(36 + len(pcm)))
	b.WriteString("WAVEfmt ")
	put(struct {
		Size             uint32
		Format, Channels uint16
		Rate, ByteRate   uint32
		Align, Bits      uint16
	}{16, 1, 1, sampleRate, sampleRate * sampleBytes, sampleBytes, 8 * sampleBytes})
	b.WriteString("data")
	put(uint32(len(pcm)))
	b.Write(pcm)
	return b.Bytes()
}

// Silence returns a recording of nothing, to see whether a server answers.
func Silence(d time.Duration) []byte {
	return wavOf(make([]byte, sampleBytes*int(d.Seconds()*sampleRate)))
}
