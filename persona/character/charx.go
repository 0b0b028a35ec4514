package character

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

const (
	// maxParts is how many files an archive may hold, maxUnpacked how large they may be together, in bytes.
	maxParts, maxUnpacked = 2_000, 512 << 20
	// maxRatio is how many times larger than packed a file may become, beyond freeUnpacked bytes.
	maxRatio, freeUnpacked = 100, 1 << 20
	// maxPicture is the largest picture that is taken out of an archive, in bytes.
	maxPicture = 16 << 20
)

// cardPart is the file with the card in an archive.
const cardPart = "card.json"

// openArchive reads the directory of an archive and refuses what may do harm. Nothing is unpacked.
func openArchive(data []byte) (*zip.Reader, error) {
	if n := bytes.Count(data, []byte("PK\x01\x02")); n > maxParts {
		return nil, fmt.Errorf("the archive has more than %d files", maxParts) // before the directory takes memory
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	seen, total := map[string]bool{}, uint64(0)
	for _, f := range z.File {
		if err := checkPart(f); err != nil {
			return nil, err
		}
		if seen[f.Name] {
			return nil, fmt.Errorf("the archive has %q twice", f.Name)
		}
		seen[f.Name] = true
		if total += f.UncompressedSize64; total > maxUnpacked || f.UncompressedSize64 > maxUnpacked {
			return nil, fmt.Errorf("the archive unpacks to more than %d MB", maxUnpacked>>20)
		}
	}
	return z, nil
}

// checkPart refuses files that lead out of the archive, that are no files, or that unpack to far more than they are.
func checkPart(f *zip.File) error {
	name := strings.TrimSuffix(f.Name, "/")
	switch mode := f.Mode(); {
	case !fs.ValidPath(name) || name != path.Clean(name) || strings.ContainsAny(name, "\\:\x00"):
		return fmt.Errorf("the archive has %q, which leads out of it", f.Name)
	case !mode.IsRegular() && !mode.IsDir():
		return fmt.Errorf("the archive has %q, which is a link or a device", f.Name)
	case f.Flags&1 != 0:
		return fmt.Errorf("the archive has %q, which is encrypted", f.Name)
	case f.UncompressedSize64 > freeUnpacked && f.UncompressedSize64/maxRatio > f.CompressedSize64:
		return fmt.Errorf("the archive has %q, which unpacks to %d times its size", f.Name, f.UncompressedSize64/max(1, f.CompressedSize64))
	}
	return nil
}

// part returns a file of an archive, of at most limit bytes, with its checksum verified.
func part(z *zip.Reader, name string, limit int64) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	return readAtMost(f, limit, name)
}

func parseArchive(data []byte) (*Character, error) {
	z, err := openArchive(data)
	if err != nil {
		return nil, fmt.Errorf("read the card: %w", err)
	}
	json, err := part(z, cardPart, maxJSON)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the card: %w: the archive has no %s", ErrNotCard, cardPart)
	}
	if err != nil {
		return nil, fmt.Errorf("read the card: %w", err)
	}
	return ParseJSON(json)
}

// CHARX returns an archive with the card as version 3. archive is one whose other files are carried over as they are, nil
// for none.
func (c *Character) CHARX(archive []byte) ([]byte, error) {
	json, err := c.JSON(V3)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create(cardPart)
	if err == nil {
		_, err = f.Write(json)
	}
	if err == nil && archive != nil {
		err = copyParts(w, archive)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("write the archive: %w", err)
	}
	return out.Bytes(), nil
}

// copyParts copies every file but the card, packed as it is.
func copyParts(w *zip.Writer, archive []byte) error {
	z, err := openArchive(archive)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if f.Name == cardPart {
			continue
		}
		if err := w.Copy(f); err != nil {
			return err
		}
	}
	return nil
}

// picture returns the card's main icon out of an archive, nil if it has none that is a PNG.
func picture(c *Character, archive []byte) ([]byte, error) {
	z, err := openArchive(archive)
	if err != nil {
		return nil, err
	}
	for _, a := range c.Assets {
		scheme, name, _ := strings.Cut(a.URI, "://")
		if a.Type != "icon" || !strings.HasPrefix(strings.ToLower(scheme), "embed") || !fs.ValidPath(name) {
			continue
		}
		image, err := part(z, name, maxPicture)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(image, []byte(pngMark)) {
			return image, nil
		}
	}
	return nil, nil
}
