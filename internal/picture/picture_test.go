package picture_test

// B5: pictures are read by what they are, bounded in bytes and pixels, made small and upright, and lose their metadata.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"familiar/internal/picture"
)

// two is a picture whose left half is red and whose right half is blue.
func two(w, h int) image.Image {
	p := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p.Set(x, y, color.RGBA{R: 255, A: 255})
			if x >= w/2 {
				p.Set(x, y, color.RGBA{B: 255, A: 255})
			}
		}
	}
	return p
}

func encoded(t *testing.T, encode func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// claiming returns a PNG file whose header claims another size. Its first chunk has its name at 12, the size at 16 and a
// checksum of both at 29.
func claiming(file []byte, w, h uint32) []byte {
	file = bytes.Clone(file)
	binary.BigEndian.PutUint32(file[16:], w)
	binary.BigEndian.PutUint32(file[20:], h)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

func prepared(t *testing.T, file []byte) image.Image {
	t.Helper()
	out, err := picture.Prepare(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := jpeg.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestB5Formats(t *testing.T) {
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"png":  encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, two(40, 20)) }),
		"jpeg": encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, two(40, 20), nil) }),
		"gif":  encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, two(40, 20), nil) }),
		"webp": webp,
	} {
		if p := prepared(t, file); name != "webp" && (p.Bounds().Dx() != 40 || p.Bounds().Dy() != 20) {
			t.Errorf("%s has the size %v", name, p.Bounds())
		}
	}
	large := prepared(t, encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, two(4000, 1000), nil) }))
	if large.Bounds().Dx() != 1568 || large.Bounds().Dy() != 392 {
		t.Errorf("a large picture has the size %v", large.Bounds())
	}
}

func TestB5WhatIsNoPictureIsRefused(t *testing.T) {
	bomb := claiming(encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, two(4, 2)) }), 20000, 20000)
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"text":          {[]byte("hello"), picture.ErrFormat},
		"svg":           {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), picture.ErrFormat},
		"empty":         {nil, picture.ErrFormat},
		"cut off":       {encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, two(400, 200)) })[:200], picture.ErrFormat},
		"many bytes":    {make([]byte, picture.MaxBytes+1), picture.ErrTooLarge},
		"many pixels":   {bomb, picture.ErrTooLarge},
		"a page as jpg": {[]byte("<!DOCTYPE html><html></html>"), picture.ErrFormat},
	} {
		if _, err := picture.Prepare(c.file); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestB5MetadataGoes takes a JPEG file that says where it was taken and that it lies on its side.
func TestB5MetadataGoes(t *testing.T) {
	plain := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, two(40, 20), nil) })
	exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"), "GPS 38.7N 9.1W"...)
	file := append([]byte{0xFF, 0xD8, 0xFF, 0xE1, 0, byte(len(exif) + 2)}, exif...)
	file = append(file, plain[2:]...)
	out, err := picture.Prepare(file)
	if err != nil || bytes.Contains(out, []byte("GPS")) || bytes.Contains(out, []byte("Exif")) {
		t.Fatalf("metadata stays, or %v", err)
	}
	p := prepared(t, file)
	if p.Bounds().Dx() != 20 || p.Bounds().Dy() != 40 {
		t.Fatalf("the size is %v", p.Bounds())
	}
	if r, _, b, _ := p.At(10, 5).RGBA(); r < b {
		t.Error("the left side is not on top")
	}
}
