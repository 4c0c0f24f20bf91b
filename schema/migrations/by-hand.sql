-- What Drizzle's tables cannot express. `npm run baseline` writes it before and after them into 0000_baseline.sql.

-- ==== before the tables
-- A type of one byte per element: schema/tables/status-pack.ts.
CREATE DOMAIN "byte_array" AS "char"[];


-- Trigram indexes for searches by a part of a text.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Names that look alike are equal [decisions/064]: ignoring width, case and runs of spaces.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(btrim(normalize(name, NFKC)), '\s+', ' ', 'g'));

-- Normal form of a phone number: digits with the country code, without 00 or +. A number without a country code counts as Chinese
-- (the default language is zh-CN): an area code loses its 0, a mobile number is recognized by its form.
CREATE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE
    WHEN btrim(phone) LIKE '+%' THEN regexp_replace(phone, '\D', '', 'g')
    WHEN phone ~ '^\D*00' THEN substr(regexp_replace(phone, '\D', '', 'g'), 3)
    WHEN phone ~ '^\D*0' THEN '86' || substr(regexp_replace(phone, '\D', '', 'g'), 2)
    WHEN regexp_replace(phone, '\D', '', 'g') ~ '^1[3-9]\d{9}$' THEN '86' || regexp_replace(phone, '\D', '', 'g')
    ELSE regexp_replace(phone, '\D', '', 'g')
  END;

-- ==== after the tables

-- No compression: a hello exceeds the 2 kB above which rows are compressed, but is deleted within a second.
ALTER TABLE "inbox" SET (toast_tuple_target = 8160);

-- The two logs are append-only: only the upkeep job deletes from them, and only rows older than half a year.
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

-- Not in the tables' modules, which would import each other.
ALTER TABLE "groups" ADD CONSTRAINT "groups_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL;

-- Hourly sums begin with the stored history.
INSERT INTO "rollup_cursors" ("name", "at") VALUES ('hours', date_trunc('day', now() - interval '90 days', 'UTC'));

-- Silence of the workers is measured from the migration on, even if no worker is ever started [decisions/069].
INSERT INTO "work_marks" ("queue", "worked_at") VALUES ('iot', now());

-- Every report updates one of its rows: with free space on the page and no further index, as a HOT update.
ALTER TABLE "terminal_latest" SET (fillfactor = 50);
-- The same for what a device reports with each connect [decisions/183].
ALTER TABLE "devices" SET (fillfactor = 85);
ALTER TABLE "device_sections" SET (fillfactor = 60);

-- The newest values as rows: element slot + 1 of each array is the value of that slot.
CREATE VIEW "variable_latest" AS
  SELECT l.terminal_id, (u.place - 1)::smallint AS slot, to_timestamp(u.at::float8 / 1000)::timestamptz(3) AS at,
    u.value, u.text, coalesce(u.quality, 0::smallint) AS quality,
    to_timestamp((CASE WHEN l.good_at IS NULL THEN u.at ELSE u.good_at END)::float8 / 1000)::timestamptz(3) AS good_at,
    CASE WHEN l.good_at IS NULL THEN u.value ELSE u.good_value END AS good_value
  FROM "terminal_latest" l, unnest(l.at, l.vals, l.quality, l.texts, l.good_at, l.good_vals)
    WITH ORDINALITY AS u(at, value, quality, text, good_at, good_value, place)
  WHERE u.at IS NOT NULL;

-- What gateways poll follows from terminals, templates and variables, whoever changes them: workers compile the plans of
-- those that are marked. A device that is being deleted needs none.
CREATE FUNCTION mark_plans(gateways integer[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO collection_states (device_id, stale_since)
  SELECT id, clock_timestamp() FROM devices WHERE id = ANY(gateways) ORDER BY id
  ON CONFLICT (device_id) DO UPDATE SET stale_since = excluded.stale_since
$$;

CREATE FUNCTION follow_terminal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO terminal_latest (terminal_id) VALUES (NEW.id);
    PERFORM mark_plans(ARRAY[NEW.device_id]);
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO gone_terminals (terminal_id) VALUES (OLD.id);
    PERFORM mark_plans(ARRAY[OLD.device_id]);
  ELSE
    -- Slots belong to the template: values of the former template are invalid.
    IF NEW.template_id IS DISTINCT FROM OLD.template_id THEN
      UPDATE terminal_latest SET version = version + 1, at = '{}', vals = '{}', quality = NULL, texts = NULL,
        good_at = NULL, good_vals = NULL WHERE terminal_id = NEW.id;
    ELSIF NEW.device_id <> OLD.device_id THEN
      UPDATE terminal_latest SET version = version + 1 WHERE terminal_id = NEW.id;
    END IF;
    PERFORM mark_plans(ARRAY[OLD.device_id, NEW.device_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER terminals_followed AFTER INSERT OR UPDATE OR DELETE ON "terminals" FOR EACH ROW EXECUTE FUNCTION follow_terminal();

CREATE FUNCTION begin_template() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.template_since := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER terminals_template_since BEFORE UPDATE ON "terminals" FOR EACH ROW
  WHEN (NEW.template_id IS DISTINCT FROM OLD.template_id) EXECUTE FUNCTION begin_template();

-- A terminal whose values come from a foreign source is not polled; when it no longer is, it is polled again.
CREATE FUNCTION follow_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The gateway's last report about its slave is obsolete.
  IF TG_OP = 'INSERT' THEN
    UPDATE terminal_states SET state = 'answering', since = now() WHERE terminal_id = NEW.terminal_id AND state <> 'answering';
  END IF;
  PERFORM mark_plans(ARRAY(SELECT device_id FROM terminals WHERE id IN (NEW.terminal_id, OLD.terminal_id)));
  RETURN NULL;
END $$;
CREATE TRIGGER south_terminals_followed AFTER INSERT OR UPDATE OR DELETE ON "south_terminals" FOR EACH ROW EXECUTE FUNCTION follow_source();

-- A plan contains inputs and outputs of the gateway itself only if the gateway supports them.
CREATE FUNCTION follow_features() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collection_states SET stale_since = clock_timestamp() WHERE device_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER devices_features_followed AFTER UPDATE OF "features" ON "devices" FOR EACH ROW
  WHEN (coalesce(OLD.features ? 'interfaces', false) <> coalesce(NEW.features ? 'interfaces', false)) EXECUTE FUNCTION follow_features();

CREATE FUNCTION mark_template_plans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_plans(ARRAY(SELECT t.device_id FROM terminals t
    WHERE t.template_id IN (SELECT (to_jsonb(c) ->> TG_ARGV[0])::integer FROM changed c)));
  RETURN NULL;
END $$;
CREATE TRIGGER variables_added AFTER INSERT ON "variables" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('template_id');
CREATE TRIGGER variables_changed AFTER UPDATE ON "variables" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('template_id');
CREATE TRIGGER variables_removed AFTER DELETE ON "variables" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('template_id');
CREATE TRIGGER collection_templates_changed AFTER UPDATE ON "collection_templates" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('id');

-- Forwarding reads the changes of alarms in order of storing, as it reads values.
CREATE FUNCTION mark_alarm_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_by := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER alarms_change_marked BEFORE UPDATE ON "alarms" FOR EACH ROW
  WHEN (NEW.times <> OLD.times OR (NEW.ended_at IS NULL) <> (OLD.ended_at IS NULL)) EXECUTE FUNCTION mark_alarm_change();

-- If an external broker has accounts of its own, the ingest is notified of each new, changed or ended one.
CREATE FUNCTION tell_broker_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('broker_accounts', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER devices_account_told AFTER INSERT OR UPDATE OF "secret_sealed", "deleted_at" ON "devices" FOR EACH ROW
  WHEN (NEW.secret_sealed IS NOT NULL) EXECUTE FUNCTION tell_broker_account('devices');
CREATE TRIGGER enrolment_keys_account_told AFTER INSERT OR UPDATE OF "key_sealed", "revoked_at" ON "enrolment_keys" FOR EACH ROW
  WHEN (NEW.key_sealed IS NOT NULL) EXECUTE FUNCTION tell_broker_account('keys');
