package backup

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"familiar/channels/all"
)

// ErrInvalid reports a file that is no backup, or a damaged one.
var ErrInvalid = errors.New("damaged or not a backup of familiar")

// ErrNewer reports a backup in a format of a newer familiar.
var ErrNewer = errors.New("made by a newer familiar")

// formatVersion is the format of the archives that this program writes.
const formatVersion = 1

// The limits of an archive that is read.
const (
	maxManifest = 4 << 20
	maxMembers  = 10_000
	// maxRatio is how many bytes an archive may hold per byte of the file, beside minHeld. Databases compress to a tenth or a
	// fiftieth; what holds more was made to fill the disk.
	maxRatio = 300
	minHeld  = 64 << 20
)

// Reason is why a backup was made.
type Reason string

// The reasons.
const (
	// Asked is a backup that the operator asked for.
	Asked Reason = "asked"
	// Scheduled is a backup of the job.
	Scheduled Reason = "scheduled"
	// Upgrade is a backup before an upgrade of the database.
	Upgrade Reason = "upgrade"
)

// Manifest describes a backup. It is the first member of the archive.
type Manifest struct {
	Format int `json:"format"`
	// Schema is the version of the database's tables.
	Schema int       `json:"schema"`
	Made   time.Time `json:"made"`
	Reason Reason    `json:"reason"`
	// Home is the id of the home it was made of.
	Home string `json:"home"`
	// Erased is when the last of what is erased in the backup was erased, zero if nothing is.
	Erased time.Time `json:"erased"`
	// Credentials reports that the archive holds keys with which somebody could act as the persona.
	Credentials bool `json:"credentials"`
	// Rows counts the rows of each table of the database.
	Rows    map[string]int64 `json:"rows"`
	Members []Member         `json:"members"`
}

// Member is one file of a backup.
type Member struct {
	// Name is its path in the home, with slashes.
	Name string `json:"name"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// SHA256 is in hexadecimal.
	SHA256 string `json:"sha256"`
	// Credentials reports that somebody could act as the persona with it.
	Credentials bool `json:"credentials,omitempty"`
}

// Size is the size of all members in bytes.
func (m Manifest) Size() (total int64) {
	for _, member := range m.Members {
		total += member.Size
	}
	return total
}

// The members of a backup. The names are those of config.Home and of the channels.
const (
	manifestName = "manifest.json"
	databaseName = "familiar.db"
	configName   = "familiar.yaml"
	personasDir  = "personas"
)

// isMember reports whether a backup may hold a file of that name.
func isMember(name string) bool {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return false
	}
	switch name {
	case databaseName, configName:
		return true
	}
	return strings.HasPrefix(name, personasDir+"/") || isCredential(name)
}

// isCredential reports whether a member is one with which somebody could act as the persona.
func isCredential(name string) bool {
	return slices.ContainsFunc(keys(), func(key string) bool { return name == key || strings.HasPrefix(name, key+"/") })
}

// keys returns the files and directories of the home that hold the keys of accounts.
func keys() (names []string) {
	for _, channel := range all.Channels {
		names = append(names, channel.Keys...)
	}
	return names
}

// parseManifest reads a manifest and checks everything in it. fileSize is the size of the archive in bytes, which limits
// what it may claim to hold.
func parseManifest(data []byte, fileSize int64) (m Manifest, err error) {
	// The format is read first: a newer one may have other fields.
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return m, fmt.Errorf("%w: its manifest: %w", ErrInvalid, err)
	}
	if head.Format > formatVersion {
		return m, fmt.Errorf("%w (format %d, this one knows %d): upgrade familiar", ErrNewer, head.Format, formatVersion)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return m, fmt.Errorf("%w: its manifest: %w", ErrInvalid, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return m, fmt.Errorf("%w: something follows its manifest", ErrInvalid)
	}
	return m, m.check(fileSize)
}

func (m Manifest) check(fileSize int64) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...)
	}
	if m.Format != formatVersion || m.Schema < 1 {
		return wrong("its manifest has format %d and schema %d", m.Format, m.Schema)
	}
	if m.Home != "" && !isID(m.Home) {
		return wrong("its manifest names no home")
	}
	if len(m.Members) == 0 || len(m.Members) > maxMembers || m.Members[0].Name != databaseName {
		return wrong("it must hold %s and at most %d files", databaseName, maxMembers)
	}
	seen, left := map[string]bool{}, minHeld+fileSize*maxRatio
	for _, member := range m.Members {
		sum, err := hex.DecodeString(member.SHA256)
		switch {
		case !isMember(member.Name) || seen[member.Name]:
			return wrong("it holds a file %q, which does not belong into a home", member.Name)
		case err != nil || len(sum) != 32:
			return wrong("the checksum of %s cannot be read", member.Name)
		case member.Size < 0 || member.Size > left:
			return wrong("%s claims %d bytes, too many for a file of %d", member.Name, member.Size, fileSize)
		case member.Credentials != isCredential(member.Name):
			return wrong("%s is not marked as it should be", member.Name)
		}
		seen[member.Name] = true
		left -= member.Size
	}
	return nil
}
