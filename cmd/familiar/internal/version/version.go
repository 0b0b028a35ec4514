// Package version has `familiar version`, and tells how this program was built.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
)

// build describes how this program was built.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// NewVersion returns the verb `familiar version`.
func NewVersion(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version and build information", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return cli.RenderOne(inv, Describe(Info()))
		},
	}
}

// Info returns what the toolchain recorded in this program, nothing if it recorded nothing.
func Info() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

// version is the version of a release, which `make release` sets by this name; other builds have what the toolchain recorded.
var version string

// Describe tells how a program with this build information was built.
func Describe(info *debug.BuildInfo) build {
	b := build{Version: cmp.Or(version, info.Main.Version), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if b.Version == "" {
		b.Version = "unknown"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
