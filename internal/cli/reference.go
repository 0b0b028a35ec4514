package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Reference renders the help of every command below root as one Markdown page, with intro below the heading.
func Reference(root *cobra.Command, intro string) string {
	var page strings.Builder
	fmt.Fprintf(&page, "# Commands of %s\n\n%s\n\n| command | purpose |\n|---|---|\n", root.Name(), intro)
	verbs := documented(root)
	for _, verb := range verbs {
		fmt.Fprintf(&page, "| [`%s`](#%s) | %s |\n", verb.CommandPath(), anchor(verb), cellText(verb.Short))
	}
	fmt.Fprintf(&page, "\n## %s\n\n%s\n", root.Name(), markdown(root.Long))
	writeFlags(&page, "Global flags:", root.PersistentFlags().FlagUsages())
	for _, verb := range verbs {
		writeVerb(&page, verb)
	}
	return strings.TrimRight(page.String(), "\n") + "\n"
}

// documented returns the commands below cmd that users call, groups before their members.
func documented(cmd *cobra.Command) (verbs []*cobra.Command) {
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() && child.Name() != "help" && child.Name() != "completion" {
			verbs = append(append(verbs, child), documented(child)...)
		}
	}
	return verbs
}

func writeVerb(page *strings.Builder, verb *cobra.Command) {
	fmt.Fprintf(page, "\n## %s\n\n", verb.CommandPath())
	long := verb.Long
	if long == "" {
		long = verb.Short + "."
	}
	fmt.Fprintf(page, "%s\n", markdown(long))
	if !verb.HasSubCommands() {
		fmt.Fprintf(page, "\n    %s\n", verb.UseLine())
	}
	writeFlags(page, "Flags:", verb.NonInheritedFlags().FlagUsages())
	if verb.Example != "" {
		fmt.Fprintf(page, "\nExamples:\n\n%s\n", indent(verb.Example))
	}
}

func writeFlags(page *strings.Builder, title, usages string) {
	if usages != "" {
		fmt.Fprintf(page, "\n%s\n\n%s\n", title, indent(strings.TrimRight(usages, "\n")))
	}
}

// markdown converts help text to Markdown: indented lines become code blocks.
func markdown(text string) string {
	var out []string
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		if indented && !code && len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, "")
		}
		if code = indented; code {
			line = "    " + strings.TrimPrefix(line, "  ")
		} else {
			line = escape(line)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// indent makes text a code block.
func indent(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("    "+strings.TrimPrefix(line, "  "), " ")
	}
	return strings.Join(lines, "\n")
}

// escape escapes characters that help uses literally and Markdown interprets.
func escape(line string) string { return strings.NewReplacer("<", `\<`, "*", `\*`).Replace(line) }

// cellText escapes text for a table cell.
func cellText(text string) string { return strings.ReplaceAll(escape(text), "|", `\|`) }

// anchor returns the Markdown anchor of a command's heading.
func anchor(verb *cobra.Command) string { return strings.ReplaceAll(verb.CommandPath(), " ", "-") }
