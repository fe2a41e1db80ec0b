-- What a calculation needs to know beyond what is published.

CREATE TABLE flows (
  id             {{text}} PRIMARY KEY,
  name           {{text}} NOT NULL,
  type           {{text}} NOT NULL CHECK (type IN ('intermediate', 'elementary', 'waste')),
  compartment    {{text}} NOT NULL,
  cas            {{text}} NOT NULL,
  synonyms       {{text}} NOT NULL,
  unit           {{text}} NOT NULL,
  classification {{text}} NOT NULL
){{clustered}};

ALTER TABLE factors ADD COLUMN unit {{text}} NOT NULL DEFAULT '';

ALTER TABLE materials ADD COLUMN classification {{text}} NOT NULL DEFAULT '';
ALTER TABLE processes ADD COLUMN classification {{text}} NOT NULL DEFAULT '';

ALTER TABLE exchanges ADD COLUMN distribution {{text}} NOT NULL DEFAULT '' CHECK (distribution IN ('', 'normal', 'lognormal', 'triangular', 'uniform'));
ALTER TABLE exchanges ADD COLUMN minimum DOUBLE PRECISION;
ALTER TABLE exchanges ADD COLUMN maximum DOUBLE PRECISION;
ALTER TABLE exchanges ADD COLUMN avoided BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE exchanges ADD COLUMN worth DOUBLE PRECISION;
ALTER TABLE exchanges ADD COLUMN share DOUBLE PRECISION;

CREATE TABLE allocations (
  id          {{text}} PRIMARY KEY,
  process_id  {{text}} NOT NULL REFERENCES processes (id),
  product_id  {{text}} NOT NULL,
  exchange_id {{text}} NOT NULL,
  share       DOUBLE PRECISION NOT NULL
){{clustered}};
CREATE INDEX allocations_by_process ON allocations (process_id);

-- A row that was calculated here knows how far it can be trusted.
ALTER TABLE impacts ADD COLUMN calculated BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE impacts ADD COLUMN coverage DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE impacts ADD COLUMN cut_offs BIGINT NOT NULL DEFAULT 0;
ALTER TABLE impacts ADD COLUMN residual DOUBLE PRECISION NOT NULL DEFAULT 0;
