package doctor

import (
	"context"
	"fmt"
	"time"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/model"
)

const (
	// clockApart is how far the clocks of this machine and of a server may be apart, and clockWrong is when their times no longer
	// fit together: what one process stored is in the future of another.
	clockApart = 2 * time.Second
	clockWrong = fleet.MaxSkew
)

// checkDatabase looks at the server that holds the memory.
func checkDatabase(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	err := onStore(ctx, inv, func(_ *config.Config, store *memory.Store) error {
		server, err := store.Hosting.Server(ctx)
		switch {
		case err != nil:
			return err
		case server == nil:
			found = []Finding{{"database", stateOK, "a file of the home", ""}}
		default:
			found = serverFindings(*server)
		}
		return nil
	})
	return found, err
}

// serverFindings judges a server.
func serverFindings(s model.DatabaseServer) (found []Finding) {
	add := func(state, text, next string) { found = append(found, Finding{"database", state, text, next}) }
	if !s.Supported {
		add(stateProblem, "PostgreSQL "+s.Version+" is too old", "upgrade the server to version 15 or newer")
	}
	if apart := s.Ahead.Abs(); apart > clockApart {
		state, side := stateWarning, "ahead of"
		if apart > clockWrong {
			state = stateProblem
		}
		if s.Ahead < 0 {
			side = "behind"
		}
		add(state, fmt.Sprintf("the server's clock is %v %s this machine's", apart.Round(100*time.Millisecond), side),
			"set the clock of both machines, and keep them set with NTP (timedatectl set-ntp true)")
	}
	for _, setting := range s.Unsafe {
		add(stateWarning, setting+" is off: a crash of the server may lose what was acknowledged", "set "+setting+" = on on the server")
	}
	if s.Free < s.Needed {
		add(stateWarning, fmt.Sprintf("the server has room for %d more connections, and a process that serves opens up to %d", max(0, s.Free), s.Needed),
			"raise max_connections on the server or the limit of the user, close other programs' connections, or lower database.connections")
	}
	if len(found) == 0 {
		add(stateOK, fmt.Sprintf("PostgreSQL %s answers in %.1f ms, the tables take %s, %d connections are free", s.Version,
			float64(s.Latency.Microseconds())/1000, cli.FileSize(s.Bytes), s.Free), "")
	}
	return found
}
