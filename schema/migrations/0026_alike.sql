-- What people would take for one name is one [decisions/064]: width, case and spaces aside.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(btrim(normalize(name, NFKC)), '\s+', ' ', 'g'));--> statement-breakpoint
CREATE FUNCTION name_is_own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.shares_name := false; RETURN NEW; END $$;--> statement-breakpoint
ALTER TABLE "alarm_channels" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "alarm_rules" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "extra_parameters" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "printer_drivers" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "terminals" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "shares_name" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Who has names that look alike keeps them, or nothing would start; the first of them is the one that others may not be like.
UPDATE alarm_channels s SET shares_name = true WHERE EXISTS (SELECT 1 FROM alarm_channels o WHERE o.customer_id = s.customer_id AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
UPDATE alarm_rules s SET shares_name = true WHERE EXISTS (SELECT 1 FROM alarm_rules o WHERE o.customer_id = s.customer_id AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
UPDATE customers s SET shares_name = true WHERE EXISTS (SELECT 1 FROM customers o WHERE true AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
UPDATE groups s SET shares_name = true WHERE EXISTS (SELECT 1 FROM groups o WHERE o.customer_id = s.customer_id AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
UPDATE extra_parameters s SET shares_name = true WHERE EXISTS (SELECT 1 FROM extra_parameters o WHERE coalesce(o.customer_id, 0) = coalesce(s.customer_id, 0) AND (name_key(o.name_zh) = name_key(s.name_zh) OR name_key(o.name_en) = name_key(s.name_en)) AND o.id < s.id);--> statement-breakpoint
UPDATE printer_drivers s SET shares_name = true WHERE EXISTS (SELECT 1 FROM printer_drivers o WHERE true AND name_key(o.sign) = name_key(s.sign) AND o.id < s.id);--> statement-breakpoint
UPDATE saved_views s SET shares_name = true WHERE EXISTS (SELECT 1 FROM saved_views o WHERE o.user_id = s.user_id AND o.list = s.list AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
UPDATE terminals s SET shares_name = true WHERE EXISTS (SELECT 1 FROM terminals o WHERE o.device_id = s.device_id AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
UPDATE roles s SET shares_name = true WHERE EXISTS (SELECT 1 FROM roles o WHERE coalesce(o.customer_id, 0) = coalesce(s.customer_id, 0) AND name_key(o.name) = name_key(s.name) AND o.id < s.id);--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_channels_name_alike" ON "alarm_channels" USING btree ("customer_id",name_key("name")) WHERE not "alarm_channels"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_rules_name_alike" ON "alarm_rules" USING btree ("customer_id",name_key("name")) WHERE not "alarm_rules"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "customers_name_unique_alike" ON "customers" USING btree (name_key("name")) WHERE not "customers"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "groups_name_alike" ON "groups" USING btree ("customer_id",name_key("name")) WHERE not "groups"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "extra_parameters_name_zh_alike" ON "extra_parameters" USING btree (coalesce("customer_id", 0),name_key("name_zh")) WHERE not "extra_parameters"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "extra_parameters_name_en_alike" ON "extra_parameters" USING btree (coalesce("customer_id", 0),name_key("name_en")) WHERE not "extra_parameters"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "printer_drivers_sign_alike" ON "printer_drivers" USING btree (name_key("sign")) WHERE not "printer_drivers"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name_alike" ON "saved_views" USING btree ("user_id","list",name_key("name")) WHERE not "saved_views"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "terminals_name_alike" ON "terminals" USING btree ("device_id",name_key("name")) WHERE not "terminals"."shares_name";--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_alike" ON "roles" USING btree (coalesce("customer_id", 0),name_key("name")) WHERE not "roles"."shares_name";--> statement-breakpoint
-- A name that becomes another one is judged like a new one.
CREATE TRIGGER alarm_channels_name_is_own BEFORE UPDATE OF name ON alarm_channels FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER alarm_rules_name_is_own BEFORE UPDATE OF name ON alarm_rules FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER customers_name_is_own BEFORE UPDATE OF name ON customers FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER groups_name_is_own BEFORE UPDATE OF name ON groups FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER extra_parameters_name_is_own BEFORE UPDATE OF name_zh, name_en ON extra_parameters FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name_zh) IS DISTINCT FROM name_key(NEW.name_zh) OR name_key(OLD.name_en) IS DISTINCT FROM name_key(NEW.name_en))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER printer_drivers_name_is_own BEFORE UPDATE OF sign ON printer_drivers FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.sign) IS DISTINCT FROM name_key(NEW.sign))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER saved_views_name_is_own BEFORE UPDATE OF name ON saved_views FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER terminals_name_is_own BEFORE UPDATE OF name ON terminals FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();--> statement-breakpoint
CREATE TRIGGER roles_name_is_own BEFORE UPDATE OF name ON roles FOR EACH ROW
  WHEN (OLD.shares_name AND (name_key(OLD.name) IS DISTINCT FROM name_key(NEW.name))) EXECUTE FUNCTION name_is_own();
