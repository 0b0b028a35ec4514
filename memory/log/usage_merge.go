package log

// AddUsage returns a statement that adds the usage of rows that meet a condition to those with another key: its columns are
// day, persona, person, room, job and model. Rows that get the same key are added up first: PostgreSQL changes no row twice in one
// statement.
func AddUsage(key, condition string) string {
	return `INSERT INTO usage (day, persona, person_id, room_id, job, model, requests, tokens_in, tokens_out, cost, reserved, reserved_cost,
			failed_in, failed_out, failed_cost, cache_read, cache_written)
		SELECT ` + key + `, sum(requests), sum(tokens_in), sum(tokens_out), sum(cost), sum(reserved), sum(reserved_cost),
			sum(failed_in), sum(failed_out), sum(failed_cost), sum(cache_read), sum(cache_written)
		FROM usage WHERE ` + condition + ` GROUP BY 1, 2, 3, 4, 5, 6
		ON CONFLICT (day, persona, person_id, room_id, job, model) DO UPDATE SET requests = usage.requests + excluded.requests,
			tokens_in = usage.tokens_in + excluded.tokens_in, tokens_out = usage.tokens_out + excluded.tokens_out,
			cost = usage.cost + excluded.cost, reserved = usage.reserved + excluded.reserved,
			reserved_cost = usage.reserved_cost + excluded.reserved_cost, failed_in = usage.failed_in + excluded.failed_in,
			failed_out = usage.failed_out + excluded.failed_out, failed_cost = usage.failed_cost + excluded.failed_cost,
			cache_read = usage.cache_read + excluded.cache_read, cache_written = usage.cache_written + excluded.cache_written`
}
