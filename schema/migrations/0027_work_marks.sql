CREATE TABLE "work_marks" (
	"queue" text PRIMARY KEY NOT NULL,
	"worked_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
-- Silence counts from here on, also where no worker ever starts.
INSERT INTO "work_marks" ("queue", "worked_at") VALUES ('iot', now());
