package character

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// MaxFile is the maximum size of a file with a card in bytes.
const MaxFile = 24 << 20

// Format is how a card is kept in a file. It is also the extension of its name.
type Format string

// The formats.
const (
	JSON  Format = "json"
	PNG   Format = "png"
	CHARX Format = "charx"
)

// Formats are all formats.
var Formats = []Format{JSON, PNG, CHARX}

// File is a card as it was read, with the file's bytes.
type File struct {
	*Character
	Format Format
	bytes  []byte
}

// Parse reads a card from the bytes of a file in any format. They must not be changed afterwards.
func Parse(data []byte) (*File, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("read the card: the file has more than %d MB", MaxFile>>20)
	}
	f := &File{bytes: data}
	var err error
	switch {
	case bytes.HasPrefix(data, []byte(pngMark)):
		f.Format = PNG
		f.Character, err = parsePNG(data)
	case bytes.HasPrefix(data, []byte("PK")), bytes.HasPrefix(data, []byte("\xff\xd8\xff")): // an archive may follow a JPEG
		f.Format = CHARX
		f.Character, err = parseArchive(data)
	default:
		f.Format = JSON
		f.Character, err = ParseJSON(data)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Write returns the card c in a format, with the picture and the other files of the file that it was read from as far as the
// format takes them. base is that file, nil for a card that comes from none. Spec counts for JSON; images have both versions,
// archives version 3.
func Write(c *Character, base *File, format Format, spec Spec) ([]byte, error) {
	switch format {
	case PNG:
		image, err := pictureOf(base)
		if err != nil {
			return nil, err
		}
		return c.PNG(image)
	case CHARX:
		var archive []byte
		if base != nil && base.Format == CHARX {
			archive = base.bytes
		}
		return c.CHARX(archive)
	case JSON:
		return c.JSON(spec)
	}
	return nil, fmt.Errorf("write the card: %q is no format of cards: take one of %v", format, Formats)
}

// pictureOf returns the picture for a card: that of its file, or one of a single color.
func pictureOf(base *File) ([]byte, error) {
	if base != nil && base.Format == PNG {
		return base.bytes, nil
	}
	if base != nil && base.Format == CHARX {
		if image, err := picture(base.Character, base.bytes); err != nil || image != nil {
			return image, err
		}
	}
	const width, height = 400, 600
	plain := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.RGBA{0x5b, 0x6b, 0x8c, 0xff}})
	var out bytes.Buffer
	if err := png.Encode(&out, plain); err != nil {
		return nil, fmt.Errorf("draw a picture for the card: %w", err)
	}
	return out.Bytes(), nil
}
