ALTER TABLE "command_batches" ADD COLUMN "stopped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "command_batches" ADD COLUMN "stop_reason" text;--> statement-breakpoint
ALTER TABLE "command_batches" ADD COLUMN "stopped_failed" integer;--> statement-breakpoint
ALTER TABLE "command_batches" ADD COLUMN "stopped_tried" integer;--> statement-breakpoint
ALTER TABLE "command_batches" ADD COLUMN "resumed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "command_batches" ADD COLUMN "resumed_by" integer;--> statement-breakpoint
ALTER TABLE "command_batches" ADD CONSTRAINT "command_batches_resumed_by_users_id_fk" FOREIGN KEY ("resumed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;