ALTER TABLE "alarms" ALTER COLUMN "customer_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "alarms" ALTER COLUMN "device_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "alarms" ALTER COLUMN "group_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "task_id" integer;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_active_task" ON "alarms" USING btree ("task_id",coalesce("rule_id", 0)) WHERE "alarms"."ended_at" is null and "alarms"."task_id" is not null;--> statement-breakpoint
CREATE INDEX "alarms_task" ON "alarms" USING btree ("task_id") WHERE "alarms"."task_id" is not null;