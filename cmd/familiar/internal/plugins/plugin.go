// Package plugins has the verb `familiar plugin`, which writes what other programs need to use the memory.
package plugins

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/channels/console"
	"familiar/internal/cli"
	"familiar/persona/card"
)

// NewPlugin returns the verb `familiar plugin`.
func NewPlugin(inv *cli.Invocation) *cobra.Command {
	return cli.Group("plugin", "Write a plugin by which another program uses the memory",
		"Write a plugin by which another program uses the memory of this home.", newClaudeCode(inv))
}

// claudeCode has the files of the plugin that are the same everywhere.
//
//go:embed claude-code
var claudeCode embed.FS

// options are the flags of the verb.
type options struct {
	dir, as, persona string
	force            bool
}

func newClaudeCode(inv *cli.Invocation) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "claude-code DIR", Short: "Write a plugin for Claude Code",
		Long: "Write a plugin for Claude Code into a directory. It captures sessions while they go on (`familiar capture --hook`), lets the\n" +
			"assistant search the memory and store what it is asked to (`familiar mcp`), and adds the commands /familiar:recall and\n" +
			"/familiar:remember. The plugin names this program and this home by their paths: write it again after one has moved.\n" +
			"Files that differ from what would be written are not replaced, except with --force.",
		Example: "  familiar plugin claude-code ~/familiar-plugin --as Ann\n  claude --plugin-dir ~/familiar-plugin",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.dir = args[0]
			return writePlugin(inv, o)
		},
	}
	cmd.Flags().StringVar(&o.as, "as", "", "the `PERSON` who talks with Claude Code: a name, number or account (default: you)")
	cli.PersonaFlag(cmd, inv, &o.persona, "the `KEY` of the persona that remembers (default: the configured one)")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace files that differ")
	return cmd
}

// writtenRow is one file of the plugin.
type writtenRow struct {
	File  string `json:"file"`
	State string `json:"state"`
}

// writePlugin writes the plugin and shows its files.
func writePlugin(inv *cli.Invocation, o options) error {
	files, err := pluginFiles(inv, o)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return fmt.Errorf("create the directory of the plugin: %w", err)
	}
	root, err := os.OpenRoot(o.dir)
	if err != nil {
		return fmt.Errorf("open the directory of the plugin: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written to it
	states, err := compare(root, files)
	if err != nil {
		return err
	}
	var differ []string
	for name, state := range states {
		if state == replaced {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 && !o.force {
		slices.Sort(differ)
		return fmt.Errorf("%s has other files: %s; choose an empty directory, or replace them with --force", o.dir, strings.Join(differ, ", "))
	}
	var rows []writtenRow
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if states[name] != unchanged {
			if err := write(root, name, files[name]); err != nil {
				return err
			}
		}
		rows = append(rows, writtenRow{filepath.Join(o.dir, filepath.FromSlash(name)), states[name]})
	}
	inv.Note("start Claude Code with it: claude --plugin-dir %s", o.dir)
	return cli.Render(inv, rows)
}

// The states of a file.
const (
	written   = "written"
	unchanged = "unchanged"
	replaced  = "replaced"
)

// compare returns what writing each file means. Nothing is written.
func compare(root *os.Root, files map[string][]byte) (map[string]string, error) {
	states := map[string]string{}
	for name, text := range files {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			states[name] = written
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look at what is in the directory of the plugin: %w", err)
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file: move it away", filepath.Join(root.Name(), name))
		}
		states[name] = replaced
		if info.Size() != int64(len(text)) {
			continue
		}
		if before, err := root.ReadFile(name); err == nil && bytes.Equal(before, text) {
			states[name] = unchanged
		}
	}
	return states, nil
}

// write writes one file.
func write(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return fmt.Errorf("create a directory of the plugin: %w", err)
	}
	if err := root.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("write a file of the plugin: %w", err)
	}
	return nil
}

// pluginFiles returns the files of the plugin by their slash-separated names.
func pluginFiles(inv *cli.Invocation, o options) (map[string][]byte, error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, err
	}
	key := cmp.Or(o.persona, cfg.Persona)
	if _, err := card.LoadCard(cfg.Home.Personas(), key); err != nil {
		return nil, err
	}
	home, err := filepath.Abs(string(cfg.Home))
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the path of this program: %w", err)
	}
	as := cmp.Or(strings.TrimSpace(o.as), console.DefaultName)
	files, err := sameFiles()
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]any{
		".claude-plugin/plugin.json": manifest{
			Name: "familiar", Version: "1.0.0", Description: "A memory of what you said, across sessions and programs",
			Author: author{Name: "Familiar"}, Keywords: []string{"memory"},
		},
		".mcp.json": map[string]any{"mcpServers": map[string]any{"memory": server{
			Command: program, Args: []string{"mcp", "--home", home, "--persona", key, "--as", as, "--client", "claude-code"},
		}}},
		"hooks/hooks.json": hooksFile([]string{program, "capture", "--hook", "--home", home, "--persona", key, "--as", as}),
	} {
		text, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return nil, err
		}
		files[name] = append(text, '\n')
	}
	return files, nil
}

// sameFiles returns the files that are the same everywhere.
func sameFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	const dir = "claude-code"
	err := fs.WalkDir(claudeCode, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[strings.TrimPrefix(name, dir+"/")], err = claudeCode.ReadFile(name)
		return err
	})
	return files, err
}
