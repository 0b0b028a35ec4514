-- What models were used for.
-- A row for each day (of the operator's timezone), persona, person (0 for the persona's own work), job ('talk' for replies)
-- and model. Costs are in nanodollars, at the price when the call was made, 0 where no price was known.
-- requests: the requests made, failed ones too. tokens_in, tokens_out, cost: what answers used; caps count it.
-- reserved, reserved_cost: the tokens and the cost that running calls may still use; caps count them on their day.
-- failed_in, failed_out, failed_cost: what calls without an answer used. The operator pays for it, and no cap counts it.
CREATE TABLE usage_now (
  day           TEXT    NOT NULL,
  persona       TEXT    NOT NULL,
  person_id     INTEGER NOT NULL,
  job           TEXT    NOT NULL,
  model         TEXT    NOT NULL,
  requests      INTEGER NOT NULL DEFAULT 0,
  tokens_in     INTEGER NOT NULL DEFAULT 0,
  tokens_out    INTEGER NOT NULL DEFAULT 0,
  cost          INTEGER NOT NULL DEFAULT 0,
  reserved      INTEGER NOT NULL DEFAULT 0,
  reserved_cost INTEGER NOT NULL DEFAULT 0,
  failed_in     INTEGER NOT NULL DEFAULT 0,
  failed_out    INTEGER NOT NULL DEFAULT 0,
  failed_cost   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, persona, person_id, job, model)
) WITHOUT ROWID;
-- Of what was used so far neither the model nor the share of the answers is known.
INSERT INTO usage_now (day, persona, person_id, job, model, requests, tokens_in)
  SELECT day, persona, person_id, CASE person_id WHEN 0 THEN '' ELSE 'talk' END, '', calls, tokens FROM usage;
DROP TABLE usage;
ALTER TABLE usage_now RENAME TO usage;
CREATE INDEX usage_by_person ON usage(person_id, day);

-- What people were told about their caps: kind ('low day') says what, period (a day or a month) when last.
CREATE TABLE usage_notices (
  person_id   INTEGER NOT NULL REFERENCES people(id),
  kind        TEXT    NOT NULL,
  period      TEXT    NOT NULL,
  PRIMARY KEY (person_id, kind)
) WITHOUT ROWID;
