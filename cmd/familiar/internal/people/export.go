package people

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/memory"
	"familiar/memory/transfer"
)

// writtenFile is a file that was written.
type writtenFile struct {
	File  string `json:"file"`
	Bytes int    `json:"bytes"`
}

func newPersonExport(inv *cli.Invocation) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use: "export NAME|NUMBER --to DIR|FILE.zip", Short: "Export everything known of a person, to read and as JSON",
		Long: "Export everything known of a person: index.html to read, data.jsonl with all details (format: docs/export.md), and the files\n" +
			"they sent that are kept, in a new directory or a new ZIP file that only its owner can read. It holds nothing of others\n" +
			"beyond what was said to them.",
		Example: "  familiar person export Ann --to ann.zip",
		Args:    cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			if to == "" {
				return cli.Usage(cmd, errors.New("name a directory or a ZIP file with --to"))
			}
			p, err := find.Person(cmd.Context(), store, cfg.Persona, args[0])
			if err != nil {
				return err
			}
			files, err := store.Transfer.PersonArchive(cmd.Context(), p.ID, cfg.Timezone.Location)
			if err != nil {
				return err
			}
			sent, _, err := store.Transfer.PersonFiles(cmd.Context(), p.ID, math.MaxInt64)
			if err != nil {
				return err
			}
			files = append(files, sent...)
			if strings.EqualFold(filepath.Ext(to), ".zip") {
				content, err := transfer.Zip(files, inv.Now())
				if err != nil {
					return err
				}
				files = []transfer.File{{Name: filepath.Base(to), Content: content}}
				return writeFiles(inv, filepath.Dir(to), files)
			}
			if err := os.Mkdir(to, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("export to %s: %w", to, err)
			}
			return writeFiles(inv, to, files)
		}),
	}
	cmd.Flags().StringVar(&to, "to", "", "the directory, or the ZIP file, to write")
	return cmd
}

// writeFiles writes new files of mode 0600 into a directory. None of them may exist.
func writeFiles(inv *cli.Invocation, dir string, files []transfer.File) error {
	for _, f := range files {
		if path := filepath.Join(dir, f.Name); exists(path) {
			return fmt.Errorf("export to %s: the file already exists: name another", path)
		}
	}
	var rows []writtenFile
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := plainfile.WriteNew(path, f.Content); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		rows = append(rows, writtenFile{path, len(f.Content)})
	}
	return cli.Render(inv, rows)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
