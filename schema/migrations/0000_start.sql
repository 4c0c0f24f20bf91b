CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "commands" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"args" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"result" jsonb,
	"error" text,
	"from_boot_id" text
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"copyright" text,
	"logo" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customers_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "device_states" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"online" boolean DEFAULT false NOT NULL,
	"connection_id" uuid,
	"broker_id" text,
	"online_changed_at" timestamp (3) with time zone,
	"last_login_at" timestamp (3) with time zone,
	"last_logout_at" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone,
	"offline_reason" text,
	"online_count" integer DEFAULT 0 NOT NULL,
	"offline_count" integer DEFAULT 0 NOT NULL,
	"duplicate_suspected_at" timestamp (3) with time zone,
	"remote_ip" text,
	"status_at" timestamp (3) with time zone,
	"ip" text,
	"signal_dbm" real,
	"network_mode" text,
	"uptime_s" bigint,
	"rx_bytes" bigint,
	"tx_bytes" bigint,
	"load1" real,
	"memory_total_bytes" bigint,
	"memory_used_bytes" bigint,
	"temperature_celsius" real,
	"clients" integer,
	"interfaces" jsonb,
	"gps_longitude" double precision,
	"gps_latitude" double precision
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "devices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"sn" text NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"longitude" double precision,
	"latitude" double precision,
	"secret_hash" text,
	"secret_changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"secret_used_at" timestamp (3) with time zone,
	"model" text,
	"firmware" text,
	"hardware_type" text,
	"hardware_version" text,
	"manufacturer" text,
	"kernel" text,
	"mac" text,
	"imei" text,
	"imsi" text,
	"iccid" text,
	"operator" text,
	"config_hash" text,
	"packages" jsonb,
	"features" jsonb,
	"boot_id" text,
	"hello_at" timestamp (3) with time zone,
	"clock_skew_ms" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "enrolment_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enrolment_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"label" text NOT NULL,
	"hash" text NOT NULL,
	"max_count" integer NOT NULL,
	"used_count" integer DEFAULT 0 NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "enrolment_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"parent_id" integer,
	"level" integer NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_warnings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "device_warnings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"what" text NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"username" text,
	"customer_id" integer,
	"call" text NOT NULL,
	"device_id" integer,
	"body" jsonb,
	"code" integer NOT NULL,
	"ip" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "packages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"version" text NOT NULL,
	"model" text NOT NULL,
	"type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"md5" text NOT NULL,
	"file_key" text NOT NULL,
	"visibility" text NOT NULL,
	"customer_id" integer,
	"uploader_id" integer,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"sync_error" text,
	"remark" text,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "brokers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presence_records" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"device_id" integer NOT NULL,
	"broker_id" text NOT NULL,
	"online_at" timestamp (3) with time zone NOT NULL,
	"offline_at" timestamp (3) with time zone,
	"reason" text,
	"ip" text,
	"transport" text
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"function_ids" integer[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "login_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"blocked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ip" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "device_logs" (
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"boot_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"priority" integer NOT NULL,
	"tag" text,
	"text" text NOT NULL,
	CONSTRAINT "device_logs_device_id_boot_id_seq_at_pk" PRIMARY KEY("device_id","boot_id","seq","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "status_samples" (
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"stored_at" timestamp with time zone DEFAULT now() NOT NULL,
	"uptime_s" bigint,
	"signal_dbm" real,
	"network_mode" text,
	"rx_bytes" bigint,
	"tx_bytes" bigint,
	"load1" real,
	"memory_used_percent" real,
	"temperature_celsius" real,
	CONSTRAINT "status_samples_device_id_at_pk" PRIMARY KEY("device_id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "traffic_cursors" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"rx_bytes" bigint,
	"tx_bytes" bigint
);
--> statement-breakpoint
CREATE TABLE "traffic_days" (
	"device_id" integer NOT NULL,
	"day" date NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "traffic_days_device_id_day_pk" PRIMARY KEY("device_id","day")
);
--> statement-breakpoint
CREATE TABLE "traffic_hours" (
	"device_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "traffic_hours_device_id_hour_pk" PRIMARY KEY("device_id","hour")
);
--> statement-breakpoint
CREATE TABLE "task_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item_id" uuid NOT NULL,
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"what" text NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "task_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"superseded" boolean DEFAULT false NOT NULL,
	"step" text DEFAULT 'created' NOT NULL,
	"percent" real,
	"outcome" text,
	"failure" text,
	"failure_detail" text,
	"sending" text DEFAULT 'none' NOT NULL,
	"sending_at" timestamp (3) with time zone,
	"step_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"from_version" text,
	"from_boot_id" text
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"customer_id" integer,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"package_id" integer NOT NULL,
	"package_name" text NOT NULL,
	"type" text NOT NULL,
	"model" text NOT NULL,
	"version" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"md5" text NOT NULL,
	"keep_config" boolean NOT NULL,
	"server" text,
	"status" text DEFAULT 'ongoing' NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"wait_offline_minutes" integer NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer,
	"name" text NOT NULL,
	"function_ids" integer[] DEFAULT '{}' NOT NULL,
	"menu_ids" integer[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_groups" (
	"user_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "user_groups_user_id_group_id_pk" PRIMARY KEY("user_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"email" text,
	"password_hash" text NOT NULL,
	"type" text NOT NULL,
	"role_id" integer,
	"customer_id" integer,
	"nickname" text,
	"realname" text,
	"tel" text,
	"addr" text,
	"qq" text,
	"sex" integer,
	"icon" text,
	"status" integer DEFAULT 1 NOT NULL,
	"mon_state" integer DEFAULT 0 NOT NULL,
	"default_group_id" integer,
	"last_login_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "commands" ADD CONSTRAINT "commands_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_states" ADD CONSTRAINT "device_states_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolment_keys" ADD CONSTRAINT "enrolment_keys_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolment_keys" ADD CONSTRAINT "enrolment_keys_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_parent_id_groups_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_uploader_id_users_id_fk" FOREIGN KEY ("uploader_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_events" ADD CONSTRAINT "task_events_item_id_task_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."task_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_items" ADD CONSTRAINT "task_items_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_items" ADD CONSTRAINT "task_items_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_groups" ADD CONSTRAINT "user_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_groups" ADD CONSTRAINT "user_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_default_group_id_groups_id_fk" FOREIGN KEY ("default_group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "commands_device" ON "commands" USING btree ("device_id","created_at");--> statement-breakpoint
CREATE INDEX "commands_open" ON "commands" USING btree ("deadline_at") WHERE "commands"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "device_states_online" ON "device_states" USING btree ("device_id") WHERE "device_states"."online";--> statement-breakpoint
CREATE INDEX "device_states_broker" ON "device_states" USING btree ("broker_id") WHERE "device_states"."online";--> statement-breakpoint
CREATE UNIQUE INDEX "devices_sn" ON "devices" USING btree ("sn");--> statement-breakpoint
CREATE INDEX "devices_customer_sn" ON "devices" USING btree ("customer_id","sn") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_group" ON "devices" USING btree ("group_id") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_model" ON "devices" USING btree ("customer_id","model") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_firmware" ON "devices" USING btree ("customer_id","firmware") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_search" ON "devices" USING gin ((lower("sn" || ' ' || "name" || ' ' || coalesce("imei", '') || ' ' || coalesce("iccid", '') || ' ' || coalesce("mac", ''))) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "enrolment_keys_customer" ON "enrolment_keys" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_name" ON "groups" USING btree ("customer_id","name");--> statement-breakpoint
CREATE INDEX "groups_parent" ON "groups" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "operations_customer_at" ON "operations" USING btree ("customer_id","at");--> statement-breakpoint
CREATE INDEX "operations_device_at" ON "operations" USING btree ("device_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "packages_version" ON "packages" USING btree (coalesce("customer_id", 0),"model","type","version") WHERE "packages"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "packages_customer" ON "packages" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "brokers_beat" ON "brokers" USING btree ("beat_at","id");--> statement-breakpoint
CREATE INDEX "presence_device_at" ON "presence_records" USING btree ("device_id","online_at");--> statement-breakpoint
CREATE INDEX "presence_offline_at" ON "presence_records" USING btree ("offline_at");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_logs_device_at" ON "device_logs" USING btree ("device_id","at");--> statement-breakpoint
CREATE INDEX "status_samples_stored" ON "status_samples" USING brin ("stored_at");--> statement-breakpoint
CREATE INDEX "task_events_item" ON "task_events" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "task_events_device" ON "task_events" USING btree ("device_id","at");--> statement-breakpoint
CREATE INDEX "task_items_task" ON "task_items" USING btree ("task_id") WHERE not "task_items"."superseded";--> statement-breakpoint
CREATE INDEX "task_items_device" ON "task_items" USING btree ("device_id","step_at");--> statement-breakpoint
CREATE INDEX "task_items_deadline" ON "task_items" USING btree ("deadline_at") WHERE "task_items"."outcome" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "task_items_active" ON "task_items" USING btree ("device_id") WHERE "task_items"."outcome" is null and "task_items"."sending" <> 'none';--> statement-breakpoint
CREATE INDEX "tasks_customer_created" ON "tasks" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "tasks_ongoing" ON "tasks" USING btree ("id") WHERE "tasks"."status" = 'ongoing';--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree (coalesce("customer_id", 0),"name");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_customer" ON "users" USING btree ("customer_id");--> statement-breakpoint
CREATE TABLE "status_samples_default" PARTITION OF "status_samples" DEFAULT;--> statement-breakpoint
CREATE TABLE "device_logs_default" PARTITION OF "device_logs" DEFAULT;--> statement-breakpoint
-- The operation log only grows: not even our own code may rewrite it.
CREATE FUNCTION refuse_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'operations is append-only'; END $$;--> statement-breakpoint
CREATE TRIGGER operations_append_only BEFORE UPDATE OR DELETE ON "operations" FOR EACH ROW EXECUTE FUNCTION refuse_rewrite();
