-- Who is signed in to the portal. id is the SHA-256 of what the cookie holds.
CREATE TABLE sessions (
  id         {{text}} PRIMARY KEY,
  user_id    {{text}} NOT NULL REFERENCES users (id),
  mode       {{text}} NOT NULL CHECK (mode IN ('live', 'sandbox')),
  client     {{text}} NOT NULL,
  agent      {{text}} NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
){{clustered}};
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Passwords that were wrong, by account and by client address: whoever goes on is made to wait.
CREATE TABLE sign_in_failures (
  subject   {{text}} PRIMARY KEY,
  failures  INTEGER NOT NULL,
  not_until BIGINT NOT NULL,
  last_at   BIGINT NOT NULL
){{clustered}};

-- Open invitations. One that was accepted, withdrawn or replaced is gone; token is the SHA-256 of the link's.
CREATE TABLE invitations (
  id         {{text}} PRIMARY KEY,
  team_id    {{text}} NOT NULL REFERENCES teams (id),
  email      {{text}} NOT NULL,
  email_fold {{text}} NOT NULL,
  role       {{text}} NOT NULL CHECK (role IN ('owner', 'member')),
  token      {{text}} NOT NULL UNIQUE,
  invited_by {{text}} NOT NULL REFERENCES users (id),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  UNIQUE (team_id, email_fold)
){{clustered}};

-- What was asked through the portal has no key: the row itself says for whom and in which mode.
ALTER TABLE request_log ADD COLUMN mode {{text}};
ALTER TABLE request_log ADD COLUMN user_id {{text}};

-- Requests per day, counted as they are logged, so that a chart of a month need not read a month's rows.
-- day counts from 1970; key_id is '' for the portal.
CREATE TABLE usage_days (
  team_id  {{text}} NOT NULL,
  mode     {{text}} NOT NULL,
  day      INTEGER NOT NULL,
  key_id   {{text}} NOT NULL,
  requests BIGINT NOT NULL,
  errors   BIGINT NOT NULL,
  pulls    BIGINT NOT NULL,
  credits  BIGINT NOT NULL,
  PRIMARY KEY (team_id, mode, day, key_id)
){{clustered}};
INSERT INTO usage_days (team_id, mode, day, key_id, requests, errors, pulls, credits)
  SELECT l.team_id, k.mode, l.time / 86400000, l.key_id, COUNT(*),
    SUM(CASE WHEN l.status >= 400 THEN 1 ELSE 0 END), SUM(CASE WHEN l.credits > 0 THEN 1 ELSE 0 END), SUM(l.credits)
  FROM request_log l JOIN api_keys k ON k.id = l.key_id WHERE l.team_id IS NOT NULL
  GROUP BY l.team_id, k.mode, l.time / 86400000, l.key_id;
