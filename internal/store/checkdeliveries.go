package store

import "cradle/internal/event"

// deliveryRules are the rules of endpoints and their deliveries.
var deliveryRules = []rule{
	{"endpoint without event types", `SELECT e.id FROM endpoints e WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.endpoint_id = e.id)`},
	{"endpoint with a wrong id", `SELECT id FROM endpoints WHERE LENGTH(id) <> 39 OR SUBSTR(id, 1, 3) <> 'wh_'`},
	{"endpoint with a wrong count of failures", `SELECT id FROM endpoints WHERE failures < 0 OR failures >= 20 AND status = 'enabled' AND listen_until IS NULL`},
	{"endpoint whose old secret has no end", `SELECT id FROM endpoints WHERE (old_secret IS NULL) <> (old_until IS NULL)`},
	{"delivery with a wrong id", `SELECT id FROM deliveries WHERE LENGTH(id) <> 40 OR SUBSTR(id, 1, 4) <> 'dlv_'`},
	{"delivery of an event to another team's endpoint", `SELECT d.id FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id
		JOIN events v ON v.id = d.event_id WHERE e.team_id <> v.team_id`},
	{"event that is delivered twice to one endpoint", `SELECT endpoint_id || ' ' || event_id FROM deliveries GROUP BY endpoint_id, event_id HAVING COUNT(*) > 1`},
	{"delivery on its way to a removed endpoint", `SELECT d.id FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id
		WHERE e.removed_at IS NOT NULL AND d.state IN ('waiting', 'held')`},
	{"delivery held for an enabled endpoint", `SELECT d.id FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id
		WHERE e.status = 'enabled' AND d.state = 'held'`},
	{"delivery on its way to a disabled endpoint", `SELECT d.id FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id
		JOIN events v ON v.id = d.event_id WHERE e.status = 'disabled' AND d.state = 'waiting' AND v.type <> '` + event.WebhookTest + `'`},
	{"delivery that is neither under way nor finished", `SELECT id FROM deliveries WHERE (state IN ('waiting', 'held')) <> (finished_at IS NULL)
		OR finished_at IS NOT NULL AND (due <> 0 OR lease <> 0) OR finished_at IS NULL AND due <= 0`},
	{"delivery with a wrong count of tries", `SELECT id FROM deliveries WHERE tries < 0 OR tries > attempts OR tries > 7 OR state = 'waiting' AND tries > 6`},
	{"delivery that ended without an attempt", `SELECT id FROM deliveries WHERE state IN ('delivered', 'dropped') AND attempts = 0`},
	{"delivery with a wrong count of attempts", `SELECT d.id FROM deliveries d WHERE d.attempts <>
		(SELECT COUNT(*) FROM attempts a WHERE a.delivery_id = d.id AND a.number BETWEEN 1 AND d.attempts)
		OR EXISTS (SELECT 1 FROM attempts a WHERE a.delivery_id = d.id AND a.number > d.attempts)`},
	{"delivery that was taken, and its last attempt was not", `SELECT d.id FROM deliveries d JOIN attempts a ON a.delivery_id = d.id AND a.number = d.attempts
		WHERE d.state = 'delivered' AND a.status NOT BETWEEN 200 AND 299 OR d.state = 'dropped' AND a.status BETWEEN 200 AND 299`},
}
