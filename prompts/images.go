package prompts

import "slices"

// Image is a picture.
type Image struct {
	// MIME is its type, such as "image/jpeg".
	MIME string
	Data []byte
}

// ImageTokens is what a picture costs, in tokens: providers count about one for 750 pixels.
const ImageTokens = 1600

// SliceImages is the slice of the pictures.
const SliceImages = "images"

// WithImages returns p with pictures that the last message shows.
func (p Prompt) WithImages(images []Image) Prompt {
	if len(images) == 0 {
		return p
	}
	p.Images = images
	p.Slices = append(slices.Clone(p.Slices), Slice{Name: SliceImages, Tokens: ImageTokens * len(images)})
	return p
}

// WithoutImages returns p without pictures, for a model that does not see.
func (p Prompt) WithoutImages() Prompt {
	p.Images = nil
	p.Slices = slices.DeleteFunc(slices.Clone(p.Slices), func(s Slice) bool { return s.Name == SliceImages })
	return p
}
