// Package picture makes a picture that somebody sent fit for a model: a small JPEG without anything that the camera or the
// network wrote into it. Pure.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // formats that are read
	"image/jpeg"
	_ "image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

const (
	// MaxBytes is the largest file that is read.
	MaxBytes = 8 << 20
	// maxSide is the longer side of the result, in pixels: providers make larger pictures smaller themselves.
	maxSide = 1568
	// maxPixels is the largest picture that is read: a small file may hold a huge one.
	maxPixels = 30_000_000
	// quality is that of the JPEG, out of 100.
	quality = 85
)

// MIME is the type of every result.
const MIME = "image/jpeg"

// The reasons for which a file is not read.
var (
	ErrTooLarge = errors.New("the picture is too large")
	ErrFormat   = errors.New("the file is no JPEG, PNG, WebP or GIF picture")
)

// Prepare reads a JPEG, PNG, WebP or GIF file, of which it takes the first frame, and returns it as a JPEG file of at most
// 1,568 pixels a side, upright and without metadata. What the file is called or said to be does not matter.
func Prepare(file []byte) (jpegFile []byte, err error) {
	defer func() {
		if recover() != nil { // a decoder that a file breaks must not end the process
			jpegFile, err = nil, ErrFormat
		}
	}()
	if len(file) > MaxBytes {
		return nil, ErrTooLarge
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(file))
	switch {
	case err != nil || size.Width <= 0 || size.Height <= 0:
		return nil, ErrFormat
	case size.Width > maxPixels/size.Height:
		return nil, ErrTooLarge
	}
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, ErrFormat
	}
	turn := upright
	if format == "jpeg" {
		turn = orientation(file)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, turned(scaled(decoded), turn), &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	return out.Bytes(), nil
}

// scaled returns a picture on white, made smaller if a side is too long.
func scaled(from image.Image) *image.RGBA {
	b := from.Bounds()
	w, h := b.Dx(), b.Dy()
	if longer := max(w, h); longer > maxSide {
		w, h = max(1, w*maxSide/longer), max(1, h*maxSide/longer)
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(to, to.Bounds(), from, b, draw.Over, nil)
	return to
}

// upright is the orientation of a picture that need not be turned. The others, up to 8, are those of Exif.
const upright = 1

// turned returns a picture upright.
func turned(from *image.RGBA, orientation int) *image.RGBA {
	if orientation <= upright || orientation > 8 {
		return from
	}
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	sideways := orientation >= 5
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	if sideways {
		to = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch orientation {
			case 2:
				tx = w - 1 - x
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				ty = h - 1 - y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			to.SetRGBA(tx, ty, from.RGBAAt(x, y))
		}
	}
	return to
}
