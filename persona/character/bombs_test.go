package character_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/persona/character"
)

// TestS10BombsAreRefused checks that each is refused with an error that names what is wrong, in less than a second and with
// less than 64 MB of memory.
func TestS10BombsAreRefused(t *testing.T) {
	card := cards()["v2-00"]
	gigabyte := sync.OnceValue(func() string { return bomb(1 << 30) })
	bombs := map[string]struct {
		data []byte
		says string
	}{
		"ratio":         {zipped(t, func(z *zip.Writer) { fill(t, z, "card.json", 100<<20) }), "times its size"},
		"many files":    {zipped(t, func(z *zip.Writer) { many(t, z, 10_000) }), "more than 2000 files"},
		"up":            {zipped(t, func(z *zip.Writer) { fill(t, z, "../../evil.json", 10) }), "leads out of it"},
		"absolute":      {zipped(t, func(z *zip.Writer) { fill(t, z, "/etc/passwd", 10) }), "leads out of it"},
		"backslash":     {zipped(t, func(z *zip.Writer) { fill(t, z, `..\evil`, 10) }), "leads out of it"},
		"link":          {zipped(t, func(z *zip.Writer) { link(t, z) }), "a link"},
		"twice":         {zipped(t, func(z *zip.Writer) { fill(t, z, "card.json", 10); fill(t, z, "card.json", 10) }), "twice"},
		"no card":       {zipped(t, func(z *zip.Writer) { fill(t, z, "other.json", 10) }), "no card.json"},
		"cut zip":       {zipped(t, func(z *zip.Writer) { fill(t, z, "card.json", 999) })[:60], "open the archive"},
		"huge picture":  {header(100_000, 100_000), "100000 × 100000 pixels"},
		"zTXt of 1 GB":  {picture(t, chunk("zTXt", "chara\x00\x00"+gigabyte())), "more than"},
		"iTXt of 1 GB":  {picture(t, chunk("iTXt", "ccv3\x00\x01\x00\x00\x00"+gigabyte())), "more than"},
		"checksum":      {bytes.Replace(picture(t, chunk("tEXt", "chara\x00"+b64(card))), []byte("chara"), []byte("Chara"), 1), "checksum"},
		"cut picture":   {picture(t, chunk("tEXt", "chara\x00"+b64(card)))[:90], "breaks off"},
		"no base64":     {picture(t, chunk("tEXt", "chara\x00!!!!")), "no base64"},
		"no card in it": {picture(t), "no card in it"},
		"depth":         {[]byte(strings.Repeat(`{"data":`, 10_000) + "1" + strings.Repeat("}", 10_000)), "nested deeper"},
		"depth in data": {[]byte(`{"spec":"chara_card_v2","data":{"name":"x","extensions":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}}`), "nested deeper"},
		"many values":   {[]byte(`{"name":"x","description":"","tags":[` + strings.Repeat("1,", 3_000_000) + `1]}`), "more than 200000 values"},
		"long":          {bytes.Repeat([]byte(" "), 20<<20), "more than 8 MB"},
		"too long":      {bytes.Repeat([]byte(" "), 25<<20), "more than 24 MB"},
		"many entries":  {[]byte(`{"data":{"name":"x","character_book":{"entries":[` + strings.Repeat("{},", 20_000) + `{}]}}}`), "too many"},
		"empty":         {nil, "read JSON"},
		"text":          {[]byte("hello"), "read JSON"},
		"list":          {[]byte("[]"), "not an object"},
		"other JSON":    {[]byte(`{"a":1}`), "no character card"},
		"no name":       {[]byte(`{"spec":"chara_card_v2","data":{"name":" "}}`), "no name"},
		"no data":       {[]byte(`{"spec":"chara_card_v3"}`), "has no data"},
		"data is text":  {[]byte(`{"spec":"chara_card_v3","data":"x"}`), "not an object"},
		"unclosed":      {[]byte(card[:len(card)-9]), "read JSON"},
	}
	for name, b := range bombs {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			started := time.Now()
			_, err := character.Parse(b.data)
			took := time.Since(started)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), b.says) {
				t.Errorf("the error is %v, want one with %q", err, b.says)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 || took > time.Second {
				t.Errorf("refused after %v and %d MB", took, used>>20)
			}
		})
	}
}

func zipped(t *testing.T, add func(*zip.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func fill(t *testing.T, z *zip.Writer, name string, size int64) {
	t.Helper()
	w, err := z.Create(name)
	for ; err == nil && size > 0; size -= 1 << 20 {
		_, err = w.Write(make([]byte, min(size, 1<<20)))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func many(t *testing.T, z *zip.Writer, n int) {
	for i := range n {
		fill(t, z, fmt.Sprint("assets/", i), 1)
	}
}

func link(t *testing.T, z *zip.Writer) {
	t.Helper()
	h := &zip.FileHeader{Name: "card.json"}
	h.SetMode(fs.ModeSymlink | 0o777)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write([]byte("/etc/passwd"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// header is the beginning of a picture of that size.
func header(width, height uint32) []byte {
	body := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	body = append(binary.BigEndian.AppendUint32(body, height), 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

// bomb returns compressed zeros that unpack to size bytes.
func bomb(size int) string {
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	if err != nil {
		panic(err)
	}
	for block := make([]byte, 1<<20); size > 0; size -= len(block) {
		z.Write(block) //nolint:errcheck // into memory
	}
	z.Close() //nolint:errcheck // into memory
	return out.String()
}

func FuzzParse(f *testing.F) {
	for _, text := range cards() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { roundTrip(t, data) })
}

func FuzzParsePicture(f *testing.F) {
	f.Add("tEXt", "chara\x00"+b64(cards()["v3-05"]))
	f.Add("zTXt", "ccv3\x00\x00"+packed(b64(cards()["v1-00"])))
	f.Add("iTXt", "ccv3\x00\x01\x00\x00\x00"+packed(b64(cards()["v1-00"])))
	f.Fuzz(func(t *testing.T, kind, body string) {
		if len(kind) == 4 && kind != "IEND" {
			roundTrip(t, picture(t, chunk(kind, body)))
		}
	})
}

func FuzzParseArchive(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add(zipOf(cards()["v3-05"]))
	f.Fuzz(func(t *testing.T, data []byte) {
		roundTrip(t, append([]byte("PK"), bytes.TrimPrefix(data, []byte("PK"))...))
	})
}

func zipOf(card string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	if w, err := z.Create("card.json"); err == nil {
		w.Write([]byte(card)) //nolint:errcheck // into memory
	}
	z.Close() //nolint:errcheck // into memory
	return out.Bytes()
}

// roundTrip checks that what can be read can be written in every format and read again.
func roundTrip(t *testing.T, data []byte) {
	file, err := character.Parse(data)
	if err != nil {
		return
	}
	for _, format := range character.Formats {
		out, err := character.Write(file.Character, file, format, character.V3)
		if err != nil {
			t.Fatalf("write as %s: %v", format, err)
		}
		again, err := character.Parse(out)
		if err != nil {
			t.Fatalf("read what was written as %s: %v", format, err)
		}
		if again.Name != file.Name || again.Description != file.Description || len(again.Unknown()) < len(file.Unknown()) && file.Spec != character.V1 {
			t.Fatalf("%s lost something", format)
		}
	}
}
