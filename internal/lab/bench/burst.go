package bench

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/channels/telegram"
	"familiar/channels/telegram/telegramtest"
	"familiar/memory"

	"familiar/persona"
)

// BurstReport is what `bench burst` prints.
type BurstReport struct {
	Messages int `json:"messages"`
	Rooms    int `json:"rooms"`
	// Alike holds the bursts in which all rooms are alike. BesideSlow holds those with one room in which every send
	// takes SlowSeconds.
	Alike       BurstPass `json:"alike"`
	BesideSlow  BurstPass `json:"beside_slow"`
	SlowSeconds float64   `json:"slow_seconds"`
	// AcceptRatio and AnswerRatio divide the 99th percentiles of BesideSlow by those of Alike.
	AcceptRatio float64 `json:"accept_p99_ratio"`
	AnswerRatio float64 `json:"answer_p99_ratio"`
}

// BurstPass is the result of one burst, or of several combined. Times and rate cover all rooms except the first, which
// may be the slow one. Counts such as Lost cover every room.
type BurstPass struct {
	// AcceptMS is the time from the arrival of the network's poll response, with up to 100 messages in it, until each
	// message is committed to disk. It excludes the time a message waits on the network before it is polled.
	// HeardSeconds includes that wait: it is the time until the last message is on disk.
	AcceptMS     Quantiles3 `json:"accept_ms"`
	HeardSeconds float64    `json:"heard_seconds"`
	// AnswerMS is the time from the same moment until the network accepts the answer.
	AnswerMS Quantiles3 `json:"answer_ms"`
	// MessagesPerSec is the rate of answered messages, from the first poll to the last answer.
	MessagesPerSec float64 `json:"messages_per_s"`
	RSSMB          float64 `json:"rss_mb"`
	// Answers is the number of answers sent. Messages that arrive while an earlier one is being answered share one
	// answer.
	Answers int `json:"answers"`
	// Lost counts messages that no answer covers, Doubled those that two answers cover, and Disordered those answered
	// after a later message of the same room.
	Lost       int `json:"lost"`
	Doubled    int `json:"doubled"`
	Disordered int `json:"disordered"`

	accepts, answers []time.Duration
}

// and combines two bursts: it merges their times, adds their counts and takes the longer or larger of the other
// figures.
func (p BurstPass) and(q BurstPass) BurstPass {
	both := BurstPass{
		HeardSeconds: max(p.HeardSeconds, q.HeardSeconds), MessagesPerSec: min(p.MessagesPerSec, q.MessagesPerSec), RSSMB: max(p.RSSMB, q.RSSMB),
		Answers: p.Answers + q.Answers, Lost: p.Lost + q.Lost, Doubled: p.Doubled + q.Doubled, Disordered: p.Disordered + q.Disordered,
		accepts: slices.Concat(p.accepts, q.accepts), answers: slices.Concat(p.answers, q.answers),
	}
	both.AcceptMS, both.AnswerMS = quantiles(both.accepts), quantiles(both.answers)
	return both
}

const (
	// slowSend is the time that one send takes in the slow room.
	slowSend = 2 * time.Second
	// burstConnections is the number of connections kept open to the server, about as many as the requests that one
	// connection to the network carries at once.
	burstConnections = 250
	// The bot, its token and its chat ids are made up.
	burstBot   = 7000
	burstToken = "7000:burst"
	firstChat  = 100_000
)

// Burst lets people in many rooms write at once over the Telegram adapter and a local server. Each person writes the
// given number of messages without waiting for an answer, and all of them wait on the server when the first poll
// arrives. Burst makes four passes, the second and the third with a slow room, so that drift in the machine's speed
// affects both kinds equally. The adapter applies no send limits because the server has none. Each store lives in its
// own directory, which is removed afterwards.
func Burst(ctx context.Context, parts RecallParts, rooms, messages int) (BurstReport, error) {
	if messages < 1 || rooms < 2 {
		return BurstReport{}, fmt.Errorf("bench burst: %d messages in each of %d rooms: take at least 1 in 2", messages, rooms)
	}
	r := BurstReport{Messages: rooms * messages, Rooms: rooms, SlowSeconds: slowSend.Seconds()}
	var passes []BurstPass
	for _, slow := range []time.Duration{0, slowSend, slowSend, 0} {
		pass, err := burst(ctx, parts, rooms, messages, slow)
		if err != nil {
			return BurstReport{}, err
		}
		passes = append(passes, pass)
	}
	r.Alike, r.BesideSlow = passes[0].and(passes[3]), passes[1].and(passes[2])
	r.AcceptRatio = r.BesideSlow.AcceptMS.P99 / r.Alike.AcceptMS.P99
	r.AnswerRatio = r.BesideSlow.AnswerMS.P99 / r.Alike.AnswerMS.P99
	return r, nil
}

// burst runs one pass. Each send in the first room takes slow.
func burst(ctx context.Context, parts RecallParts, rooms, messages int, slow time.Duration) (pass BurstPass, err error) {
	parts.Voice, parts.Settings.Quiet = counting{parts.Voice}, 0
	server := telegramtest.Start(telegramtest.Options{
		Token: burstToken, Bot: telegramtest.Bot{ID: burstBot, Username: "burst_bot"}, Now: time.Now,
	})
	defer server.Close()
	if slow > 0 {
		server.AddFault(telegramtest.Fault{
			Method: "sendMessage", Chat: chatOf(0), Times: rooms * messages, Point: telegramtest.Delays, Delay: slow,
		})
	}
	say(server, rooms, messages)
	wire := newWire(&http.Transport{MaxIdleConnsPerHost: burstConnections}, rooms, messages)
	err = withStore(ctx, func(store *memory.Store) error {
		bot := telegram.New(telegram.Options{
			Token: burstToken, Endpoint: server.URL, HTTP: &http.Client{Transport: wire}, Pace: telegram.Unlimited,
			Host: channels.Host{
				Report: func(channels.State) {}, Store: store.Log.KeyValue("telegram"), Now: time.Now, Jitter: still,
				Rooms: func(ctx context.Context) ([]channels.Room, error) { return store.Log.RoomsOn(ctx, "telegram") },
			},
		})
		engine := engineOn(parts, store, bot)
		accept := wire.around(guard(store, engine).Around(engine.Accept))
		started := time.Now()
		err := meanwhile(ctx, func(ctx context.Context) error {
			if err := wire.wait(ctx); err != nil {
				return err
			}
			return engine.Drain(ctx)
		}, engine.Run, func(ctx context.Context) error { return bot.Run(ctx, accept) })
		pass = measure(wire, server, started)
		return err
	})
	return pass, err
}

// guard returns the gate of a bot whose operator has approved everybody. The gate still looks each person up.
func guard(store *memory.Store, engine *persona.Engine) *gate.Gate {
	return &gate.Gate{
		Policies: map[string]gate.Policy{"telegram": {Direct: gate.Pairing}},
		Lookup: gate.Lookup{Approved: func(ctx context.Context, h channels.Handle) (bool, error) {
			_, err := store.Log.IsAllowed(ctx, h)
			return err == nil, err
		}},
		Now: time.Now, Zone: time.UTC, NoReply: engine.NoReply, Log: slog.New(slog.DiscardHandler),
	}
}

// measure compares the messages polled from the network with the answers that the network accepted.
func measure(w *wire, server *telegramtest.Server, started time.Time) BurstPass {
	pass := BurstPass{HeardSeconds: w.last.Sub(started).Seconds(), RSSMB: residentMB()}
	ended := started
	for room, heard := range w.heard {
		l := read(server.Sent(chatOf(room)), len(heard))
		pass.Answers += l.answers
		pass.Lost, pass.Doubled, pass.Disordered = pass.Lost+l.lost, pass.Doubled+l.doubled, pass.Disordered+l.disordered
		if room == 0 {
			continue
		}
		for n, at := range heard {
			if at.IsZero() || l.answered[n].IsZero() {
				continue
			}
			pass.accepts = append(pass.accepts, w.kept[room][n].Sub(at))
			pass.answers = append(pass.answers, l.answered[n].Sub(at))
			if l.answered[n].After(ended) {
				ended = l.answered[n]
			}
		}
	}
	pass.MessagesPerSec = float64(len(pass.answers)) / ended.Sub(started).Seconds()
	pass.AcceptMS, pass.AnswerMS = quantiles(pass.accepts), quantiles(pass.answers)
	return pass
}
