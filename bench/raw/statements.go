package raw

// statements are those of one pull, in their order. A test compares them with
// the service's own.
type statements struct {
	wallet, offers, entry, debit, reveal, event, endpoints string
}

func (s statements) all() []string {
	return []string{s.wallet, s.offers, s.entry, s.debit, s.reveal, s.event, s.endpoints}
}

// dialect is what differs between the engines.
type dialect struct {
	lockWallet    string
	keepEndpoint  string
	materialAmong string
}

var (
	embedded = dialect{materialAmong: "m.id IN (SELECT value FROM json_each($1))"}
	served   = dialect{lockWallet: " FOR UPDATE", keepEndpoint: " FOR KEY SHARE OF e", materialAmong: "m.id = ANY($1)"}
)

func (d dialect) statements() statements {
	return statements{
		wallet: `SELECT balance, entries, head, reveals FROM wallets WHERE id = $1` + d.lockWallet,
		offers: `SELECT m.id, p.id, p.price, r.seq IS NOT NULL FROM materials m
			LEFT JOIN properties p ON p.material_id = m.id AND NOT p.deleted
			LEFT JOIN reveals r ON r.wallet_id = $2 AND r.kind = 'property' AND r.record_id = m.id AND r.item_id = p.id
			WHERE ` + d.materialAmong + ` AND NOT m.deleted AND (NOT m.restricted OR EXISTS (SELECT 1 FROM grants g WHERE g.record_id = m.id AND g.team_id = $3))
			ORDER BY m.id, p.position, p.id`,
		entry: `INSERT INTO ledger (wallet_id, seq, id, time, kind, amount, balance, reason, user_id, request_id, hash)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		debit: `UPDATE wallets SET balance = balance + $2, entries = entries + 1, head = $3, reveals = reveals + $4
			WHERE id = $1 AND entries = $5 AND balance + $2 >= 0`,
		reveal: `INSERT INTO reveals (wallet_id, kind, record_id, item_id, seq, entry, credits) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		event:  `INSERT INTO events (id, type, time, livemode, team_id, body) VALUES ($1, $2, $3, $4, $5, $6)`,
		endpoints: `SELECT e.id, e.status FROM endpoints e
			WHERE e.team_id = $1 AND (e.all_types OR EXISTS (SELECT 1 FROM subscriptions s WHERE s.endpoint_id = e.id AND s.type = $2)) AND e.removed_at IS NULL AND (e.listen_until IS NULL OR e.listen_until > $3)
			ORDER BY e.id` + d.keepEndpoint,
	}
}
