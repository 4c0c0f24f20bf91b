-- What the tables of Drizzle cannot say. `npm run baseline` puts it around them into 0000_baseline.sql.

-- ==== before the tables

-- The indexes that searches by a part of a text use.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Names that people would take for one are one [decisions/064]: regardless of width, case and runs of spaces.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(btrim(normalize(name, NFKC)), '\s+', ' ', 'g'));

-- One number is one, however it is dialled: digits with the country code, without 00 or +. A number without one is Chinese,
-- where the default language is spoken: an area code loses its 0, a mobile number is known by its form.
CREATE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE
    WHEN btrim(phone) LIKE '+%' THEN regexp_replace(phone, '\D', '', 'g')
    WHEN phone ~ '^\D*00' THEN substr(regexp_replace(phone, '\D', '', 'g'), 3)
    WHEN phone ~ '^\D*0' THEN '86' || substr(regexp_replace(phone, '\D', '', 'g'), 2)
    WHEN regexp_replace(phone, '\D', '', 'g') ~ '^1[3-9]\d{9}$' THEN '86' || regexp_replace(phone, '\D', '', 'g')
    ELSE regexp_replace(phone, '\D', '', 'g')
  END;

-- ==== after the tables

-- The two logs take rows and keep them: only the upkeep job removes, and nothing younger than half a year.
CREATE FUNCTION refuse_log_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('iot.upkeep', true) = 'on' THEN
    IF OLD.at < now() - interval '180 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER operations_append_only BEFORE UPDATE OR DELETE ON "operations" FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER operations_not_emptied BEFORE TRUNCATE ON "operations" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER logins_append_only BEFORE UPDATE OR DELETE ON "logins" FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER logins_not_emptied BEFORE TRUNCATE ON "logins" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();

-- Hourly sums begin with the history that is kept.
INSERT INTO "rollup_cursors" ("name", "at") VALUES ('hours', date_trunc('day', now() - interval '90 days', 'UTC'));

-- The silence of the workers counts from here on, also where none ever starts [decisions/069].
INSERT INTO "work_marks" ("queue", "worked_at") VALUES ('iot', now());
