package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Reading is the present state of what is served.
type Reading struct {
	// Channels has one entry for each channel that is served or has something waiting.
	Channels []Channel
	Jobs     []Job
	// Database counts what this process did on the database. It is known even if the rest cannot be read.
	Database Database
	// Fleet is nil for a memory in a file.
	Fleet *Fleet
	// DatabaseBytes and LogBytes are the sizes of the database and of its write-ahead log.
	DatabaseBytes, LogBytes int64
}

// Database counts reads and writes.
type Database struct {
	// Readers is how many reads may run at a time, Reading how many run now, Waiting how many wait for them.
	Readers, Reading, Waiting int
	// ReadWaits counts the reads that waited, ReadWait is how long. WriteWait is how long transactions that write waited to begin.
	ReadWaits           int64
	ReadWait, WriteWait time.Duration
	// Commits counts transactions that wrote, Writes what was written in them, Repeats what ran again after a lost connection.
	Commits, Writes, Repeats int64
	// ServerWaits counts how often a connection waited for the server, Unasked the queries that were sent to it in vain.
	ServerWaits, Unasked int64
}

// Channel is the state of a channel.
type Channel struct {
	Name string
	// Phase is the state of its connection, "" if it is not served.
	Phase string
	// Waiting counts the messages that wait for an answer, Unanswered those that were given up; Unsent counts the replies that
	// wait to be sent, Dead the dead letters.
	Waiting, Unanswered, Unsent, Dead int
	// Oldest is how long the first of Waiting has been waiting.
	Oldest time.Duration
}

// Fleet is the process among those that share a memory on a server.
type Fleet struct {
	// Processes counts those that answer, this one included. Leases is how many rooms, connections and jobs are this one's own.
	Processes, Leases int
	// Skew is how far the clock is ahead of that of the server.
	Skew time.Duration
}

// Job is the last run of a job.
type Job struct {
	Name string
	// Ended is zero while the run is active.
	Started, Ended time.Time
	Failed         bool
}

// Source reads the present state.
type Source func(ctx context.Context) (Reading, error)

// readTimeout bounds one reading: a scrape must not wait for a busy store longer than Prometheus does.
const readTimeout = 5 * time.Second

// readings is a collector of gauges that are read when they are asked for, so that nobody pays for them otherwise.
type readings struct{ source Source }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("familiar_"+name, help, labels, nil)
}

var (
	inboxWaiting    = describe("inbox_waiting", "Messages that wait for an answer.", "channel")
	inboxOldest     = describe("inbox_oldest_seconds", "How long the first message that waits for an answer has been waiting.", "channel")
	inboxUnanswered = describe("inbox_unanswered", "Messages that were given up (familiar inbox list).", "channel")
	outboxWaiting   = describe("outbox_waiting", "Replies that wait to be sent.", "channel")
	outboxDead      = describe("outbox_dead", "Dead letters (familiar outbox list --dead).", "channel")
	channelPhase    = describe("channel_phase", "1 for the phase in which the channel's connection is.", "channel", "phase")
	jobStarted      = describe("job_last_run_timestamp_seconds", "When the last run of the job started.", "job")
	jobDuration     = describe("job_last_run_duration_seconds", "How long the last ended run of the job took.", "job")
	jobFailed       = describe("job_last_run_failed", "1 if the last run of the job failed.", "job")
	databaseBytes   = describe("database_bytes", "Size of the database file.")
	logBytes        = describe("database_wal_bytes", "Size of the database's write-ahead log.")
	readers         = describe("database_readers", "How many reads may run at a time; on a server each has a connection.")
	reading         = describe("database_reading", "Reads that run now.")
	readsWaiting    = describe("database_reads_waiting", "Reads that wait until another one has ended.")
	readWaits       = describe("database_read_waits_total", "Reads that had to wait until another one had ended.")
	readWait        = describe("database_read_wait_seconds_total", "How long reads waited for another one to end.")
	writeWait       = describe("database_write_wait_seconds_total", "How long writes waited for those of other processes, and for a server to answer.")
	commits         = describe("database_commits_total", "Transactions that wrote. Writes that wait are committed together.")
	writes          = describe("database_writes_total", "Writes that were committed. Divided by the commits, it is the size of the groups.")
	repeats         = describe("database_repeats_total", "Transactions and reads that ran again because the connection to the server was lost.")
	serverWaits     = describe("database_server_waits_total", "How often a connection waited for the server of the database to answer.")
	unasked         = describe("database_unasked_total", "Queries that were sent to the server before they were needed, and were not needed.")
	processCount    = describe("fleet_processes", "Processes that answer from the memory on a server, this one included.")
	leases          = describe("fleet_leases", "Rooms, connections and jobs that are this process' own.")
	clockSkew       = describe("fleet_clock_skew_seconds", "How far the clock is ahead of that of the database server.")
	readFailed      = describe("reading_failed", "1 if the state of the store could not be read, so that its metrics are missing.")
)

// Describe implements prometheus.Collector.
func (r *readings) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		inboxWaiting, inboxOldest, inboxUnanswered, outboxWaiting, outboxDead, channelPhase,
		jobStarted, jobDuration, jobFailed, processCount, leases, clockSkew, databaseBytes, logBytes, readFailed,
		readers, reading, readsWaiting, readWaits, readWait, writeWait, commits, writes, repeats, serverWaits, unasked,
	} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (r *readings) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	now, err := r.source(ctx)
	now.Database.collect(out)
	if err != nil { // the other metrics are still of use
		gauge(readFailed, 1)
		return
	}
	gauge(readFailed, 0)
	gauge(databaseBytes, float64(now.DatabaseBytes))
	gauge(logBytes, float64(now.LogBytes))
	if f := now.Fleet; f != nil {
		gauge(processCount, float64(f.Processes))
		gauge(leases, float64(f.Leases))
		gauge(clockSkew, f.Skew.Seconds())
	}
	for _, c := range now.Channels {
		gauge(inboxWaiting, float64(c.Waiting), c.Name)
		gauge(inboxOldest, c.Oldest.Seconds(), c.Name)
		gauge(inboxUnanswered, float64(c.Unanswered), c.Name)
		gauge(outboxWaiting, float64(c.Unsent), c.Name)
		gauge(outboxDead, float64(c.Dead), c.Name)
		if c.Phase != "" {
			gauge(channelPhase, 1, c.Name, c.Phase)
		}
	}
	for _, j := range now.Jobs {
		gauge(jobStarted, float64(j.Started.UnixMilli())/1000, j.Name)
		if !j.Ended.IsZero() {
			gauge(jobDuration, j.Ended.Sub(j.Started).Seconds(), j.Name)
		}
		gauge(jobFailed, truth(j.Failed), j.Name)
	}
}

// collect passes on what was counted.
func (d Database) collect(out chan<- prometheus.Metric) {
	for desc, value := range map[*prometheus.Desc]int{readers: d.Readers, reading: d.Reading, readsWaiting: d.Waiting} {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(value))
	}
	for desc, value := range map[*prometheus.Desc]float64{
		readWaits: float64(d.ReadWaits), readWait: d.ReadWait.Seconds(), writeWait: d.WriteWait.Seconds(),
		commits: float64(d.Commits), writes: float64(d.Writes), repeats: float64(d.Repeats),
		serverWaits: float64(d.ServerWaits), unasked: float64(d.Unasked),
	} {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, value)
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
