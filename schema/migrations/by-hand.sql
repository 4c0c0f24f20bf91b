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

-- What a gateway is to poll follows from its terminals, their templates and variables: whatever changes them, the plan of the
-- gateway has to be compiled again. Each change writes a new time, so that one during the compilation is not lost; in the
-- order of ids, so that two changes of many gateways do not wait for each other.
CREATE FUNCTION mark_plans_stale(changed integer[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO collection_states (device_id, stale_since)
  SELECT d.id, clock_timestamp() FROM devices d WHERE d.id = ANY (changed) ORDER BY d.id
  ON CONFLICT (device_id) DO UPDATE SET stale_since = excluded.stale_since
$$;
CREATE FUNCTION stale_by_terminals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM mark_plans_stale(array(SELECT DISTINCT device_id FROM fresh));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM mark_plans_stale(array(SELECT DISTINCT device_id FROM former));
  ELSE
    PERFORM mark_plans_stale(array(SELECT device_id FROM fresh UNION SELECT device_id FROM former));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER terminals_added AFTER INSERT ON "terminals" REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION stale_by_terminals();
CREATE TRIGGER terminals_changed AFTER UPDATE ON "terminals" REFERENCING NEW TABLE AS fresh OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION stale_by_terminals();
CREATE TRIGGER terminals_deleted AFTER DELETE ON "terminals" REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION stale_by_terminals();
CREATE FUNCTION stale_by_variables() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM mark_plans_stale(array(SELECT DISTINCT t.device_id FROM former f JOIN terminals t ON t.template_id = f.template_id));
  ELSE
    PERFORM mark_plans_stale(array(SELECT DISTINCT t.device_id FROM fresh f JOIN terminals t ON t.template_id = f.template_id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER variables_added AFTER INSERT ON "variables" REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION stale_by_variables();
CREATE TRIGGER variables_changed AFTER UPDATE ON "variables" REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION stale_by_variables();
CREATE TRIGGER variables_deleted AFTER DELETE ON "variables" REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION stale_by_variables();
CREATE FUNCTION stale_by_templates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_plans_stale(array(SELECT DISTINCT t.device_id FROM fresh f JOIN terminals t ON t.template_id = f.id));
  RETURN NULL;
END $$;
CREATE TRIGGER templates_changed AFTER UPDATE ON "collection_templates" REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION stale_by_templates();
