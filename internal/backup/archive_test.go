package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"familiar/memory/memorytest"
)

// entry is one entry of an archive made by hand.
type entry struct {
	tar.Header
	data string
}

func file(name, data string) entry {
	return entry{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600}, data}
}

// archiveOf packs entries behind a manifest that names members.
func archiveOf(t testing.TB, m Manifest, entries ...entry) []byte {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return pack(t, append([]entry{file(manifestName, string(text))}, entries...)...)
}

func pack(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	packed, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(packed)
	for _, e := range entries {
		if e.Typeflag == tar.TypeReg {
			e.Size = int64(len(e.data))
		}
		if err := archive.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// manifestOf names entries as they are.
func manifestOf(entries ...entry) Manifest {
	m := Manifest{Format: formatVersion, Schema: 1, Made: memorytest.Start, Reason: Asked}
	for _, e := range entries {
		sum := sha256.Sum256([]byte(e.data))
		m.Members = append(m.Members, Member{e.Name, int64(len(e.data)), hex.EncodeToString(sum[:]), isCredential(e.Name)})
	}
	return m
}

// TestForeignArchivesAreRefused restores what somebody else packed, and expects an error and an unchanged home.
func TestForeignArchivesAreRefused(t *testing.T) {
	db := file(databaseName, "pages")
	link := entry{tar.Header{Typeflag: tar.TypeSymlink, Name: "personas/x", Linkname: "/etc/passwd"}, ""}
	with := func(change func(m *Manifest), entries ...entry) []byte {
		m := manifestOf(entries...)
		change(&m)
		return archiveOf(t, m, entries...)
	}
	named := func(name string) []byte { return archiveOf(t, manifestOf(db, file(name, "x")), db, file(name, "x")) }
	huge := manifestOf(db)
	huge.Members[0].Size = 1 << 40
	for name, data := range map[string][]byte{
		"empty":                {},
		"no archive":           []byte("My notes about lighthouses."),
		"no manifest":          pack(t, db),
		"manifest not first":   pack(t, db, file(manifestName, "{}")),
		"manifest no JSON":     pack(t, file(manifestName, "{"), db),
		"manifest twice":       pack(t, file(manifestName, "{}{}"), db),
		"no members":           with(func(m *Manifest) { m.Members = nil }, db),
		"newer format":         with(func(m *Manifest) { m.Format = 99 }, db),
		"parent":               named("../familiar.db"),
		"parent inside":        named("personas/../../x.yaml"),
		"absolute":             named("/etc/passwd"),
		"backslash":            named(`personas\..\x`),
		"not of a home":        named("notes.txt"),
		"a directory's name":   named("personas"),
		"same name twice":      archiveOf(t, manifestOf(db, db), db, db),
		"link":                 archiveOf(t, manifestOf(db, file("personas/x", "")), db, link),
		"more than named":      archiveOf(t, manifestOf(db), db, file("personas/y.yaml", "y")),
		"less than named":      archiveOf(t, manifestOf(db, file("personas/y.yaml", "y")), db),
		"other contents":       archiveOf(t, manifestOf(db), file(databaseName, "eggs!")),
		"other size":           archiveOf(t, manifestOf(db), file(databaseName, "page")),
		"bomb by its manifest": archiveOf(t, huge, db),
		"bomb by its contents": archiveOf(t, manifestOf(db), file(databaseName, strings.Repeat("\x00", 1<<20))),
		"bomb as manifest":     pack(t, file(manifestName, strings.Repeat(" ", maxManifest+1))),
		"keys not marked":      with(func(m *Manifest) { m.Members[1].Credentials = false }, db, file("whatsapp/session.db", "k")),
		"no database in it":    archiveOf(t, manifestOf(db), db),
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newSet(t)
			fillHome(t, s, 3)
			path := filepath.Join(t.TempDir(), "familiar-20260105T090000.000Z-v1-asked.tar.zst")
			writeFile(t, path, string(data))
			b, err := s.Find(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Restore(t.Context(), b, RestoreOptions{})
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want an error that names the file", err)
			}
			if name != "newer format" && name != "no database in it" && !errors.Is(err, ErrInvalid) {
				t.Errorf("got %v, want ErrInvalid", err)
			}
			if got := stored(t, s); len(got) != 3 {
				t.Errorf("%d messages are left of 3", len(got))
			}
			if found, _ := filepath.Glob(filepath.Join(string(s.Home), "familiar.replaced-*")); len(found) > 0 {
				t.Errorf("moved aside: %v", found)
			}
		})
	}
}

// TestEveryDamageIsFound cuts an archive at many places and flips bits in it. Verify must find each, but for a bit that changes nothing
// of what is unpacked: zeros that are copied from elsewhere are the same zeros.
func TestEveryDamageIsFound(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 20)
	b, _ := create(t, s)
	data, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		bad := bytes.Clone(data)
		if at := rng.IntN(len(bad)); rng.IntN(2) == 0 {
			bad = bad[:at]
		} else {
			bad[at] ^= 1 << rng.IntN(8)
		}
		writeFile(t, b.Path, string(bad))
		_, err := s.Verify(b)
		if err == nil && bytes.Equal(unpack(t, bad), unpack(t, data)) {
			continue
		}
		if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNewer) {
			t.Fatalf("got %v", err)
		}
	}
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	plain, err := d.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// FuzzArchive reads any bytes as an archive: never a panic, and nothing that the manifest does not name.
func FuzzArchive(f *testing.F) {
	db := file(databaseName, "pages")
	f.Add(archiveOf(f, manifestOf(db), db))
	f.Add(archiveOf(f, manifestOf(db, file("../x", "y")), db, file("../x", "y")))
	f.Add(pack(f, db))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := openArchive(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		defer a.close()
		if a.Size() > minHeld+int64(len(data))*maxRatio {
			t.Fatalf("%d bytes may hold %d", len(data), a.Size())
		}
		dir := t.TempDir()
		if err := a.extract(filepath.Join(dir, "in")); err == nil {
			for _, m := range a.Members {
				if size, sum, err := hashFile(filepath.Join(dir, "in", m.Name)); err != nil || size != m.Size || sum != m.SHA256 {
					t.Errorf("%s: %d bytes, %s, %v", m.Name, size, sum, err)
				}
			}
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 1 {
			t.Errorf("written outside: %v, %v", entries, err)
		}
	})
}

// FuzzManifest reads any text as a manifest.
func FuzzManifest(f *testing.F) {
	text, err := json.Marshal(manifestOf(file(databaseName, "pages")))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data, 1000)
		if err != nil {
			return
		}
		for _, member := range m.Members {
			if !filepath.IsLocal(member.Name) || member.Size < 0 {
				t.Errorf("took %+v", member)
			}
		}
	})
}
