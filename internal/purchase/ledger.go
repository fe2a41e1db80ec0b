package purchase

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// MaxBalance is the most credits a wallet can hold.
const MaxBalance = 2_147_483_647

// EntryKind says why a wallet's balance changed.
type EntryKind string

const (
	Grant      EntryKind = "grant"
	Debit      EntryKind = "debit"
	Adjustment EntryKind = "adjustment"
)

// An Entry is one line of a wallet's ledger. Lines are only ever added.
type Entry struct {
	ID        lci.ID
	Seq       int64 // counts the wallet's entries from 1
	Time      time.Time
	Kind      EntryKind
	Amount    int64 // signed
	Balance   int64 // after the entry
	Reason    string
	UserID    lci.ID // zero: the operator
	RequestID string // "" outside a request
	Hash      string
}

// Chain returns the entry's hash, over its content, its wallet and the previous
// hash. Changing, removing or inserting an entry breaks every later hash.
func (e Entry) Chain(wallet account.Wallet, before string) string {
	content, _ := json.Marshal([]any{
		before, wallet.String(), e.Seq, e.ID.String(), e.Time.UnixMilli(), string(e.Kind),
		e.Amount, e.Balance, e.Reason, e.UserID.String(), e.RequestID,
	})
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
