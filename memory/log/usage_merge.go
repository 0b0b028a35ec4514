package log

// AddUsage returns a statement that adds the usage of rows that meet a condition to those with another key: its columns are
// day, persona, person, room, job and model.
func AddUsage(key, condition string) string {
	return `INSERT INTO usage (day, persona, person_id, room_id, job, model, requests, tokens_in, tokens_out, cost, reserved, reserved_cost,
			failed_in, failed_out, failed_cost, cache_read, cache_written)
		SELECT ` + key + `, requests, tokens_in, tokens_out, cost, reserved, reserved_cost, failed_in, failed_out, failed_cost, cache_read, cache_written
		FROM usage WHERE ` + condition + `
		ON CONFLICT (day, persona, person_id, room_id, job, model) DO UPDATE SET requests = requests + excluded.requests,
			tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out, cost = cost + excluded.cost,
			reserved = reserved + excluded.reserved, reserved_cost = reserved_cost + excluded.reserved_cost,
			failed_in = failed_in + excluded.failed_in, failed_out = failed_out + excluded.failed_out, failed_cost = failed_cost + excluded.failed_cost,
			cache_read = cache_read + excluded.cache_read, cache_written = cache_written + excluded.cache_written`
}
