-- Which flow of one nomenclature is which of another, as somebody wrote it down. source_key is derived from what
-- identifies the source, so that the mappings of one source are replaced together.
CREATE TABLE mappings (
  id                 {{text}} PRIMARY KEY,
  source_key         {{text}} NOT NULL,
  source_id          {{text}},
  source_name        {{text}} NOT NULL,
  source_compartment {{text}} NOT NULL,
  source_unit        {{text}} NOT NULL,
  target_id          {{text}} NOT NULL,
  target_name        {{text}} NOT NULL,
  target_compartment {{text}} NOT NULL,
  target_unit        {{text}} NOT NULL,
  factor             DOUBLE PRECISION NOT NULL,
  exact              BOOLEAN NOT NULL
){{clustered}};
CREATE INDEX mappings_by_source ON mappings (source_key);
