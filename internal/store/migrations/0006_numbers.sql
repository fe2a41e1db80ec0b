-- What decides between two datasets of one id, and how products share where their rows do not tell.
ALTER TABLE processes ADD COLUMN version {{text}} NOT NULL DEFAULT '';
ALTER TABLE processes ADD COLUMN changed {{text}} NOT NULL DEFAULT '';
ALTER TABLE processes ADD COLUMN shared_by {{text}} NOT NULL DEFAULT '';
ALTER TABLE processes ADD COLUMN sharing_stated BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE methods ADD COLUMN changed {{text}} NOT NULL DEFAULT '';
ALTER TABLE indicators ADD COLUMN version {{text}} NOT NULL DEFAULT '';
ALTER TABLE indicators ADD COLUMN changed {{text}} NOT NULL DEFAULT '';
ALTER TABLE flows ADD COLUMN version {{text}} NOT NULL DEFAULT '';
ALTER TABLE flows ADD COLUMN changed {{text}} NOT NULL DEFAULT '';

-- The libraries that brought a process or a method as it is: their flows decide which factors they have.
CREATE TABLE library_records (
  record_id  {{text}} NOT NULL,
  library_id {{text}} NOT NULL,
  PRIMARY KEY (record_id, library_id)
){{clustered}};

-- A provider may be named before it is imported: provider_id refers to nothing any more.
CREATE TABLE exchanges_next (
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
  provider_id        {{text}},
  mean               DOUBLE PRECISION,
  standard_deviation DOUBLE PRECISION,
  distribution       {{text}} NOT NULL DEFAULT '' CHECK (distribution IN ('', 'normal', 'lognormal', 'triangular', 'uniform')),
  minimum            DOUBLE PRECISION,
  maximum            DOUBLE PRECISION,
  avoided            BOOLEAN NOT NULL DEFAULT FALSE,
  worth              DOUBLE PRECISION,
  share              DOUBLE PRECISION,
  PRIMARY KEY (process_id, id)
){{clustered}};
INSERT INTO exchanges_next (id, process_id, position, direction, flow_id, material_id, name, value, unit, type, reference, provider_id,
    mean, standard_deviation, distribution, minimum, maximum, avoided, worth, share)
  SELECT id, process_id, position, direction, flow_id, material_id, name, value, unit, type, reference, provider_id,
    mean, standard_deviation, distribution, minimum, maximum, avoided, worth, share FROM exchanges;
DROP TABLE exchanges;
ALTER TABLE exchanges_next RENAME TO exchanges;
CREATE INDEX exchanges_by_material ON exchanges (material_id) WHERE material_id IS NOT NULL;

-- The rules of reading have changed: the last import is not known to leave everything as it is.
DELETE FROM settings WHERE name = 'last import';
