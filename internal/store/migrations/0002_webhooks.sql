-- Where teams want their events sent. secret and old_secret are sealed; old_secret still signs until old_until.
-- listen_until is set where a developer's own process stands in for an endpoint.
CREATE TABLE endpoints (
  id           {{text}} PRIMARY KEY,
  team_id      {{text}} NOT NULL REFERENCES teams (id),
  url          {{text}} NOT NULL,
  description  {{text}} NOT NULL,
  status       {{text}} NOT NULL CHECK (status IN ('enabled', 'disabled')),
  failures     INTEGER NOT NULL,
  secret       {{bytes}} NOT NULL,
  old_secret   {{bytes}},
  old_until    BIGINT,
  listen_until BIGINT,
  created_at   BIGINT NOT NULL,
  removed_at   BIGINT
){{clustered}};
CREATE INDEX endpoints_by_team ON endpoints (team_id);

CREATE TABLE subscriptions (
  endpoint_id {{text}} NOT NULL REFERENCES endpoints (id),
  type        {{text}} NOT NULL,
  PRIMARY KEY (endpoint_id, type)
){{clustered}};

-- One event on its way to one endpoint. due says when it is tried next, lease until when a worker has it.
CREATE TABLE deliveries (
  seq         {{serial}},
  id          {{text}} NOT NULL UNIQUE,
  endpoint_id {{text}} NOT NULL REFERENCES endpoints (id),
  event_id    {{text}} NOT NULL REFERENCES events (id),
  state       {{text}} NOT NULL CHECK (state IN ('waiting', 'held', 'delivered', 'dropped', 'cancelled')),
  attempts    INTEGER NOT NULL,
  tries       INTEGER NOT NULL,
  due         BIGINT NOT NULL,
  lease       BIGINT NOT NULL,
  created_at  BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX deliveries_waiting ON deliveries (due) WHERE state = 'waiting';
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, seq);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_held ON deliveries (endpoint_id) WHERE state = 'held';
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE attempts (
  delivery_id {{text}} NOT NULL REFERENCES deliveries (id),
  number      INTEGER NOT NULL,
  time        BIGINT NOT NULL,
  duration_us BIGINT NOT NULL,
  status      INTEGER NOT NULL,
  error       {{text}} NOT NULL,
  response    {{text}} NOT NULL,
  PRIMARY KEY (delivery_id, number)
){{clustered}};
