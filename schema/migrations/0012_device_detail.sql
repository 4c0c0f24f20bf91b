CREATE TABLE "device_backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" integer NOT NULL,
	"command_id" uuid NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"remark" text,
	"link_expires_at" timestamp (3) with time zone NOT NULL,
	"file_key" text,
	"size_bytes" bigint,
	"sha256" text,
	"config_hash" text,
	"firmware" text
);
--> statement-breakpoint
CREATE TABLE "schedule_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schedule_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"by" text,
	"reason" text,
	"command_id" uuid,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"kind" text NOT NULL,
	"date" date,
	"time" text NOT NULL,
	"weekdays" integer[] NOT NULL,
	"time_zone" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"updated_by" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"told_revision" integer DEFAULT 0 NOT NULL,
	"told_until" timestamp (3) with time zone,
	"plan_command_id" uuid,
	"plan_tried_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "device_sections" (
	"device_id" integer NOT NULL,
	"name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "device_sections_device_id_name_pk" PRIMARY KEY("device_id","name")
);
--> statement-breakpoint
CREATE TABLE "probe_samples" (
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"target" text NOT NULL,
	"link" text,
	"sent" integer NOT NULL,
	"received" integer NOT NULL,
	"min_ms" real,
	"avg_ms" real,
	"max_ms" real,
	CONSTRAINT "probe_samples_device_id_at_target_pk" PRIMARY KEY("device_id","at","target")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "sim_switches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sim_switches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"from_slot" integer NOT NULL,
	"to_slot" integer NOT NULL,
	"reason" text NOT NULL,
	"from_iccid" text,
	"to_iccid" text,
	"operator" text,
	"detail" text
);
--> statement-breakpoint
ALTER TABLE "device_backups" ADD CONSTRAINT "device_backups_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_sections" ADD CONSTRAINT "device_sections_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sim_switches" ADD CONSTRAINT "sim_switches_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_backups_device" ON "device_backups" USING btree ("device_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_due" ON "schedule_runs" USING btree ("device_id","due_at");--> statement-breakpoint
CREATE INDEX "schedule_runs_open" ON "schedule_runs" USING btree ("due_at") WHERE "schedule_runs"."state" in ('sent', 'waiting');--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_run_at") WHERE "schedules"."enabled";--> statement-breakpoint
CREATE UNIQUE INDEX "sim_switches_device_at" ON "sim_switches" USING btree ("device_id","at");--> statement-breakpoint
CREATE INDEX "sim_switches_at" ON "sim_switches" USING btree ("at");--> statement-breakpoint
CREATE TABLE "probe_samples_default" PARTITION OF "probe_samples" DEFAULT;
