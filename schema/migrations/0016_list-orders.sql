DROP INDEX "alarms_at";--> statement-breakpoint
DROP INDEX "devices_group";--> statement-breakpoint
DROP INDEX "logins_at";--> statement-breakpoint
DROP INDEX "operations_at";--> statement-breakpoint
ALTER TABLE "logins" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(username || ' ' || coalesce(ip, ''))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(call || ' ' || coalesce(object, '') || ' ' || coalesce(username, '') || ' ' || coalesce(ip, ''))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "alarms_started" ON "alarms" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "alarms_severity" ON "alarms" USING btree (array_position(array['critical', 'major', 'minor', 'warning', 'info'], "severity"),"last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "alarms_device_name" ON "alarms" USING btree ("device_name","last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "alarms_rule_name" ON "alarms" USING btree ("rule_name","last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "alarms_search" ON "alarms" USING gin ((lower("sn" || ' ' || "device_name" || ' ' || "rule_name")) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "devices_place" ON "devices" USING btree ("customer_id","group_id","id") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "groups_order" ON "groups" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "logins_search" ON "logins" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "operations_search" ON "operations" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "alarms_at" ON "alarms" USING btree ("last_at","id");--> statement-breakpoint
CREATE INDEX "devices_group" ON "devices" USING btree ("group_id","sn") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "logins_at" ON "logins" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "operations_at" ON "operations" USING btree ("at","id");