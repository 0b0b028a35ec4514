package character

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"familiar/persona/lore"
)

// pngMark is how every PNG begins.
const pngMark = "\x89PNG\r\n\x1a\n"

const (
	// maxSide and maxPixels bound the pictures that are taken: larger ones exist to fill the memory of who draws them.
	maxSide, maxPixels = 32_768, 100_000_000
	// maxText is the maximum size of a card as base64.
	maxText = maxJSON/3*4 + 4
)

// The keywords of the chunks with a card: version 3, and version 2 for programs that know no other.
const (
	keywordV3 = "ccv3"
	keywordV2 = "chara"
)

// chunk is a part of a PNG.
type chunk struct {
	kind string
	data []byte
	// whole is the chunk with its length, kind and checksum.
	whole []byte
}

// eachChunk calls do with every chunk, and returns what follows the last. It checks lengths, checksums and the size of the
// picture; what the pixels say is never read.
func eachChunk(image []byte, do func(chunk) error) (rest []byte, err error) {
	if !bytes.HasPrefix(image, []byte(pngMark)) {
		return nil, errors.New("this is no PNG")
	}
	rest = image[len(pngMark):]
	for first := true; ; first = false {
		if len(rest) < 12 {
			return nil, errors.New("the PNG breaks off before its end")
		}
		size := binary.BigEndian.Uint32(rest)
		if uint64(size) > uint64(len(rest)-12) {
			return nil, errors.New("the PNG breaks off within a chunk")
		}
		c := chunk{kind: string(rest[4:8]), data: rest[8 : 8+size], whole: rest[:12+size]}
		if crc32.ChecksumIEEE(rest[4:8+size]) != binary.BigEndian.Uint32(rest[8+size:]) {
			return nil, fmt.Errorf("the checksum of the PNG's chunk %q is wrong: the file is damaged", c.kind)
		}
		if first {
			if err := checkHeader(c); err != nil {
				return nil, err
			}
		}
		rest = rest[12+size:]
		if err := do(c); err != nil {
			return nil, err
		}
		if c.kind == "IEND" {
			return rest, nil
		}
	}
}

func checkHeader(c chunk) error {
	if c.kind != "IHDR" || len(c.data) != 13 {
		return errors.New("the PNG does not begin with its header")
	}
	width, height := binary.BigEndian.Uint32(c.data), binary.BigEndian.Uint32(c.data[4:])
	if width == 0 || height == 0 || width > maxSide || height > maxSide || uint64(width)*uint64(height) > maxPixels {
		return fmt.Errorf("the PNG claims to be %d × %d pixels: at most %d million are taken", width, height, maxPixels/1_000_000)
	}
	return nil
}

// parsePNG reads the card of an image, of version 3 if it has one. One that cannot be read gives way to the other.
func parsePNG(image []byte) (*Character, error) {
	found := map[string]chunk{}
	_, err := eachChunk(image, func(c chunk) error {
		key := keyword(c)
		if _, has := found[key]; !has && (key == keywordV2 || key == keywordV3) {
			found[key] = c
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the card: %w", err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("read the card: %w: the picture has no card in it", ErrNotCard)
	}
	var failed error
	for _, key := range []string{keywordV3, keywordV2} {
		c, has := found[key]
		if !has {
			continue
		}
		card, err := readChunk(c)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if failed != nil {
			card.warn("its version 3 cannot be read, so version 2 was taken: %v", failed)
		}
		return card, nil
	}
	return nil, failed
}

func readChunk(c chunk) (*Character, error) {
	text, err := textOf(c)
	if err != nil {
		return nil, fmt.Errorf("read the card: %w", err)
	}
	if json := bytes.TrimSpace(text); len(json) > 0 && json[0] == '{' {
		return ParseJSON(json) // some programs leave out the base64
	}
	json, err := decodeBase64(text)
	if err != nil {
		return nil, fmt.Errorf("read the card: the text in the picture is no base64: %w", err)
	}
	return ParseJSON(json)
}

// decodeBase64 takes base64 with line breaks and without padding.
func decodeBase64(text []byte) ([]byte, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("it has more than %d MB", maxText>>20)
	}
	text = bytes.TrimRight(bytes.Join(bytes.Fields(text), nil), "=")
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	n, err := base64.RawStdEncoding.Decode(out, text)
	return out[:n], err
}

// keyword returns the keyword of a chunk with text, "" for any other.
func keyword(c chunk) string {
	switch c.kind {
	case "tEXt", "zTXt", "iTXt":
		key, _, _ := bytes.Cut(c.data, []byte{0})
		if len(key) < 80 {
			return strings.ToLower(string(key))
		}
	}
	return ""
}

// textOf returns the text of a chunk. Compressed text may grow to maxText and no more.
func textOf(c chunk) ([]byte, error) {
	_, body, _ := bytes.Cut(c.data, []byte{0})
	compressed := false
	switch c.kind {
	case "zTXt":
		if len(body) < 1 || body[0] != 0 {
			return nil, errors.New("the text in the picture is compressed in an unknown way")
		}
		body, compressed = body[1:], true
	case "iTXt":
		if len(body) < 2 {
			return nil, errors.New("the text in the picture breaks off")
		}
		compressed = body[0] == 1
		parts := bytes.SplitN(body[2:], []byte{0}, 3) // language, translated keyword, text
		if len(parts) < 3 {
			return nil, errors.New("the text in the picture breaks off")
		}
		body = parts[2]
	}
	if !compressed {
		return body, nil
	}
	z, err := zlib.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("unpack the text in the picture: %w", err)
	}
	return readAtMost(z, maxText, "the text in the picture")
}

// readAtMost reads everything, or fails if there is more than limit.
func readAtMost(r io.Reader, limit int64, what string) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", what, err)
	}
	if int64(len(out)) > limit {
		return nil, fmt.Errorf("unpack %s: it has more than %d MB", what, limit>>20)
	}
	return out, nil
}

// PNG returns an image with the card in it, as version 3 and as version 2, in place of any card that it had. Everything else
// of the image stays byte for byte.
func (c *Character) PNG(image []byte) ([]byte, error) {
	newest, err := c.JSON(V3)
	if err != nil {
		return nil, err
	}
	older, err := c.withoutDecorators().JSON(V2)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString(pngMark)
	rest, err := eachChunk(image, func(k chunk) error {
		switch key := keyword(k); {
		case key == keywordV2, key == keywordV3:
			return nil
		case k.kind == "IEND":
			writeText(&out, keywordV2, older)
			writeText(&out, keywordV3, newest)
		}
		out.Write(k.whole)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("write the card into the picture: %w", err)
	}
	out.Write(rest)
	return out.Bytes(), nil
}

func writeText(out *bytes.Buffer, key string, json []byte) {
	body := append([]byte("tEXt"+key+"\x00"), base64.StdEncoding.EncodeToString(json)...)
	size := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	out.Write(size)
	out.Write(binary.BigEndian.AppendUint32(body, crc32.ChecksumIEEE(body)))
}

// withoutDecorators returns the card for programs that know version 2, which would show decorators as text.
func (c *Character) withoutDecorators() *Character {
	if c.Book == nil {
		return c
	}
	plain, book := *c, *c.Book
	book.Entries = append([]lore.Entry(nil), book.Entries...)
	for i, e := range book.Entries {
		if strings.HasPrefix(strings.TrimSpace(e.Content), "@@") {
			book.Entries[i].Content = lore.WithoutDecorators(e.Content)
		}
	}
	plain.Book = &book
	return &plain
}
