ALTER TABLE "task_items" ADD COLUMN "offered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "task_items" ADD COLUMN "before_resume" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "max_failures" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "max_failure_percent" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "max_in_flight" integer DEFAULT 500 NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "pause_reason" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "paused_by" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "paused_failed" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "paused_tried" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "language" text DEFAULT 'zh-CN' NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_paused_by_users_id_fk" FOREIGN KEY ("paused_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;