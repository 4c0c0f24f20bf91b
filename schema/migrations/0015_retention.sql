DROP INDEX "task_items_task";--> statement-breakpoint
CREATE INDEX "alarm_deliveries_at" ON "alarm_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_mail" ON "alarm_deliveries" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "alarm_notices_at" ON "alarm_notices" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "alarm_incidents_at" ON "alarm_incidents" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "device_backups_empty" ON "device_backups" USING btree ("created_at") WHERE "device_backups"."file_key" is null;--> statement-breakpoint
CREATE INDEX "commands_ended" ON "commands" USING btree ("ended_at") WHERE "commands"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "printers_absent" ON "printers" USING btree ("status_at") WHERE not "printers"."present";--> statement-breakpoint
CREATE INDEX "schedule_runs_at" ON "schedule_runs" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "traffic_days_day" ON "traffic_days" USING brin ("day");--> statement-breakpoint
CREATE INDEX "task_items_task" ON "task_items" USING btree ("task_id");--> statement-breakpoint
INSERT INTO "rollup_cursors" ("name", "at") VALUES ('hours', date_trunc('day', now() - interval '90 days', 'UTC')) ON CONFLICT ("name") DO NOTHING;
