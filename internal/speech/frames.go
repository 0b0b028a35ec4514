package speech

import (
	"bytes"
	"time"
)

// mostTail is how many bytes after its last frame a file may have: tags, which are at its end too.
const mostTail = 4 << 10

// framesLength adds up the frames of a file from an offset, as frame tells their bytes and their lengths; 0 bytes is no frame. It
// returns 0 if much of the file is none.
func framesLength(file []byte, at int, frame func(head []byte) (size int, length time.Duration)) (total time.Duration) {
	for at < len(file) {
		size, length := frame(file[at:])
		if size <= 0 {
			break
		}
		at, total = at+size, total+length
	}
	if len(file)-at > mostTail {
		return 0
	}
	return total
}

// The rates of MPEG audio, layer 3.
var (
	// mp3Bits are kilobits per second, of MPEG 1 and of the later versions.
	mp3Bits = [2][16]int{
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
	}
	// mp3Rates are samples per second of MPEG 1. MPEG 2 has half as many, MPEG 2.5 a quarter.
	mp3Rates = [4]int{44_100, 48_000, 32_000, 0}
)

// mp3Length adds up the frames after the tag that a file may begin with.
func mp3Length(file []byte) time.Duration {
	at := 0
	if bytes.HasPrefix(file, []byte("ID3")) && len(file) >= 10 {
		at = 10 + int(file[6]&0x7f)<<21 + int(file[7]&0x7f)<<14 + int(file[8]&0x7f)<<7 + int(file[9]&0x7f)
	}
	return framesLength(file, at, mp3Frame)
}

func mp3Frame(head []byte) (size int, length time.Duration) {
	if len(head) < 4 || head[0] != 0xff || head[1]&0xe6 != 0xe2 { // layer 3
		return 0, 0
	}
	older, samples, slots := 0, 1152, 144
	rate := mp3Rates[head[2]>>2&3]
	switch head[1] >> 3 & 3 { // the version
	case 0:
		older, rate = 1, rate/4
	case 1:
		return 0, 0
	case 2:
		older, rate = 1, rate/2
	}
	if older == 1 {
		samples, slots = samples/2, slots/2
	}
	bits := mp3Bits[older][head[2]>>4]
	if rate == 0 || bits == 0 {
		return 0, 0
	}
	return slots*bits*1000/rate + int(head[2]>>1&1), time.Duration(samples) * time.Second / time.Duration(rate)
}

// aacRates are the samples per second that a frame of AAC may name.
var aacRates = [16]int{96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350}

// aacLength adds up the frames.
func aacLength(file []byte) time.Duration {
	return framesLength(file, 0, func(head []byte) (size int, length time.Duration) {
		if len(head) < 7 || head[0] != 0xff || head[1]&0xf6 != 0xf0 || aacRates[head[2]>>2&0xf] == 0 {
			return 0, 0
		}
		size = int(head[3]&3)<<11 | int(head[4])<<3 | int(head[5]>>5)
		return size, 1024 * time.Second / time.Duration(aacRates[head[2]>>2&0xf])
	})
}
