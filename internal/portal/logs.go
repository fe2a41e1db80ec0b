package portal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

type logsPage struct {
	Found   requestlog.Found
	Keys    []choice
	Asked   map[string]string
	Later   string // the next page
	Newest  string // the first page
	Tail    string // where a script polls for new rows
	Last    int64
	Filters bool

	Ages     []choice
	Methods  []string
	Statuses []choice
}

// The filters of a log: how far back, by which methods, with which statuses.
var (
	ages       = map[string]time.Duration{"1h": time.Hour, "24h": 24 * time.Hour, "7d": 7 * 24 * time.Hour}
	ageChoices = []choice{{"1h", "The last hour"}, {"24h", "The last 24 hours"}, {"7d", "The last 7 days"}}
	logMethods = []string{"GET", "POST", "GQL"}
	logClasses = []choice{{"2", "2xx, success"}, {"4", "4xx, client error"}, {"5", "5xx, server error"}, {"401", "401"}, {"403", "403"}, {"404", "404"}, {"409", "409"}, {"429", "429"}}
)

var logFilters = []string{"since", "key", "method", "status", "path"}

func (v *visit) logs() error {
	q, err := v.search()
	if err != nil {
		return err
	}
	page := logsPage{Asked: map[string]string{}, Ages: ageChoices, Methods: logMethods, Statuses: logClasses}
	if page.Found, err = v.Requests.SearchRequests(v.context(), q); err != nil {
		return err
	}
	if page.Keys, err = v.keyChoices(); err != nil {
		return err
	}
	values := url.Values{}
	for _, name := range logFilters {
		page.Asked[name] = v.asked(name)
		if page.Asked[name] != "" {
			values.Set(name, page.Asked[name])
			page.Filters = true
		}
	}
	if q.Before == 0 {
		page.Tail = "/portal/logs/tail?" + values.Encode()
	} else {
		page.Newest = "/portal/logs?" + values.Encode()
	}
	if len(page.Found.Rows) > 0 {
		page.Last = page.Found.Rows[0].Seq
	}
	if page.Found.Next > 0 {
		values.Set("before", strconv.FormatInt(page.Found.Next, 10))
		page.Later = "/portal/logs?" + values.Encode()
	}
	return v.show(http.StatusOK, "logs", "Logs", page)
}

// logsTail sends the rows added since a row, as rows of the table.
func (v *visit) logsTail() error {
	q, err := v.search()
	if err != nil {
		return err
	}
	q.After, err = strconv.ParseInt(v.asked("after"), 10, 64)
	if err != nil {
		return fault.Fieldf("after", "is no number")
	}
	found, err := v.Requests.SearchRequests(v.context(), q)
	if err != nil {
		return err
	}
	return v.fragment("logs", "rows", found.Rows)
}

// search parses the filters in the URL.
func (v *visit) search() (requestlog.Search, error) {
	q := requestlog.Search{Team: v.viewer.Team, Mode: v.viewer.Mode, Method: v.asked("method"), Path: v.asked("path"), Limit: 2 * pageRows}
	if text := v.asked("since"); text != "" {
		age, ok := ages[text]
		if !ok {
			return q, fault.Fieldf("since", "must be one of the listed times")
		}
		q.Since = v.Now().Add(-age)
	}
	switch key := v.asked("key"); key {
	case "":
	case "portal":
		q.Portal = true
	default:
		id, ok := lci.ParseID(key)
		if !ok {
			return q, fault.Fieldf("key", "is no id")
		}
		q.Key = id
	}
	if text := v.asked("status"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 599 || n > 5 && n < 100 {
			return q, fault.Fieldf("status", "must be a status such as 404, or its first digit")
		}
		q.Status = requestlog.Class(n)
	}
	if text := v.asked("before"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			return q, fault.Fieldf("before", "is no number")
		}
		q.Before = n
	}
	return q, nil
}

// keyChoices are the keys used recently on the team, the visitor's own by their
// labels.
func (v *visit) keyChoices() ([]choice, error) {
	own, err := v.Accounts.OwnKeys(v.context(), v.visitor.User.ID)
	if err != nil {
		return nil, err
	}
	labels := map[lci.ID]account.Key{}
	for _, k := range own {
		labels[k.ID] = k
	}
	days, err := v.Requests.Usage(v.context(), v.viewer.Wallet(), requestlog.DayOf(v.Now())-chartDays+1)
	if err != nil {
		return nil, err
	}
	var choices []choice
	for _, d := range days {
		if d.Key.IsZero() || slices.ContainsFunc(choices, func(c choice) bool { return c.Value == d.Key.String() }) {
			continue
		}
		text := "a colleague's key " + d.Key.String()[:8]
		if k, ok := labels[d.Key]; ok {
			text = k.Prefix + "… " + k.Label
		}
		choices = append(choices, choice{d.Key.String(), text})
	}
	return append(choices, choice{"portal", "Portal (no key)"}), nil
}

type requestPage struct {
	requestlog.Row
	Who string
}

func (v *visit) logEntry() error {
	seq, err := strconv.ParseInt(v.path("seq"), 10, 64)
	if err != nil {
		return v.noPage()
	}
	row, err := v.Requests.Request(v.context(), v.viewer.Team, seq)
	if err != nil {
		return err
	}
	if row == nil {
		return fault.NotFoundf("This request is no longer in the log")
	}
	page := requestPage{Row: *row, Who: "A former member"}
	members, err := v.Accounts.Members(v.context(), v.viewer.Team)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.User.ID == row.UserID {
			page.Who = m.User.Firstname + " " + m.User.Lastname
		}
	}
	return v.show(http.StatusOK, "request", "Request", page)
}

func indented(body []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		return string(body)
	}
	return out.String()
}
