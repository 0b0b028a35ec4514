package recall

import "familiar/internal/machine"

// The default of how much memory the indexes of all scopes take together: a share of what the machine has, within
// bounds. 512 MB hold some two million memories in one scope, or two thousand scopes of a thousand.
const (
	budgetShare   = 16
	minBudget     = 64 << 20
	maxBudget     = 512 << 20
	unknownBudget = 192 << 20 // if the machine's memory is unknown
	// vocabularyShare is the part of the budget, as a divisor, that a vocabulary may take.
	vocabularyShare = 4
)

// DefaultIndexBudget returns how many bytes the indexes take together unless the operator says otherwise: a sixteenth of
// the machine's memory, from 64 to 512 MB.
func DefaultIndexBudget() int64 { return budgetFor(machine.Memory()) }

// budgetFor returns the default on a machine with that much memory, 0 for unknown.
func budgetFor(machine int64) int64 {
	if machine == 0 {
		return unknownBudget
	}
	return min(max(machine/budgetShare, minBudget), maxBudget)
}
