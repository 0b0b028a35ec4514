package backup

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the most memory, in bytes, that decompressing may take. The encoder uses 8 MB.
const maxWindow = 32 << 20

// writeArchive writes the manifest and the members, which lie under dir.
func writeArchive(w io.Writer, m Manifest, dir string) (err error) {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, packed.Close()) }()
	archive := tar.NewWriter(packed)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(header(manifestName, int64(len(text)), m)); err != nil {
		return err
	}
	if _, err := archive.Write(text); err != nil {
		return err
	}
	for _, member := range m.Members {
		if err := addMember(archive, m, member, dir); err != nil {
			return fmt.Errorf("add %s: %w", member.Name, err)
		}
	}
	return archive.Close()
}

func header(name string, size int64, m Manifest) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: m.Made, Format: tar.FormatPAX}
}

func addMember(archive *tar.Writer, m Manifest, member Member, dir string) error {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(member.Name))) //nolint:gosec // a file of our own
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	if err := archive.WriteHeader(header(member.Name, member.Size, m)); err != nil {
		return err
	}
	_, err = io.Copy(archive, f)
	return err
}

// archiveReader reads an archive from its beginning to its end.
type archiveReader struct {
	Manifest
	packed  *zstd.Decoder
	archive *tar.Reader
}

// openArchive reads the manifest of an archive of fileSize bytes. The caller closes the reader.
func openArchive(r io.Reader, fileSize int64) (*archiveReader, error) {
	packed, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, invalid(err)
	}
	a := &archiveReader{packed: packed, archive: tar.NewReader(packed)}
	if err := a.readManifest(fileSize); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func (a *archiveReader) close() { a.packed.Close() }

func (a *archiveReader) readManifest(fileSize int64) error {
	h, err := a.archive.Next()
	if err != nil {
		return invalid(err)
	}
	if h.Typeflag != tar.TypeReg || h.Name != manifestName || h.Size > maxManifest {
		return fmt.Errorf("%w: it does not begin with a manifest", ErrInvalid)
	}
	text, err := io.ReadAll(a.archive)
	if err != nil {
		return invalid(err)
	}
	a.Manifest, err = parseManifest(text, fileSize)
	return err
}

// eachMember calls write with the contents of each member in order, and compares what was read with the manifest. Contents
// may only be relied on once eachMember has returned without an error.
func (a *archiveReader) eachMember(write func(m Member, r io.Reader) error) error {
	for _, want := range a.Members {
		h, err := a.archive.Next()
		if err != nil {
			return invalid(err)
		}
		if h.Typeflag != tar.TypeReg || h.Name != want.Name || h.Size != want.Size {
			return fmt.Errorf("%w: %q stands where its manifest names %q", ErrInvalid, h.Name, want.Name)
		}
		sum := sha256.New()
		if err := write(want, &memberReader{io.TeeReader(a.archive, sum)}); err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
			return fmt.Errorf("%w: %s differs from its checksum", ErrInvalid, want.Name)
		}
	}
	if _, err := a.archive.Next(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it holds more than its manifest names", ErrInvalid)
	}
	// Only the end of the stream proves that nothing was cut off or changed.
	if n, err := io.Copy(io.Discard, io.LimitReader(a.packed, tarPadding+1)); err != nil || n > tarPadding {
		return invalid(err)
	}
	return nil
}

// tarPadding is the most that may follow the end of a tar archive, in bytes.
const tarPadding = 1 << 16

// memberReader marks errors of reading, to tell them from those of writing what was read.
type memberReader struct{ r io.Reader }

func (m *memberReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = invalid(err)
	}
	return n, err
}

// invalid marks an error of reading an archive.
func invalid(err error) error {
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is cut short, or something was added", ErrInvalid)
	case errors.Is(err, ErrInvalid):
		return err
	}
	return fmt.Errorf("%w: %w", ErrInvalid, err)
}

// extract writes the members of the archive under dir, which must be empty, and checks them.
func (a *archiveReader) extract(dir string) error {
	return a.eachMember(func(m Member, r io.Reader) error {
		path := filepath.Join(dir, filepath.FromSlash(m.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // isMember has checked the name
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		if err == nil {
			err = f.Sync()
		}
		return errors.Join(err, f.Close())
	})
}

// hashFile returns the size and the SHA-256 of a file.
func hashFile(path string) (size int64, sum string, err error) {
	f, err := os.Open(path) //nolint:gosec // a file of our own
	if err != nil {
		return 0, "", err
	}
	defer f.Close() //nolint:errcheck // only read
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(h.Sum(nil)), nil
}
