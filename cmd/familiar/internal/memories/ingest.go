package memories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/transfer"
)

// ingestResult is what was done with one document.
type ingestResult struct {
	Document string `json:"document"`
	Passages int    `json:"passages"`
	Added    int    `json:"added"`
	Replaced int    `json:"replaced"`
	Dropped  int    `json:"dropped"`
}

func newMemoryIngest(inv *cli.Invocation) *cobra.Command {
	var name, audience string
	var tags []string
	cmd := &cobra.Command{
		Use: "ingest FILE…", Short: "Add the contents of documents",
		Long: "Add the contents of Markdown (.md) or plain text (.txt) documents, one memory per passage. Recall shows each passage with\n" +
			"its file and headings. Ingesting a file again under the same name adds only the changed passages; their old versions\n" +
			"are kept but no longer recalled.",
		Example: "  familiar memory ingest handbook.md --tag office\n" +
			"  familiar memory ingest --audience person:Ann notes.txt\n" +
			"  familiar memory ingest --audience 'room:book club' rules.md --name rules",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if name != "" && len(files) > 1 {
				return cli.Usage(cmd, errors.New("--name works with one file only"))
			}
			documents := make([]transfer.Document, len(files))
			for i, file := range files {
				var err error
				if documents[i], err = readDocument(file); err != nil {
					return err
				}
				if name != "" {
					documents[i].Name = name
				}
				documents[i].Tags = tags
			}
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				hears, err := parseAudience(cmd, store, cfg.Persona, audience)
				if err != nil {
					return err
				}
				for i := range documents {
					documents[i].Persona, documents[i].Audience = cfg.Persona, hears
				}
				return ingest(cmd.Context(), inv, store, documents)
			})
		},
	}
	cmd.Flags().StringVar(&audience, "audience", "world", "where it may be used: world, person:NAME or room:`TITLE`")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "a `TAG` for the passages; may be repeated")
	cmd.Flags().StringVar(&name, "name", "", "the document's name (default: the file's path relative to this directory)")
	return cmd
}

// ingest stores documents one after the other and shows the results. A document that fails does not undo the ones
// before it.
func ingest(ctx context.Context, inv *cli.Invocation, store *memory.Store, documents []transfer.Document) error {
	var rows []ingestResult
	var failed error
	for _, d := range documents {
		done, err := store.Transfer.Ingest(ctx, d)
		if err != nil {
			failed = err
			break
		}
		rows = append(rows, ingestResult{d.Name, done.Passages, done.Added, done.Replaced, done.Dropped})
	}
	if failed != nil && len(rows) == 0 {
		return failed
	}
	return errors.Join(cli.Render(inv, rows), failed)
}

// maxDocument is the maximum size of a document in bytes. Longer files were not written for reading.
const maxDocument = 16 << 20

// readDocument reads a file as a document; the extension decides its format. The document's name is the file's relative
// path, or its base name: the persona must not repeat where on this machine a file is stored.
func readDocument(path string) (transfer.Document, error) {
	d := transfer.Document{Name: filepath.ToSlash(filepath.Clean(path))}
	if !filepath.IsLocal(path) {
		d.Name = filepath.Base(path)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		d.Markdown = true
	case ".txt", ".text":
	default:
		return d, fmt.Errorf("ingest %s: only Markdown (.md) and plain text (.txt) are supported: convert it first", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return d, fmt.Errorf("ingest: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return d, fmt.Errorf("ingest %s: %w", path, err)
	}
	if len(text) > maxDocument {
		return d, fmt.Errorf("ingest %s: the file is larger than %d MiB: split it", path, maxDocument>>20)
	}
	d.Text = string(text)
	return d, nil
}

// parseAudience parses an audience: world, person:NAME or room:TITLE.
func parseAudience(cmd *cobra.Command, store *memory.Store, persona, word string) (model.Audience, error) {
	kind, name, _ := strings.Cut(word, ":")
	switch {
	case word == string(model.World):
		return model.Audience{Kind: model.World}, nil
	case kind == "person" && name != "":
		person, err := find.Person(cmd.Context(), store, persona, name)
		return model.Audience{Kind: model.Private, Ref: person.ID}, err
	case kind == "room" && name != "":
		room, err := find.Group(cmd.Context(), store, name)
		return model.Audience{Kind: model.InRoom, Ref: room.ID}, err
	}
	return model.Audience{}, cli.Usage(cmd, fmt.Errorf("%q is not an audience: use world, person:NAME or room:TITLE", word))
}
