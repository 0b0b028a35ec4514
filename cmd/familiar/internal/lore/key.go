package lore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/signedlore"
)

const (
	// defaultName is what a key is called unless its owner names it.
	defaultName = "familiar"
	// maxKeyFile is how large the file with the private key may be, in bytes.
	maxKeyFile = 4 << 10
)

// keyRow is a public key.
type keyRow struct {
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"`
}

func newKey(inv *cli.Invocation) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "key", Short: "Show the public key by which others know your lore, and make it on first use", Args: cobra.NoArgs,
		Long: "Show the public key by which others know your lore, and its fingerprint, to compare over the telephone. The private key is\n" +
			"made on first use. It is in lore.key in the home, which only you can read, and in no backup: keep a copy elsewhere if you\n" +
			"need it after a loss. Without it you sign with a new key, which others have to trust again.",
		Example: "  familiar lore key --name ann",
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			s, err := ownKey(inv, home, name)
			if err != nil {
				return err
			}
			if name != "" && s.Public().Name() != name {
				return fmt.Errorf("the key of this home is called %s: move %s away to make another", s.Public().Name(), home.LoreKey())
			}
			key := s.Public()
			return cli.RenderDone(inv, keyRow{key.String(), key.Fingerprint()}, "%s\nFingerprint: %s", key, key.Fingerprint())
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the `NAME` that a new key has (default: "+defaultName+")")
	return cmd
}

// ownKey returns the private key of the home, and makes it if there is none.
func ownKey(inv *cli.Invocation, home config.Home, name string) (*signedlore.Secret, error) {
	s, err := readKey(home.LoreKey())
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if name == "" {
		name = defaultName
	}
	text, err := signedlore.GenerateSecret(name)
	if err != nil {
		return nil, err
	}
	if err := home.Create(); err != nil {
		return nil, err
	}
	if err := plainfile.WriteNew(home.LoreKey(), []byte(text+"\n")); err != nil {
		return nil, err
	}
	inv.Note("made a key in %s: only you can read it, and no backup holds it", home.LoreKey())
	return readKey(home.LoreKey())
}

// readKey reads a private key that nobody else can read.
func readKey(path string) (*signedlore.Secret, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others can read the private key %s: take it from them with `chmod 600 %[1]s`, or move it away to make another", path)
	}
	data, err := plainfile.Read(path, maxKeyFile)
	if err != nil {
		return nil, err
	}
	s, err := signedlore.ParseSecret(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: move it away to make another", path, err)
	}
	return s, nil
}
