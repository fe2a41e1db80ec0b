-- One schema for both engines. {{text}} compares by code points, {{serial}} counts up, {{bytes}} holds bytes,
-- {{clustered}} keeps rows in the order of their primary key where the engine can.
-- Times are milliseconds since 1970. Ids are UUIDs in lower case.

-- Counters that say how current a reader's copy is. A change bumps its counter in its own transaction.
CREATE TABLE state (
  id         INTEGER PRIMARY KEY,
  accounts   BIGINT NOT NULL,
  catalogue  BIGINT NOT NULL,
  favourites BIGINT NOT NULL
);
INSERT INTO state (id, accounts, catalogue, favourites) VALUES (1, 1, 1, 1);

CREATE TABLE settings (
  name  {{text}} PRIMARY KEY,
  value {{text}} NOT NULL
){{clustered}};

CREATE TABLE users (
  id             {{text}} PRIMARY KEY,
  email          {{text}} NOT NULL,
  email_fold     {{text}} NOT NULL UNIQUE,
  firstname      {{text}} NOT NULL,
  lastname       {{text}} NOT NULL,
  password_hash  {{text}} NOT NULL,
  recent_team_id {{text}},
  created_at     BIGINT NOT NULL,
  disabled_at    BIGINT
){{clustered}};

CREATE TABLE teams (
  id          {{text}} PRIMARY KEY,
  label       {{text}} NOT NULL,
  description {{text}},
  created_at  BIGINT NOT NULL
){{clustered}};

CREATE TABLE memberships (
  team_id    {{text}} NOT NULL REFERENCES teams (id),
  user_id    {{text}} NOT NULL REFERENCES users (id),
  role       {{text}} NOT NULL CHECK (role IN ('owner', 'member')),
  status     {{text}} NOT NULL CHECK (status IN ('active', 'pending')),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (team_id, user_id)
){{clustered}};
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE api_keys (
  id           {{text}} PRIMARY KEY,
  user_id      {{text}} NOT NULL REFERENCES users (id),
  mode         {{text}} NOT NULL CHECK (mode IN ('live', 'sandbox')),
  label        {{text}} NOT NULL,
  prefix       {{text}} NOT NULL,
  hash         {{text}} NOT NULL UNIQUE,
  sealed       {{bytes}},
  created_at   BIGINT NOT NULL,
  revoked_at   BIGINT,
  last_used_at BIGINT
){{clustered}};
CREATE INDEX api_keys_by_user ON api_keys (user_id);

-- A wallet is a team's credits and reveals in one mode; its id is "<team>/<mode>".
CREATE TABLE wallets (
  id      {{text}} PRIMARY KEY,
  team_id {{text}} NOT NULL REFERENCES teams (id),
  mode    {{text}} NOT NULL CHECK (mode IN ('live', 'sandbox')),
  balance BIGINT NOT NULL CHECK (balance BETWEEN 0 AND 2147483647),
  entries BIGINT NOT NULL,
  head    {{text}} NOT NULL,
  reveals BIGINT NOT NULL,
  UNIQUE (team_id, mode)
){{clustered}};

CREATE TABLE ledger (
  wallet_id  {{text}} NOT NULL REFERENCES wallets (id),
  seq        BIGINT NOT NULL,
  id         {{text}} NOT NULL UNIQUE,
  time       BIGINT NOT NULL,
  kind       {{text}} NOT NULL CHECK (kind IN ('grant', 'debit', 'adjustment')),
  amount     BIGINT NOT NULL,
  balance    BIGINT NOT NULL CHECK (balance >= 0),
  reason     {{text}} NOT NULL,
  user_id    {{text}},
  request_id {{text}},
  hash       {{text}} NOT NULL,
  PRIMARY KEY (wallet_id, seq)
){{clustered}};

-- What a wallet has bought. seq counts a wallet's reveals up, so that a reader can ask for what is new.
-- credits is what this row cost; the rows of one ledger entry add up to its amount.
CREATE TABLE reveals (
  wallet_id {{text}} NOT NULL REFERENCES wallets (id),
  kind      {{text}} NOT NULL CHECK (kind IN ('property', 'product', 'impact')),
  record_id {{text}} NOT NULL,
  item_id   {{text}} NOT NULL,
  seq       BIGINT NOT NULL,
  entry     BIGINT NOT NULL,
  credits   BIGINT NOT NULL CHECK (credits >= 0),
  PRIMARY KEY (wallet_id, kind, record_id, item_id),
  UNIQUE (wallet_id, seq),
  FOREIGN KEY (wallet_id, entry) REFERENCES ledger (wallet_id, seq)
){{clustered}};

-- An event is written by the transaction it tells about; body is the envelope as it will be sent.
CREATE TABLE events (
  seq      {{serial}},
  id       {{text}} NOT NULL UNIQUE,
  type     {{text}} NOT NULL,
  time     BIGINT NOT NULL,
  livemode BOOLEAN NOT NULL,
  team_id  {{text}} NOT NULL REFERENCES teams (id),
  body     {{text}} NOT NULL
);
CREATE INDEX events_by_team ON events (team_id, seq);

CREATE TABLE idempotency (
  key_id  {{text}} NOT NULL REFERENCES api_keys (id),
  team_id {{text}} NOT NULL REFERENCES teams (id),
  value   {{text}} NOT NULL,
  digest  {{text}} NOT NULL,
  answer  {{text}} NOT NULL,
  time    BIGINT NOT NULL,
  PRIMARY KEY (key_id, team_id, value)
){{clustered}};
CREATE INDEX idempotency_by_time ON idempotency (time);

-- Rows are written in the order of their times, or nearly so: seq serves for both.
CREATE TABLE request_log (
  seq         {{serial}},
  time        BIGINT NOT NULL,
  request_id  {{text}} NOT NULL,
  key_id      {{text}},
  team_id     {{text}},
  method      {{text}} NOT NULL,
  path        {{text}} NOT NULL,
  status      INTEGER NOT NULL,
  duration_us BIGINT NOT NULL,
  credits     BIGINT NOT NULL,
  client      {{text}} NOT NULL
);
CREATE INDEX request_log_by_team ON request_log (team_id, seq);

CREATE TABLE favourites (
  user_id   {{text}} NOT NULL REFERENCES users (id),
  team_id   {{text}} NOT NULL REFERENCES teams (id),
  record_id {{text}} NOT NULL,
  PRIMARY KEY (user_id, team_id, record_id)
){{clustered}};

-- The catalogue. Only an import writes it, and bumps state.catalogue with it.
CREATE TABLE methods (
  id      {{text}} PRIMARY KEY,
  name    {{text}} NOT NULL,
  version {{text}} NOT NULL,
  deleted BOOLEAN NOT NULL
){{clustered}};

CREATE TABLE indicators (
  id        {{text}} PRIMARY KEY,
  method_id {{text}} NOT NULL REFERENCES methods (id),
  category  {{text}} NOT NULL,
  name      {{text}} NOT NULL,
  unit      {{text}} NOT NULL,
  deleted   BOOLEAN NOT NULL
){{clustered}};

CREATE TABLE factors (
  indicator_id {{text}} NOT NULL REFERENCES indicators (id),
  flow_id      {{text}} NOT NULL,
  value        DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (indicator_id, flow_id)
){{clustered}};

CREATE TABLE materials (
  id                  {{text}} PRIMARY KEY,
  name                {{text}} NOT NULL,
  fold                {{text}} NOT NULL,
  source              {{text}} NOT NULL,
  source_organization {{text}} NOT NULL,
  functional_unit     {{text}} NOT NULL,
  compartment         {{text}} NOT NULL,
  regional_scopes     {{text}} NOT NULL,
  date_published      {{text}} NOT NULL,
  deleted             BOOLEAN NOT NULL,
  restricted          BOOLEAN NOT NULL
){{clustered}};
CREATE INDEX materials_in_order ON materials (deleted, fold, id, restricted);

CREATE TABLE properties (
  id                  {{text}} NOT NULL UNIQUE,
  material_id         {{text}} NOT NULL REFERENCES materials (id),
  position            INTEGER NOT NULL,
  name                {{text}} NOT NULL,
  value               DOUBLE PRECISION NOT NULL,
  unit                {{text}} NOT NULL,
  mean                DOUBLE PRECISION,
  standard_deviation  DOUBLE PRECISION,
  description         {{text}} NOT NULL,
  source              {{text}} NOT NULL,
  source_organization {{text}} NOT NULL,
  date_published      {{text}} NOT NULL,
  price               BIGINT NOT NULL CHECK (price BETWEEN 0 AND 1000000),
  deleted             BOOLEAN NOT NULL,
  PRIMARY KEY (material_id, id)
){{clustered}};

CREATE TABLE material_impacts (
  id          {{text}} NOT NULL UNIQUE,
  property_id {{text}} NOT NULL REFERENCES properties (id),
  method_id   {{text}} NOT NULL REFERENCES methods (id),
  position    INTEGER NOT NULL,
  category    {{text}} NOT NULL,
  indicator   {{text}} NOT NULL,
  value       DOUBLE PRECISION NOT NULL,
  unit        {{text}} NOT NULL,
  PRIMARY KEY (property_id, id)
){{clustered}};

CREATE TABLE processes (
  id                  {{text}} PRIMARY KEY,
  name                {{text}} NOT NULL,
  fold                {{text}} NOT NULL,
  description         {{text}} NOT NULL,
  sources             {{text}} NOT NULL,
  source_organization {{text}} NOT NULL,
  region              {{text}} NOT NULL,
  boundary            {{text}} NOT NULL CHECK (boundary IN ('Aggregated', 'Disaggregated')),
  functional_unit     {{text}} NOT NULL,
  date_published      {{text}} NOT NULL,
  price               BIGINT NOT NULL CHECK (price BETWEEN 0 AND 1000000),
  deleted             BOOLEAN NOT NULL,
  restricted          BOOLEAN NOT NULL
){{clustered}};
CREATE INDEX processes_in_order ON processes (deleted, fold, id, restricted);

CREATE TABLE exchanges (
  id                 {{text}} NOT NULL UNIQUE,
  process_id         {{text}} NOT NULL REFERENCES processes (id),
  position           INTEGER NOT NULL,
  direction          {{text}} NOT NULL CHECK (direction IN ('input', 'output')),
  flow_id            {{text}} NOT NULL,
  material_id        {{text}} REFERENCES materials (id),
  name               {{text}} NOT NULL,
  value              DOUBLE PRECISION NOT NULL,
  unit               {{text}} NOT NULL,
  type               {{text}} NOT NULL CHECK (type IN ('intermediate', 'elementary', 'waste')),
  reference          BOOLEAN NOT NULL,
  provider_id        {{text}} REFERENCES processes (id),
  mean               DOUBLE PRECISION,
  standard_deviation DOUBLE PRECISION,
  PRIMARY KEY (process_id, id)
){{clustered}};
CREATE INDEX exchanges_by_material ON exchanges (material_id) WHERE material_id IS NOT NULL;

CREATE TABLE impacts (
  id         {{text}} NOT NULL UNIQUE,
  process_id {{text}} NOT NULL REFERENCES processes (id),
  method_id  {{text}} NOT NULL REFERENCES methods (id),
  position   INTEGER NOT NULL,
  category   {{text}} NOT NULL,
  indicator  {{text}} NOT NULL,
  value      DOUBLE PRECISION NOT NULL,
  unit       {{text}} NOT NULL,
  deleted    BOOLEAN NOT NULL,
  PRIMARY KEY (process_id, id)
){{clustered}};

-- Who may see a restricted material or process.
CREATE TABLE grants (
  record_id {{text}} NOT NULL,
  team_id   {{text}} NOT NULL REFERENCES teams (id),
  PRIMARY KEY (record_id, team_id)
){{clustered}};
CREATE INDEX grants_by_team ON grants (team_id);
