CREATE TABLE "report_schedules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "report_schedules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer,
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"report" text NOT NULL,
	"filter" jsonb NOT NULL,
	"every" text NOT NULL,
	"day_number" integer NOT NULL,
	"minute" integer NOT NULL,
	"zone" text NOT NULL,
	"language" text NOT NULL,
	"recipients" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"stopped" text,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"last_run_at" timestamp (3) with time zone,
	"requested_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_days" (
	"day" date NOT NULL,
	"device_id" integer NOT NULL,
	"owned_since" timestamp (3) with time zone NOT NULL,
	"known_s" bigint NOT NULL,
	"online_s" bigint NOT NULL,
	"signal_sum" double precision NOT NULL,
	"signal_count" bigint NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "device_days_day_device_id_pk" PRIMARY KEY("day","device_id")
);
--> statement-breakpoint
CREATE TABLE "device_hours" (
	"device_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"known_s" integer DEFAULT 0 NOT NULL,
	"online_s" integer DEFAULT 0 NOT NULL,
	"signal_sum" double precision DEFAULT 0 NOT NULL,
	"signal_count" integer DEFAULT 0 NOT NULL,
	"signal_min" real,
	"signal_max" real,
	CONSTRAINT "device_hours_device_id_hour_pk" PRIMARY KEY("device_id","hour")
);
--> statement-breakpoint
CREATE TABLE "fleet_days" (
	"day" date NOT NULL,
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"model" text NOT NULL,
	"devices" integer NOT NULL,
	"known_s" bigint NOT NULL,
	"online_s" bigint NOT NULL,
	"rx_bytes" bigint,
	"tx_bytes" bigint,
	"signal_sum" double precision NOT NULL,
	"signal_devices" integer NOT NULL,
	"signal_min" real,
	"signal_max" real,
	"excellent" integer NOT NULL,
	"good" integer NOT NULL,
	"fair" integer NOT NULL,
	"poor" integer NOT NULL,
	CONSTRAINT "fleet_days_group_id_model_day_customer_id_pk" PRIMARY KEY("group_id","model","day","customer_id")
);
--> statement-breakpoint
CREATE TABLE "fleet_hours" (
	"hour" timestamp (3) with time zone NOT NULL,
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"model" text NOT NULL,
	"devices" integer NOT NULL,
	"known_s" bigint NOT NULL,
	"online_s" bigint NOT NULL,
	"rx_bytes" bigint,
	"tx_bytes" bigint,
	"signal_sum" double precision NOT NULL,
	"signal_devices" integer NOT NULL,
	"signal_min" real,
	"signal_max" real,
	"excellent" integer NOT NULL,
	"good" integer NOT NULL,
	"fair" integer NOT NULL,
	"poor" integer NOT NULL,
	CONSTRAINT "fleet_hours_group_id_model_hour_customer_id_pk" PRIMARY KEY("group_id","model","hour","customer_id")
);
--> statement-breakpoint
CREATE TABLE "rollup_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stale_hours" (
	"hour" timestamp (3) with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_days" (
	"day" date NOT NULL,
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"model" text NOT NULL,
	"firmware" text NOT NULL,
	"devices" integer NOT NULL,
	CONSTRAINT "version_days_group_id_day_customer_id_model_firmware_pk" PRIMARY KEY("group_id","day","customer_id","model","firmware")
);
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_schedules_requested" ON "report_schedules" USING btree ("requested_at") WHERE "report_schedules"."requested_at" is not null;--> statement-breakpoint
CREATE INDEX "report_schedules_due" ON "report_schedules" USING btree ("next_run_at") WHERE "report_schedules"."enabled";--> statement-breakpoint
CREATE INDEX "report_schedules_customer" ON "report_schedules" USING btree ("customer_id","name");--> statement-breakpoint
CREATE INDEX "report_schedules_owner" ON "report_schedules" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "device_days_device" ON "device_days" USING btree ("device_id","day");--> statement-breakpoint
CREATE INDEX "device_hours_hour" ON "device_hours" USING brin ("hour");--> statement-breakpoint
CREATE INDEX "fleet_days_day" ON "fleet_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "fleet_days_customer" ON "fleet_days" USING btree ("customer_id","group_id","model","day");--> statement-breakpoint
CREATE INDEX "fleet_hours_hour" ON "fleet_hours" USING brin ("hour");--> statement-breakpoint
CREATE INDEX "fleet_hours_customer" ON "fleet_hours" USING btree ("customer_id","group_id","model","hour");--> statement-breakpoint
CREATE INDEX "version_days_customer" ON "version_days" USING btree ("customer_id","group_id","day");--> statement-breakpoint
CREATE INDEX "version_days_day" ON "version_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "presence_online_at" ON "presence_records" USING btree ("online_at");--> statement-breakpoint
CREATE INDEX "traffic_hours_hour" ON "traffic_hours" USING brin ("hour");