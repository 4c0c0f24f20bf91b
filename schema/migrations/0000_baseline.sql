-- Made by `npm run baseline`: change schema/tables/ or by-hand.sql instead.

-- A type of one byte per element: schema/tables/status-pack.ts.
CREATE DOMAIN "byte_array" AS "char"[];


-- Trigram indexes for searches by a part of a text.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Names that look alike are equal [decisions/064]: ignoring width, case and runs of spaces.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(btrim(normalize(name, NFKC)), '\s+', ' ', 'g'));

-- Normal form of a phone number: digits with the country code, without 00 or +. A number without a country code counts as Chinese
-- (the default language is zh-CN): an area code loses its 0, a mobile number is recognized by its form.
CREATE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE
    WHEN btrim(phone) LIKE '+%' THEN regexp_replace(phone, '\D', '', 'g')
    WHEN phone ~ '^\D*00' THEN substr(regexp_replace(phone, '\D', '', 'g'), 3)
    WHEN phone ~ '^\D*0' THEN '86' || substr(regexp_replace(phone, '\D', '', 'g'), 2)
    WHEN regexp_replace(phone, '\D', '', 'g') ~ '^1[3-9]\d{9}$' THEN '86' || regexp_replace(phone, '\D', '', 'g')
    ELSE regexp_replace(phone, '\D', '', 'g')
  END;

CREATE TABLE "advertisement_counts" (
	"advertisement_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"day" date NOT NULL,
	"shown" integer NOT NULL,
	"clicked" integer NOT NULL,
	CONSTRAINT "advertisement_counts_advertisement_id_device_id_day_pk" PRIMARY KEY("advertisement_id","device_id","day")
);
CREATE TABLE "advertisement_days" (
	"advertisement_id" integer NOT NULL,
	"day" date NOT NULL,
	"shown" bigint NOT NULL,
	"clicked" bigint NOT NULL,
	CONSTRAINT "advertisement_days_advertisement_id_day_pk" PRIMARY KEY("advertisement_id","day")
);
CREATE TABLE "advertisement_groups" (
	"advertisement_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "advertisement_groups_advertisement_id_group_id_pk" PRIMARY KEY("advertisement_id","group_id")
);
CREATE TABLE "advertisements" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "advertisements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"image_id" uuid NOT NULL,
	"caption" text,
	"link" text NOT NULL,
	"place" integer DEFAULT 100 NOT NULL,
	"scope" text NOT NULL,
	"from_date" date,
	"to_date" date,
	"weekdays" integer[] DEFAULT '{}' NOT NULL,
	"from_time" text,
	"to_time" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"shown_total" bigint DEFAULT 0 NOT NULL,
	"clicked_total" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "alarm_channels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_channels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"url_sealed" text NOT NULL,
	"url_shown" text NOT NULL,
	"secret_sealed" text,
	"template" text,
	"events" text[] DEFAULT '{}' NOT NULL,
	"event_language" text DEFAULT 'zh-CN' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"broken_at" timestamp (3) with time zone,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "alarm_conditions" (
	"rule_id" integer PRIMARY KEY NOT NULL,
	"variable_id" integer,
	"variable_name" text NOT NULL,
	"unit" text NOT NULL,
	"operator" text NOT NULL,
	"low" double precision,
	"high" double precision,
	"recover_at" double precision,
	"hysteresis" double precision,
	"bit" integer,
	"within_s" integer,
	"minutes" integer,
	"formula" text
);
CREATE TABLE "alarm_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"notice_id" uuid NOT NULL,
	"customer_id" integer NOT NULL,
	"channel_id" integer,
	"mail_id" bigint,
	"recipient" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"response_status" integer,
	"response_text" text,
	"took_ms" integer,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone
);
CREATE TABLE "alarm_incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"rule_id" integer,
	"ground" text NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"notified" text DEFAULT 'nothing' NOT NULL,
	"notified_at" timestamp (3) with time zone,
	"held" boolean DEFAULT false NOT NULL
);
CREATE TABLE "alarm_marks" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"iccid" text,
	"remote_ip" text,
	"config_hash" text,
	"boot_id" text,
	"boots" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL
);
CREATE TABLE "alarm_note_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_note_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "alarm_notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL,
	"rule_id" integer,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "alarm_pendings" (
	"rule_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alarm_pendings_rule_id_device_id_subject_pk" PRIMARY KEY("rule_id","device_id","subject")
);
CREATE TABLE "alarm_rule_channels" (
	"rule_id" integer NOT NULL,
	"channel_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_channels_rule_id_channel_id_pk" PRIMARY KEY("rule_id","channel_id")
);
CREATE TABLE "alarm_rule_contacts" (
	"rule_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_contacts_rule_id_contact_id_pk" PRIMARY KEY("rule_id","contact_id")
);
CREATE TABLE "alarm_rule_devices" (
	"rule_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_devices_rule_id_device_id_pk" PRIMARY KEY("rule_id","device_id")
);
CREATE TABLE "alarm_rule_groups" (
	"rule_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_groups_rule_id_group_id_pk" PRIMARY KEY("rule_id","group_id")
);
CREATE TABLE "alarm_rule_terminals" (
	"rule_id" integer NOT NULL,
	"terminal_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_terminals_rule_id_terminal_id_pk" PRIMARY KEY("rule_id","terminal_id")
);
CREATE TABLE "alarm_rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"severity" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"threshold" real,
	"recover_at" real,
	"for_minutes" integer DEFAULT 0 NOT NULL,
	"for_seconds" integer DEFAULT 0 NOT NULL,
	"window_minutes" integer,
	"scope" text NOT NULL,
	"mode" text DEFAULT 'once' NOT NULL,
	"interval_minutes" integer,
	"by_email" boolean DEFAULT true NOT NULL,
	"to_users" boolean DEFAULT false NOT NULL,
	"quiet_from" text,
	"quiet_to" text,
	"time_zone" text NOT NULL,
	"language" text NOT NULL,
	"alert_text" text NOT NULL,
	"recovery_text" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "alarms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" integer,
	"rule_id" integer,
	"rule_name" text NOT NULL,
	"kind" text NOT NULL,
	"severity" text NOT NULL,
	"device_id" integer,
	"task_id" integer,
	"sn" text NOT NULL,
	"device_name" text NOT NULL,
	"group_id" integer,
	"group_name" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"value" real,
	"threshold" real,
	"detail" text,
	"terminal_id" integer,
	"variable_id" integer,
	"terminal_name" text,
	"variable_name" text,
	"condition" jsonb,
	"unknown_since" timestamp (3) with time zone,
	"unknown_why" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"times" integer DEFAULT 1 NOT NULL,
	"changed_by" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	"ack_at" timestamp (3) with time zone,
	"ack_by" integer,
	"handled_at" timestamp (3) with time zone,
	"handled_by" integer,
	"note" text,
	"incident_id" integer,
	"notified" text DEFAULT 'nothing' NOT NULL,
	"notified_at" timestamp (3) with time zone,
	"held" boolean DEFAULT false NOT NULL
);
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
CREATE TABLE "brokers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
CREATE TABLE "collection_states" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"revision" integer,
	"sent_at" timestamp (3) with time zone,
	"running_revision" integer,
	"refused_revision" integer,
	"refused_reason" text,
	"reported_at" timestamp (3) with time zone,
	"clock_offset_ms" bigint DEFAULT 0 NOT NULL,
	"lint" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"stale_since" timestamp (3) with time zone
);
CREATE TABLE "collection_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "collection_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"vendor" text,
	"remark" text,
	"library_key" text,
	"byte_order" text DEFAULT 'ABCD' NOT NULL,
	"max_gap" integer DEFAULT 8 NOT NULL,
	"max_registers" integer DEFAULT 125 NOT NULL,
	"timeout_ms" integer DEFAULT 1000 NOT NULL,
	"pause_ms" integer DEFAULT 0 NOT NULL,
	"connect_delay_ms" integer DEFAULT 0 NOT NULL,
	"retries" integer DEFAULT 2 NOT NULL,
	"poll_ms" integer DEFAULT 5000 NOT NULL,
	"next_slot" smallint DEFAULT 0 NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
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
CREATE TABLE "config_drafts" (
	"device_id" integer NOT NULL,
	"page" text NOT NULL,
	"customer_id" integer NOT NULL,
	"changes" text NOT NULL,
	"fields" jsonb NOT NULL,
	"updated_by" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_revision" integer,
	CONSTRAINT "config_drafts_device_id_page_pk" PRIMARY KEY("device_id","page")
);
CREATE TABLE "config_files" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"md5" text NOT NULL,
	"file_key" text NOT NULL,
	"uploader_id" integer,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"remark" text
);
CREATE TABLE "config_template_states" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"of_hash" text NOT NULL,
	"templates" text NOT NULL,
	"changes" integer NOT NULL,
	"on_uplink" boolean NOT NULL,
	"is_faulty" boolean NOT NULL
);
CREATE TABLE "config_template_uses" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_template_uses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"template_id" integer NOT NULL,
	"group_id" integer,
	"device_id" integer,
	"place" integer NOT NULL,
	CONSTRAINT "config_template_uses_scope" CHECK ("config_template_uses"."group_id" is null or "config_template_uses"."device_id" is null)
);
CREATE TABLE "config_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"remark" text,
	"pages" text NOT NULL,
	"fields" jsonb NOT NULL,
	"updated_by" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "config_variable_values" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_variable_values_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"variable_id" integer NOT NULL,
	"group_id" integer,
	"device_id" integer,
	"value" text NOT NULL,
	CONSTRAINT "config_variable_values_scope" CHECK ("config_variable_values"."group_id" is null or "config_variable_values"."device_id" is null)
);
CREATE TABLE "config_variables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_variables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"remark" text,
	"is_secret" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "contacts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL,
	"wechat" text,
	"remark" text,
	"events" text[] DEFAULT '{}' NOT NULL,
	"event_language" text DEFAULT 'zh-CN' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "customers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"contact" text,
	"phone" text,
	"email" text,
	"address" text,
	"service_type" text DEFAULT 'standard' NOT NULL,
	"copyright" text,
	"logo" uuid,
	"totp_required" boolean DEFAULT false NOT NULL,
	"remote_targets" text,
	"terminal_recording" text DEFAULT 'on' NOT NULL,
	"demonstration" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "device_backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" integer NOT NULL,
	"customer_id" integer,
	"from_sn" text,
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
CREATE TABLE "device_configs" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"level" integer,
	"abilities" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"uplink" text,
	"running_hash" text,
	"document_hash" text,
	"document" text,
	"packages" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"document_at" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone,
	"unread_since" timestamp (3) with time zone,
	"pending_revision" integer,
	"answered_at" timestamp (3) with time zone,
	"desired_hash" text,
	"desired" text,
	"desired_at" timestamp (3) with time zone,
	"desired_by" integer,
	"drift" integer DEFAULT 0 NOT NULL,
	"ignored" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"notified_drift" boolean DEFAULT false NOT NULL,
	"notified_revert_at" timestamp (3) with time zone,
	"revision" integer DEFAULT 0 NOT NULL,
	"item_id" uuid,
	"last_item_id" uuid,
	"next" text,
	"next_hash" text,
	"next_packages" jsonb,
	"next_desired" text,
	"next_desired_hash" text,
	"next_drift" integer DEFAULT 0 NOT NULL,
	"own" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"next_own" jsonb,
	"files" text,
	"next_files" text,
	"ended" text,
	"fault" jsonb,
	"detail" text,
	"ended_at" timestamp (3) with time zone,
	"state" text GENERATED ALWAYS AS (case when level is null then 'unsupported' when item_id is not null then 'waiting' when ended in ('rejected', 'conflict', 'busy', 'failed') then 'refused' when ended = 'reverted' then 'reverted' when drift > 0 then 'differs' when document_hash is null then 'unread' else 'inStep' end) STORED NOT NULL
);
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
CREATE TABLE "device_sections" (
	"device_id" integer NOT NULL,
	"name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "device_sections_device_id_name_pk" PRIMARY KEY("device_id","name")
);
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
	"network_mode" text,
	"uptime_s" bigint,
	"rx_bytes" bigint,
	"tx_bytes" bigint,
	"memory_total_bytes" bigint,
	"memory_used_bytes" bigint,
	"signal_dbm" real,
	"cpu_percent" real,
	"load1" real,
	"memory_used_percent" real,
	"temperature_celsius" real,
	"clients" integer,
	"interfaces" jsonb,
	"gps_longitude" double precision,
	"gps_latitude" double precision
);
CREATE TABLE "device_warnings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "device_warnings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"what" text NOT NULL,
	"detail" text
);
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
	"secret_sealed" text,
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
	"sim_state" text,
	"config_hash" text,
	"packages" jsonb,
	"features" jsonb,
	"boot_id" text,
	"hello_at" timestamp (3) with time zone,
	"clock_skew_ms" bigint,
	"time_zone" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"deleted_by" integer,
	"deleted_reason" text,
	"purged_at" timestamp (3) with time zone,
	"owned_since" timestamp (3) with time zone,
	"data_plan_mb" integer,
	"replaces_id" integer,
	"search_text" text GENERATED ALWAYS AS (lower(sn || ' ' || name || ' ' || coalesce(imei, '') || ' ' || coalesce(iccid, '') || ' ' || coalesce(mac, ''))) STORED NOT NULL
);
CREATE TABLE "email_bindings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "email_bindings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"email" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "email_bindings_hash_unique" UNIQUE("hash")
);
CREATE TABLE "enrolment_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enrolment_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"label" text NOT NULL,
	"hash" text NOT NULL,
	"key_sealed" text,
	"max_count" integer NOT NULL,
	"used_count" integer DEFAULT 0 NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "enrolment_keys_hash_unique" UNIQUE("hash")
);
CREATE TABLE "extra_parameters" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extra_parameters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer,
	"name_zh" text NOT NULL,
	"name_en" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_by" text
);
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
CREATE TABLE "former_users" (
	"id" integer PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"customer_id" integer,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "gone_terminals" (
	"terminal_id" integer PRIMARY KEY NOT NULL,
	"gone_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"parent_id" integer,
	"level" integer NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"owner_id" integer,
	"remote_account" text,
	"remote_password" text,
	"remote_key" text,
	"remote_ip" text,
	"mask_bits" integer,
	"bridged" boolean DEFAULT false NOT NULL,
	"login_type" text DEFAULT 'disallow' NOT NULL,
	"login_num" integer DEFAULT 1 NOT NULL,
	"n2n_server_id" integer,
	"remote_logins" integer,
	"data_plan_mb" integer,
	"remote_approval" text DEFAULT 'inherit' NOT NULL,
	"remote_targets" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_level" CHECK ("groups"."level" between 1 and 3)
);
CREATE TABLE "home_visits" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"since" timestamp (3) with time zone
);
CREATE TABLE "images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" integer,
	"mime" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "inbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"name" text NOT NULL,
	"payload" json NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "installation_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "invitations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
	"email" text NOT NULL,
	"language" text NOT NULL,
	"hash" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "invitations_hash_unique" UNIQUE("hash")
);
CREATE TABLE "kiosk_links" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "kiosk_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"panel_id" integer,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "kiosk_links_hash_unique" UNIQUE("hash")
);
CREATE TABLE "login_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"blocked_until" timestamp (3) with time zone
);
CREATE TABLE "logins" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "logins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"username" text NOT NULL,
	"customer_id" integer,
	"way" text NOT NULL,
	"code" integer NOT NULL,
	"ip" text,
	"user_agent" text,
	"session_id" uuid,
	"search_text" text GENERATED ALWAYS AS (lower(username || ' ' || coalesce(ip, ''))) STORED NOT NULL
);
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" integer,
	"purpose" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"kept" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone
);
CREATE TABLE "maintenance_devices" (
	"maintenance_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	CONSTRAINT "maintenance_devices_maintenance_id_device_id_pk" PRIMARY KEY("maintenance_id","device_id")
);
CREATE TABLE "maintenance_groups" (
	"maintenance_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "maintenance_groups_maintenance_id_group_id_pk" PRIMARY KEY("maintenance_id","group_id")
);
CREATE TABLE "maintenances" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "maintenances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"repeats" text DEFAULT 'once' NOT NULL,
	"time_zone" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "n2n_servers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "n2n_servers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"address" text NOT NULL,
	"port" integer NOT NULL,
	"version" integer NOT NULL,
	"management_port" integer,
	"management_address" text,
	"token_hash" text NOT NULL,
	"fetched_at" timestamp (3) with time zone,
	"up" boolean,
	"checked_at" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"edges" integer,
	"check_error" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "north_targets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "north_targets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"address_sealed" text NOT NULL,
	"address_shown" text NOT NULL,
	"username" text,
	"secret_sealed" text,
	"topic" text,
	"template" text,
	"values" boolean DEFAULT true NOT NULL,
	"alarms" boolean DEFAULT true NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stored_by" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	"terminal_id" integer DEFAULT 0 NOT NULL,
	"report_at" timestamp (3) with time zone DEFAULT to_timestamp(0) NOT NULL,
	"alarms_by" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	"alarm_id" bigint DEFAULT 0 NOT NULL,
	"sent_count" bigint DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"caught_up_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"waiting" boolean DEFAULT false NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"fault" text,
	"fault_status" integer,
	"fault_at" timestamp (3) with time zone,
	"passed_count" bigint DEFAULT 0 NOT NULL,
	"passed_at" timestamp (3) with time zone,
	"passed_status" integer,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lease" uuid,
	"leased_until" timestamp (3) with time zone
);
CREATE TABLE "operations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"username" text,
	"customer_id" integer,
	"object_customer_id" integer,
	"call" text NOT NULL,
	"device_id" integer,
	"body" jsonb,
	"object" text,
	"object_kind" text,
	"objects" jsonb,
	"before" jsonb,
	"after" jsonb,
	"code" integer NOT NULL,
	"ip" text,
	"request_id" text,
	"search_text" text GENERATED ALWAYS AS (lower(call || ' ' || coalesce(object, '') || ' ' || coalesce(username, '') || ' ' || coalesce(ip, ''))) STORED NOT NULL
);
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
	"signature" text,
	"visibility" text NOT NULL,
	"customer_id" integer,
	"uploader_id" integer,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"sync_error" text,
	"remark" text,
	"deleted_at" timestamp (3) with time zone
);
CREATE TABLE "panels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "panels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"widgets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"image_ids" uuid[] DEFAULT '{}' NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "parameter_values" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "parameter_values_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"customer_id" integer,
	"value" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_by" text
);
CREATE TABLE "poll_plans" (
	"device_id" integer NOT NULL,
	"revision" integer NOT NULL,
	"hash" text NOT NULL,
	"document" jsonb NOT NULL,
	"scales" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "poll_plans_device_id_revision_pk" PRIMARY KEY("device_id","revision")
);
CREATE TABLE "portal_devices" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"desired" text DEFAULT '' NOT NULL,
	"reported" text DEFAULT '' NOT NULL,
	"today" integer[] DEFAULT '{}' NOT NULL,
	"reported_at" timestamp (3) with time zone,
	"command_id" uuid,
	"tried_at" timestamp (3) with time zone,
	"tries" smallint DEFAULT 0 NOT NULL,
	"error" text
);
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
CREATE TABLE "printer_drivers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "printer_drivers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"address" text NOT NULL,
	"type" text NOT NULL,
	"sign" text NOT NULL,
	"debug_state" text DEFAULT 'notDebugged' NOT NULL,
	"remark" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "printers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "printers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"local_id" text NOT NULL,
	"alias" text,
	"vendor" text,
	"type" text,
	"driver_sign" text,
	"status" text NOT NULL,
	"status_at" timestamp (3) with time zone NOT NULL,
	"present" boolean DEFAULT true NOT NULL,
	"method" text NOT NULL,
	"port" text NOT NULL,
	"success_count" integer NOT NULL,
	"fail_count" integer NOT NULL,
	"last_print_at" timestamp (3) with time zone
);
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
CREATE TABLE "projects" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"user_id" integer,
	"history_days" integer,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "recipients" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recipients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer,
	"email" text NOT NULL,
	"hash" text,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	CONSTRAINT "recipients_hash_unique" UNIQUE("hash")
);
CREATE TABLE "recovery_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp (3) with time zone
);
CREATE TABLE "remote_accesses" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "remote_accesses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"reason" text NOT NULL,
	"minutes" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" integer,
	"note" text,
	"until" timestamp (3) with time zone NOT NULL
);
CREATE TABLE "remote_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"login_id" uuid,
	"token_id" integer,
	"command_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"scheme" text NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"broken_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"tunnel_at" timestamp (3) with time zone,
	"ready_at" timestamp (3) with time zone,
	"active_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"end_detail" text,
	"from_device_bytes" bigint DEFAULT 0 NOT NULL,
	"to_device_bytes" bigint DEFAULT 0 NOT NULL
);
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
	"held_until" timestamp (3) with time zone,
	"requested_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "roles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer,
	"name" text NOT NULL,
	"function_ids" integer[] DEFAULT '{}' NOT NULL,
	"menu_ids" integer[] DEFAULT '{}' NOT NULL,
	"template" boolean DEFAULT false NOT NULL,
	"description" text,
	"status" integer DEFAULT 1 NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "rollup_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
CREATE TABLE "rollup_positions" (
	"name" text PRIMARY KEY NOT NULL,
	"stored_by" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
CREATE TABLE "saved_views" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"customer_id" integer,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
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
	"confirmed_revision" integer DEFAULT 0 NOT NULL,
	"sent_until" timestamp (3) with time zone,
	"plan_command_id" uuid,
	"plan_tried_at" timestamp (3) with time zone
);
CREATE TABLE "send_budgets" (
	"customer_id" integer,
	"purpose" text NOT NULL,
	"used" double precision NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL
);
CREATE TABLE "serving_marks" (
	"service" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ip" text,
	"user_agent" text
);
CREATE TABLE "signing_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "signing_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer,
	"name" text NOT NULL,
	"key_name" text NOT NULL,
	"public_key" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
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
CREATE TABLE "sms_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"number" text NOT NULL,
	"text" text NOT NULL,
	"command_id" uuid,
	"sent_at" timestamp (3) with time zone,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "south_accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "south_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"username" text NOT NULL,
	"secret_hash" text NOT NULL,
	"topics" text[] NOT NULL,
	"mapping" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "south_names" (
	"account_id" integer NOT NULL,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"value" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "south_names_account_id_source_name_pk" PRIMARY KEY("account_id","source","name")
);
CREATE TABLE "south_states" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"brokers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"message_at" timestamp (3) with time zone,
	"messages" bigint DEFAULT 0 NOT NULL,
	"stored" bigint DEFAULT 0 NOT NULL,
	"faults" bigint DEFAULT 0 NOT NULL,
	"fault" text,
	"fault_topic" text,
	"fault_at" timestamp (3) with time zone
);
CREATE TABLE "south_terminals" (
	"terminal_id" integer PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"source" text NOT NULL,
	"linked_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "stale_hours" (
	"hour" timestamp (3) with time zone PRIMARY KEY NOT NULL
);
CREATE TABLE "status_packs" (
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"samples" integer NOT NULL,
	"first_ms" integer NOT NULL,
	"step_ms" integer NOT NULL,
	"network_mode" text[],
	"at_0" "byte_array",
	"at_1" "byte_array",
	"at_2" "byte_array",
	"at_r" bigint[],
	"uptime_s_0" "byte_array",
	"uptime_s_1" "byte_array",
	"uptime_s_2" "byte_array",
	"uptime_s_r" bigint[],
	"rx_bytes_0" "byte_array",
	"rx_bytes_1" "byte_array",
	"rx_bytes_2" "byte_array",
	"rx_bytes_r" bigint[],
	"tx_bytes_0" "byte_array",
	"tx_bytes_1" "byte_array",
	"tx_bytes_2" "byte_array",
	"tx_bytes_r" bigint[],
	"signal_dbm_0" "byte_array",
	"signal_dbm_1" "byte_array",
	"signal_dbm_2" "byte_array",
	"signal_dbm_r" bigint[],
	"cpu_percent_0" "byte_array",
	"cpu_percent_1" "byte_array",
	"cpu_percent_2" "byte_array",
	"cpu_percent_r" bigint[],
	"load1_0" "byte_array",
	"load1_1" "byte_array",
	"load1_2" "byte_array",
	"load1_r" bigint[],
	"memory_used_percent_0" "byte_array",
	"memory_used_percent_1" "byte_array",
	"memory_used_percent_2" "byte_array",
	"memory_used_percent_r" bigint[],
	"temperature_celsius_0" "byte_array",
	"temperature_celsius_1" "byte_array",
	"temperature_celsius_2" "byte_array",
	"temperature_celsius_r" bigint[],
	"signal_dbm_raw" real[],
	"cpu_percent_raw" real[],
	"load1_raw" real[],
	"memory_used_percent_raw" real[],
	"temperature_celsius_raw" real[],
	CONSTRAINT "status_packs_device_id_at_pk" PRIMARY KEY("device_id","at")
) PARTITION BY RANGE ("at");
CREATE TABLE "status_samples" (
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"stored_at" timestamp with time zone DEFAULT now() NOT NULL,
	"uptime_s" bigint,
	"network_mode" text,
	"rx_bytes" bigint,
	"tx_bytes" bigint,
	"signal_dbm" real,
	"cpu_percent" real,
	"load1" real,
	"memory_used_percent" real,
	"temperature_celsius" real,
	CONSTRAINT "status_samples_device_id_at_pk" PRIMARY KEY("device_id","at")
) PARTITION BY RANGE ("at");
CREATE TABLE "task_decisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_decisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"task_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"what" text NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"by_engine" boolean NOT NULL,
	"user_id" integer,
	"notified" boolean DEFAULT false NOT NULL
);
CREATE TABLE "task_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item_id" uuid NOT NULL,
	"device_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"what" text NOT NULL,
	"detail" text
);
CREATE TABLE "task_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"wave" integer DEFAULT 0 NOT NULL,
	"superseded" boolean DEFAULT false NOT NULL,
	"step" text DEFAULT 'created' NOT NULL,
	"percent" real,
	"outcome" text,
	"failure" text,
	"failure_detail" text,
	"held_up_by" text,
	"sending" text DEFAULT 'none' NOT NULL,
	"sending_at" timestamp (3) with time zone,
	"offers" integer DEFAULT 0 NOT NULL,
	"offered_at" timestamp (3) with time zone,
	"before_resume" boolean DEFAULT false NOT NULL,
	"step_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"from_version" text,
	"soak_since" timestamp (3) with time zone,
	"soak_until" timestamp (3) with time zone,
	"retry_at" timestamp (3) with time zone,
	"retry_off" boolean DEFAULT false NOT NULL,
	"args" jsonb,
	"target_hash" text,
	"result" jsonb,
	"from_boot_id" text
);
CREATE TABLE "task_waves" (
	"task_id" integer NOT NULL,
	"nth" integer NOT NULL,
	"by" text NOT NULL,
	"value" integer,
	"group_name" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "task_waves_task_id_nth_pk" PRIMARY KEY("task_id","nth")
);
CREATE TABLE "tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"customer_id" integer,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"package_id" integer,
	"config_file_id" integer,
	"backup_id" uuid,
	"package_name" text,
	"type" text,
	"model" text,
	"version" text,
	"size_bytes" bigint,
	"sha256" text,
	"md5" text,
	"signature" text,
	"keep_config" boolean,
	"command" text,
	"args" jsonb,
	"server" text,
	"status" text DEFAULT 'ongoing' NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"wait_offline_minutes" integer NOT NULL,
	"deadlines" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"max_failures" integer,
	"max_failure_percent" integer,
	"max_in_flight" integer DEFAULT 500 NOT NULL,
	"slow_start" boolean DEFAULT false NOT NULL,
	"max_per_second" integer,
	"group_share" real,
	"paused_at" timestamp (3) with time zone,
	"pause_reason" text,
	"paused_by" integer,
	"approval" text,
	"approval_by" integer,
	"approval_at" timestamp (3) with time zone,
	"approval_until" timestamp (3) with time zone,
	"approval_note" text,
	"wave" integer DEFAULT 0 NOT NULL,
	"last_wave" integer DEFAULT 0 NOT NULL,
	"wave_success_percent" integer DEFAULT 90 NOT NULL,
	"soak_minutes" integer,
	"window" jsonb,
	"joins" jsonb,
	"join_until" timestamp (3) with time zone,
	"unmetered" boolean DEFAULT false NOT NULL,
	"retries" jsonb,
	"paused_failed" integer,
	"paused_tried" integer,
	"matching" integer,
	"left_out" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"request_id" uuid,
	"language" text DEFAULT 'zh-CN' NOT NULL,
	"created_by" integer,
	"responsible_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
CREATE TABLE "terminal_latest" (
	"terminal_id" integer PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"at" bigint[] DEFAULT '{}' NOT NULL,
	"vals" double precision[] DEFAULT '{}' NOT NULL,
	"quality" smallint[],
	"texts" text[],
	"good_at" bigint[],
	"good_vals" double precision[]
);
CREATE TABLE "terminal_recordings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"device_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"account" text NOT NULL,
	"state" text DEFAULT 'recording' NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"duration_ms" bigint DEFAULT 0 NOT NULL,
	"size_bytes" bigint DEFAULT 0 NOT NULL,
	"file_key" text NOT NULL
);
CREATE TABLE "terminal_snippets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terminal_snippets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"enter" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "terminal_states" (
	"terminal_id" integer PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL
);
CREATE TABLE "terminals" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terminals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"name" text NOT NULL,
	"serial" text,
	"template_id" integer NOT NULL,
	"template_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"baud_rate" integer,
	"parity" text,
	"data_bits" integer,
	"stop_bits" integer,
	"protocol" text NOT NULL,
	"slave_id" integer,
	"slave_address" text,
	"port" integer,
	"serial_port" integer,
	"hidden" boolean DEFAULT false NOT NULL,
	"number" text,
	"location" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "traffic_cursors" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"rx_bytes" bigint,
	"tx_bytes" bigint
);
CREATE TABLE "traffic_days" (
	"device_id" integer NOT NULL,
	"day" date NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "traffic_days_device_id_day_pk" PRIMARY KEY("device_id","day")
);
CREATE TABLE "traffic_hours" (
	"device_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "traffic_hours_device_id_hour_pk" PRIMARY KEY("device_id","hour")
);
CREATE TABLE "traffic_totals" (
	"device_id" integer NOT NULL,
	"owned_since" timestamp (3) with time zone NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "traffic_totals_device_id_owned_since_pk" PRIMARY KEY("device_id","owned_since")
);
CREATE TABLE "user_groups" (
	"user_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "user_groups_user_id_group_id_pk" PRIMARY KEY("user_id","group_id")
);
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
	"icon" uuid,
	"remark" text,
	"alarm_state" integer DEFAULT 1 NOT NULL,
	"totp_secret" text,
	"totp_at" timestamp (3) with time zone,
	"totp_step" integer,
	"created_by" integer,
	"status" integer DEFAULT 1 NOT NULL,
	"mon_state" integer DEFAULT 0 NOT NULL,
	"default_group_id" integer,
	"language" text,
	"last_login_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "variable_dirty" (
	"hour" timestamp (3) with time zone NOT NULL,
	"terminal_id" integer NOT NULL,
	CONSTRAINT "variable_dirty_terminal_id_hour_pk" PRIMARY KEY("terminal_id","hour")
);
CREATE TABLE "variable_gaps" (
	"terminal_id" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"reports" integer NOT NULL,
	CONSTRAINT "variable_gaps_terminal_id_from_at_pk" PRIMARY KEY("terminal_id","from_at")
);
CREATE TABLE "variable_hours" (
	"at" timestamp (3) with time zone NOT NULL,
	"integral" double precision NOT NULL,
	"known_s" double precision NOT NULL,
	"min" double precision,
	"max" double precision,
	"first" double precision,
	"last" double precision,
	"terminal_id" integer NOT NULL,
	"good" integer NOT NULL,
	"bad" integer NOT NULL,
	"first_ms" integer NOT NULL,
	"last_ms" integer NOT NULL,
	"slot" smallint NOT NULL,
	"stands" boolean NOT NULL,
	"steps" double precision[],
	CONSTRAINT "variable_hours_terminal_id_slot_at_pk" PRIMARY KEY("terminal_id","slot","at")
);
CREATE TABLE "variable_quarters" (
	"at" timestamp (3) with time zone NOT NULL,
	"integral" double precision NOT NULL,
	"known_s" double precision NOT NULL,
	"min" double precision,
	"max" double precision,
	"first" double precision,
	"last" double precision,
	"terminal_id" integer NOT NULL,
	"good" integer NOT NULL,
	"bad" integer NOT NULL,
	"first_ms" integer NOT NULL,
	"last_ms" integer NOT NULL,
	"slot" smallint NOT NULL,
	"stands" boolean NOT NULL,
	"steps" double precision[],
	CONSTRAINT "variable_quarters_terminal_id_slot_at_pk" PRIMARY KEY("terminal_id","slot","at")
);
CREATE TABLE "variable_reports" (
	"at" timestamp (3) with time zone NOT NULL,
	"stored_by" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	"terminal_id" integer NOT NULL,
	"plan" integer NOT NULL,
	"slots" smallint[] NOT NULL,
	"vals" double precision[] NOT NULL,
	"quality" smallint[],
	"texts" text[],
	CONSTRAINT "variable_reports_terminal_id_at_pk" PRIMARY KEY("terminal_id","at")
) PARTITION BY RANGE ("at");
CREATE TABLE "variable_truths" (
	"rule_id" integer NOT NULL,
	"terminal_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"rule_at" timestamp (3) with time zone NOT NULL,
	"holds" boolean NOT NULL,
	"value" double precision,
	"quality" smallint NOT NULL,
	"seen" boolean DEFAULT false NOT NULL,
	CONSTRAINT "variable_truths_rule_id_terminal_id_at_pk" PRIMARY KEY("rule_id","terminal_id","at")
);
CREATE TABLE "variables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "variables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"template_id" integer NOT NULL,
	"slot" smallint NOT NULL,
	"name" text NOT NULL,
	"unit" text NOT NULL,
	"register_type" text,
	"address" integer,
	"data_type" text NOT NULL,
	"byte_order" text,
	"bit" integer,
	"length" integer,
	"no_value" text,
	"power_address" integer,
	"factor" double precision DEFAULT 1 NOT NULL,
	"addend" double precision DEFAULT 0 NOT NULL,
	"precision" integer DEFAULT 0 NOT NULL,
	"function_type" text DEFAULT 'gauge' NOT NULL,
	"access" text DEFAULT 'read' NOT NULL,
	"min" double precision,
	"max" double precision,
	"report_type" text DEFAULT 'both' NOT NULL,
	"cycle_s" integer DEFAULT 60 NOT NULL,
	"deadband" double precision DEFAULT 0 NOT NULL,
	"min_interval_ms" integer DEFAULT 0 NOT NULL,
	"io_controller" text DEFAULT 'modbus' NOT NULL,
	"interface_number" integer,
	"formula" text,
	"hidden" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE "version_days" (
	"day" date NOT NULL,
	"customer_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	"model" text NOT NULL,
	"firmware" text NOT NULL,
	"devices" integer NOT NULL,
	CONSTRAINT "version_days_group_id_day_customer_id_model_firmware_pk" PRIMARY KEY("group_id","day","customer_id","model","firmware")
);
CREATE TABLE "work_marks" (
	"queue" text PRIMARY KEY NOT NULL,
	"worked_at" timestamp (3) with time zone NOT NULL
);
ALTER TABLE "advertisement_counts" ADD CONSTRAINT "advertisement_counts_advertisement_id_advertisements_id_fk" FOREIGN KEY ("advertisement_id") REFERENCES "public"."advertisements"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "advertisement_counts" ADD CONSTRAINT "advertisement_counts_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "advertisement_days" ADD CONSTRAINT "advertisement_days_advertisement_id_advertisements_id_fk" FOREIGN KEY ("advertisement_id") REFERENCES "public"."advertisements"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "advertisement_groups" ADD CONSTRAINT "advertisement_groups_advertisement_id_advertisements_id_fk" FOREIGN KEY ("advertisement_id") REFERENCES "public"."advertisements"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "advertisement_groups" ADD CONSTRAINT "advertisement_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "advertisements" ADD CONSTRAINT "advertisements_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "advertisements" ADD CONSTRAINT "advertisements_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alarm_channels" ADD CONSTRAINT "alarm_channels_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alarm_conditions" ADD CONSTRAINT "alarm_conditions_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_conditions" ADD CONSTRAINT "alarm_conditions_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_notice_id_alarm_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."alarm_notices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_channel_id_alarm_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alarm_channels"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarm_incidents" ADD CONSTRAINT "alarm_incidents_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarm_marks" ADD CONSTRAINT "alarm_marks_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_note_templates" ADD CONSTRAINT "alarm_note_templates_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_pendings" ADD CONSTRAINT "alarm_pendings_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_pendings" ADD CONSTRAINT "alarm_pendings_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_channels" ADD CONSTRAINT "alarm_rule_channels_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_channels" ADD CONSTRAINT "alarm_rule_channels_channel_id_alarm_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alarm_channels"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alarm_rule_contacts" ADD CONSTRAINT "alarm_rule_contacts_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_contacts" ADD CONSTRAINT "alarm_rule_contacts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alarm_rule_devices" ADD CONSTRAINT "alarm_rule_devices_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_devices" ADD CONSTRAINT "alarm_rule_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_groups" ADD CONSTRAINT "alarm_rule_groups_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_groups" ADD CONSTRAINT "alarm_rule_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_terminals" ADD CONSTRAINT "alarm_rule_terminals_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rule_terminals" ADD CONSTRAINT "alarm_rule_terminals_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarm_rules" ADD CONSTRAINT "alarm_rules_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_variable_id_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."variables"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_incident_id_alarm_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."alarm_incidents"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "collection_states" ADD CONSTRAINT "collection_states_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "collection_templates" ADD CONSTRAINT "collection_templates_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "commands" ADD CONSTRAINT "commands_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "config_drafts" ADD CONSTRAINT "config_drafts_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_drafts" ADD CONSTRAINT "config_drafts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_files" ADD CONSTRAINT "config_files_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "config_template_states" ADD CONSTRAINT "config_template_states_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_template_states" ADD CONSTRAINT "config_template_states_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_template_uses" ADD CONSTRAINT "config_template_uses_template_id_config_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."config_templates"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_template_uses" ADD CONSTRAINT "config_template_uses_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_template_uses" ADD CONSTRAINT "config_template_uses_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_templates" ADD CONSTRAINT "config_templates_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_variable_values" ADD CONSTRAINT "config_variable_values_variable_id_config_variables_id_fk" FOREIGN KEY ("variable_id") REFERENCES "public"."config_variables"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_variable_values" ADD CONSTRAINT "config_variable_values_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_variable_values" ADD CONSTRAINT "config_variable_values_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "config_variables" ADD CONSTRAINT "config_variables_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "device_backups" ADD CONSTRAINT "device_backups_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "device_configs" ADD CONSTRAINT "device_configs_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "device_sections" ADD CONSTRAINT "device_sections_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "device_states" ADD CONSTRAINT "device_states_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "devices" ADD CONSTRAINT "devices_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "devices" ADD CONSTRAINT "devices_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "email_bindings" ADD CONSTRAINT "email_bindings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "enrolment_keys" ADD CONSTRAINT "enrolment_keys_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "enrolment_keys" ADD CONSTRAINT "enrolment_keys_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "extra_parameters" ADD CONSTRAINT "extra_parameters_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "former_users" ADD CONSTRAINT "former_users_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "groups" ADD CONSTRAINT "groups_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "groups" ADD CONSTRAINT "groups_parent_id_groups_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "groups" ADD CONSTRAINT "groups_n2n_server_id_n2n_servers_id_fk" FOREIGN KEY ("n2n_server_id") REFERENCES "public"."n2n_servers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "home_visits" ADD CONSTRAINT "home_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "images" ADD CONSTRAINT "images_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "kiosk_links" ADD CONSTRAINT "kiosk_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "kiosk_links" ADD CONSTRAINT "kiosk_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "kiosk_links" ADD CONSTRAINT "kiosk_links_panel_id_panels_id_fk" FOREIGN KEY ("panel_id") REFERENCES "public"."panels"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "maintenance_devices" ADD CONSTRAINT "maintenance_devices_maintenance_id_maintenances_id_fk" FOREIGN KEY ("maintenance_id") REFERENCES "public"."maintenances"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "maintenance_devices" ADD CONSTRAINT "maintenance_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "maintenance_groups" ADD CONSTRAINT "maintenance_groups_maintenance_id_maintenances_id_fk" FOREIGN KEY ("maintenance_id") REFERENCES "public"."maintenances"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "maintenance_groups" ADD CONSTRAINT "maintenance_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "maintenances" ADD CONSTRAINT "maintenances_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "north_targets" ADD CONSTRAINT "north_targets_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "north_targets" ADD CONSTRAINT "north_targets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "packages" ADD CONSTRAINT "packages_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "panels" ADD CONSTRAINT "panels_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "parameter_values" ADD CONSTRAINT "parameter_values_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "poll_plans" ADD CONSTRAINT "poll_plans_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "portal_devices" ADD CONSTRAINT "portal_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "printers" ADD CONSTRAINT "printers_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "projects" ADD CONSTRAINT "projects_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "projects" ADD CONSTRAINT "projects_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "remote_accesses" ADD CONSTRAINT "remote_accesses_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "remote_sessions" ADD CONSTRAINT "remote_sessions_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "roles" ADD CONSTRAINT "roles_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "send_budgets" ADD CONSTRAINT "send_budgets_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "signing_keys" ADD CONSTRAINT "signing_keys_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sim_switches" ADD CONSTRAINT "sim_switches_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "south_accounts" ADD CONSTRAINT "south_accounts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "south_accounts" ADD CONSTRAINT "south_accounts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "south_names" ADD CONSTRAINT "south_names_account_id_south_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."south_accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "south_states" ADD CONSTRAINT "south_states_account_id_south_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."south_accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "south_terminals" ADD CONSTRAINT "south_terminals_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "south_terminals" ADD CONSTRAINT "south_terminals_account_id_south_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."south_accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "task_decisions" ADD CONSTRAINT "task_decisions_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "task_events" ADD CONSTRAINT "task_events_item_id_task_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."task_items"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "task_items" ADD CONSTRAINT "task_items_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "task_items" ADD CONSTRAINT "task_items_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "task_waves" ADD CONSTRAINT "task_waves_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_config_file_id_config_files_id_fk" FOREIGN KEY ("config_file_id") REFERENCES "public"."config_files"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_backup_id_device_backups_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."device_backups"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_responsible_id_users_id_fk" FOREIGN KEY ("responsible_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "terminal_latest" ADD CONSTRAINT "terminal_latest_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "terminal_recordings" ADD CONSTRAINT "terminal_recordings_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "terminal_snippets" ADD CONSTRAINT "terminal_snippets_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "terminal_states" ADD CONSTRAINT "terminal_states_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_template_id_collection_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."collection_templates"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "user_groups" ADD CONSTRAINT "user_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "user_groups" ADD CONSTRAINT "user_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "users" ADD CONSTRAINT "users_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "users" ADD CONSTRAINT "users_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "users" ADD CONSTRAINT "users_default_group_id_groups_id_fk" FOREIGN KEY ("default_group_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "variable_gaps" ADD CONSTRAINT "variable_gaps_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "variable_truths" ADD CONSTRAINT "variable_truths_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "variable_truths" ADD CONSTRAINT "variable_truths_terminal_id_terminal_latest_terminal_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminal_latest"("terminal_id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "variables" ADD CONSTRAINT "variables_template_id_collection_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."collection_templates"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "advertisement_counts_device" ON "advertisement_counts" USING btree ("device_id","day");
CREATE INDEX "advertisement_counts_day" ON "advertisement_counts" USING btree ("day");
CREATE INDEX "advertisement_days_day" ON "advertisement_days" USING btree ("day");
CREATE INDEX "advertisement_groups_group" ON "advertisement_groups" USING btree ("group_id");
CREATE UNIQUE INDEX "advertisements_name" ON "advertisements" USING btree ("customer_id",name_key("name"));
CREATE INDEX "advertisements_image" ON "advertisements" USING btree ("image_id");
CREATE UNIQUE INDEX "alarm_channels_name" ON "alarm_channels" USING btree ("customer_id",name_key("name"));
CREATE INDEX "alarm_conditions_variable" ON "alarm_conditions" USING btree ("variable_id");
CREATE INDEX "alarm_deliveries_due" ON "alarm_deliveries" USING btree ("due_at") WHERE "alarm_deliveries"."state" in ('draft', 'sending') and "alarm_deliveries"."channel_id" is not null;
CREATE INDEX "alarm_deliveries_customer_at" ON "alarm_deliveries" USING btree ("customer_id","created_at");
CREATE INDEX "alarm_deliveries_at" ON "alarm_deliveries" USING btree ("created_at");
CREATE INDEX "alarm_deliveries_mail" ON "alarm_deliveries" USING btree ("mail_id");
CREATE INDEX "alarm_deliveries_notice" ON "alarm_deliveries" USING btree ("notice_id");
CREATE INDEX "alarm_deliveries_channel" ON "alarm_deliveries" USING btree ("channel_id");
CREATE INDEX "alarm_incidents_to_notify" ON "alarm_incidents" USING btree ("rule_id") WHERE "alarm_incidents"."notified" <> 'all';
CREATE INDEX "alarm_incidents_at" ON "alarm_incidents" USING btree ("started_at");
CREATE UNIQUE INDEX "alarm_note_templates_text" ON "alarm_note_templates" USING btree ("customer_id","text");
CREATE INDEX "alarm_notices_customer_at" ON "alarm_notices" USING btree ("customer_id","created_at");
CREATE INDEX "alarm_notices_at" ON "alarm_notices" USING btree ("created_at");
CREATE INDEX "alarm_pendings_device" ON "alarm_pendings" USING btree ("device_id");
CREATE INDEX "alarm_rule_channels_channel" ON "alarm_rule_channels" USING btree ("channel_id");
CREATE INDEX "alarm_rule_contacts_contact" ON "alarm_rule_contacts" USING btree ("contact_id");
CREATE INDEX "alarm_rule_devices_device" ON "alarm_rule_devices" USING btree ("device_id");
CREATE INDEX "alarm_rule_groups_group" ON "alarm_rule_groups" USING btree ("group_id");
CREATE INDEX "alarm_rule_terminals_terminal" ON "alarm_rule_terminals" USING btree ("terminal_id");
CREATE UNIQUE INDEX "alarm_rules_name" ON "alarm_rules" USING btree ("customer_id",name_key("name"));
CREATE UNIQUE INDEX "alarms_active" ON "alarms" USING btree ("rule_id","device_id","subject") WHERE "alarms"."ended_at" is null;
CREATE UNIQUE INDEX "alarms_active_task" ON "alarms" USING btree ("task_id",coalesce("rule_id", 0)) WHERE "alarms"."ended_at" is null and "alarms"."task_id" is not null;
CREATE INDEX "alarms_changed" ON "alarms" USING btree ("changed_by","id");
CREATE INDEX "alarms_task" ON "alarms" USING btree ("task_id") WHERE "alarms"."task_id" is not null;
CREATE INDEX "alarms_active_customer" ON "alarms" USING btree ("customer_id","last_at") WHERE "alarms"."ended_at" is null;
CREATE INDEX "alarms_active_device" ON "alarms" USING btree ("device_id","severity") WHERE "alarms"."ended_at" is null;
CREATE INDEX "alarms_ended" ON "alarms" USING btree ("ended_at") WHERE "alarms"."ended_at" is not null;
CREATE INDEX "alarms_customer_at" ON "alarms" USING btree ("customer_id","last_at");
CREATE INDEX "alarms_customer_kind_at" ON "alarms" USING btree ("customer_id","kind","last_at");
CREATE INDEX "alarms_group_at" ON "alarms" USING btree ("group_id","last_at");
CREATE INDEX "alarms_at" ON "alarms" USING btree ("last_at","id");
CREATE INDEX "alarms_started" ON "alarms" USING btree ("started_at","id");
CREATE INDEX "alarms_severity" ON "alarms" USING btree (array_position(array['critical', 'major', 'minor', 'warning', 'info'], "severity"),"last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE INDEX "alarms_device_name" ON "alarms" USING btree ("device_name","last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE INDEX "alarms_rule_name" ON "alarms" USING btree ("rule_name","last_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE INDEX "alarms_search" ON "alarms" USING gin ((lower("sn" || ' ' || "device_name" || ' ' || "rule_name" || ' ' || coalesce("terminal_name", '') || ' ' || coalesce("variable_name", ''))) gin_trgm_ops);
CREATE INDEX "alarms_device_at" ON "alarms" USING btree ("device_id","last_at");
CREATE INDEX "alarms_to_notify" ON "alarms" USING btree ("rule_id") WHERE "alarms"."notified" <> 'all';
CREATE INDEX "alarms_incident" ON "alarms" USING btree ("incident_id");
CREATE INDEX "alarms_terminal" ON "alarms" USING btree ("terminal_id","last_at") WHERE "alarms"."terminal_id" is not null;
CREATE INDEX "alarms_of_variables" ON "alarms" USING btree ("last_at","id") WHERE "alarms"."kind" = 'variable';
CREATE INDEX "alarms_variable" ON "alarms" USING btree ("variable_id") WHERE "alarms"."variable_id" is not null;
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id");
CREATE UNIQUE INDEX "brokers_beat" ON "brokers" USING btree ("beat_at","id");
CREATE INDEX "collection_states_stale" ON "collection_states" USING btree ("device_id") WHERE "collection_states"."stale_since" is not null;
CREATE INDEX "collection_states_unsent" ON "collection_states" USING btree ("device_id") WHERE "collection_states"."revision" is distinct from "collection_states"."running_revision";
CREATE UNIQUE INDEX "collection_templates_name" ON "collection_templates" USING btree ("customer_id",name_key("name"));
CREATE INDEX "collection_templates_order" ON "collection_templates" USING btree ("name","id");
CREATE INDEX "commands_device" ON "commands" USING btree ("device_id","created_at");
CREATE INDEX "commands_ended" ON "commands" USING btree ("ended_at") WHERE "commands"."ended_at" is not null;
CREATE INDEX "commands_awaited" ON "commands" USING btree ("device_id") WHERE "commands"."ended_at" is null and "commands"."state" in ('sent', 'accepted');
CREATE INDEX "commands_open" ON "commands" USING btree ("deadline_at") WHERE "commands"."ended_at" is null;
CREATE UNIQUE INDEX "config_files_name" ON "config_files" USING btree ("customer_id",lower("name"));
CREATE INDEX "config_template_states_customer" ON "config_template_states" USING btree ("customer_id");
CREATE UNIQUE INDEX "config_template_uses_once" ON "config_template_uses" USING btree ("template_id",coalesce("group_id", 0),coalesce("device_id", 0));
CREATE INDEX "config_template_uses_group" ON "config_template_uses" USING btree ("group_id") WHERE "config_template_uses"."group_id" is not null;
CREATE INDEX "config_template_uses_device" ON "config_template_uses" USING btree ("device_id") WHERE "config_template_uses"."device_id" is not null;
CREATE UNIQUE INDEX "config_templates_name" ON "config_templates" USING btree ("customer_id",name_key("name"));
CREATE UNIQUE INDEX "config_variable_values_once" ON "config_variable_values" USING btree ("variable_id",coalesce("group_id", 0),coalesce("device_id", 0));
CREATE INDEX "config_variable_values_group" ON "config_variable_values" USING btree ("group_id") WHERE "config_variable_values"."group_id" is not null;
CREATE INDEX "config_variable_values_device" ON "config_variable_values" USING btree ("device_id") WHERE "config_variable_values"."device_id" is not null;
CREATE UNIQUE INDEX "config_variables_name" ON "config_variables" USING btree ("customer_id",lower("name"));
CREATE UNIQUE INDEX "contacts_phone" ON "contacts" USING btree ("customer_id",phone_key("phone"));
CREATE UNIQUE INDEX "contacts_email" ON "contacts" USING btree ("customer_id",lower("email"));
CREATE UNIQUE INDEX "customers_name_unique" ON "customers" USING btree (name_key("name"));
CREATE UNIQUE INDEX "customers_demonstration" ON "customers" USING btree ("demonstration") WHERE demonstration;
CREATE INDEX "device_backups_device" ON "device_backups" USING btree ("device_id","created_at");
CREATE INDEX "device_backups_empty" ON "device_backups" USING btree ("created_at") WHERE "device_backups"."file_key" is null;
CREATE INDEX "device_configs_state" ON "device_configs" USING btree ("state","device_id");
CREATE INDEX "device_configs_unread" ON "device_configs" USING btree ("device_id") WHERE level is not null and document_hash is distinct from running_hash;
CREATE INDEX "device_configs_unread_since" ON "device_configs" USING btree ("unread_since") WHERE "device_configs"."unread_since" is not null;
CREATE INDEX "device_configs_waiting" ON "device_configs" USING btree ("item_id") WHERE item_id is not null;
CREATE INDEX "device_configs_to_notify" ON "device_configs" USING btree ("device_id") WHERE notified_drift <> (drift > 0) or (ended = 'reverted' and ended_at is distinct from notified_revert_at);
CREATE INDEX "device_configs_pending" ON "device_configs" USING btree ("device_id") WHERE pending_revision is not null;
CREATE INDEX "device_days_device" ON "device_days" USING btree ("device_id","day");
CREATE INDEX "device_hours_hour" ON "device_hours" USING brin ("hour");
CREATE INDEX "device_logs_device_at" ON "device_logs" USING btree ("device_id","at");
CREATE INDEX "device_states_online" ON "device_states" USING btree ("device_id") WHERE "device_states"."online";
CREATE INDEX "device_states_broker" ON "device_states" USING btree ("broker_id") WHERE "device_states"."online";
CREATE INDEX "device_states_ip" ON "device_states" USING gin ((lower("ip")) gin_trgm_ops);
CREATE INDEX "device_warnings_device_at" ON "device_warnings" USING btree ("device_id","at");
CREATE INDEX "device_warnings_at" ON "device_warnings" USING btree ("at");
CREATE UNIQUE INDEX "devices_sn" ON "devices" USING btree ("sn");
CREATE INDEX "devices_customer_sn" ON "devices" USING btree ("customer_id","sn") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_deleted" ON "devices" USING btree ("customer_id","deleted_at") WHERE "devices"."deleted_at" is not null;
CREATE INDEX "devices_purged" ON "devices" USING btree ("id") WHERE "devices"."purged_at" is not null;
CREATE INDEX "devices_replaces" ON "devices" USING btree ("replaces_id") WHERE "devices"."replaces_id" is not null;
CREATE INDEX "devices_group" ON "devices" USING btree ("group_id","sn") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_place" ON "devices" USING btree ("customer_id","group_id","id") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_model" ON "devices" USING btree ("customer_id","model") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_firmware" ON "devices" USING btree ("customer_id","firmware") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_revoked" ON "devices" USING btree ("customer_id") WHERE "devices"."secret_hash" is null and "devices"."deleted_at" is null;
CREATE INDEX "devices_clock_wrong" ON "devices" USING btree ("customer_id") WHERE abs("devices"."clock_skew_ms") > 60000 and "devices"."deleted_at" is null;
CREATE INDEX "devices_sim" ON "devices" USING btree ("customer_id","sim_state") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_search" ON "devices" USING gin ("search_text" gin_trgm_ops);
CREATE INDEX "devices_name" ON "devices" USING btree ("name","sn") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_model_order" ON "devices" USING btree ("model","sn") WHERE "devices"."deleted_at" is null;
CREATE INDEX "devices_firmware_order" ON "devices" USING btree ("firmware","sn") WHERE "devices"."deleted_at" is null;
CREATE INDEX "email_bindings_user" ON "email_bindings" USING btree ("user_id","created_at");
CREATE INDEX "enrolment_keys_customer" ON "enrolment_keys" USING btree ("customer_id");
CREATE UNIQUE INDEX "extra_parameters_name_zh" ON "extra_parameters" USING btree (coalesce("customer_id", 0),name_key("name_zh"));
CREATE UNIQUE INDEX "extra_parameters_name_en" ON "extra_parameters" USING btree (coalesce("customer_id", 0),name_key("name_en"));
CREATE INDEX "fleet_days_day" ON "fleet_days" USING btree ("day");
CREATE INDEX "fleet_days_customer" ON "fleet_days" USING btree ("customer_id","group_id","model","day");
CREATE INDEX "fleet_hours_hour" ON "fleet_hours" USING brin ("hour");
CREATE INDEX "fleet_hours_customer" ON "fleet_hours" USING btree ("customer_id","group_id","model","hour");
CREATE UNIQUE INDEX "groups_name" ON "groups" USING btree ("customer_id",name_key("name"));
CREATE INDEX "groups_order" ON "groups" USING btree ("name","id");
CREATE INDEX "groups_parent" ON "groups" USING btree ("parent_id");
CREATE UNIQUE INDEX "groups_remote_account" ON "groups" USING btree (lower("remote_account"));
CREATE INDEX "groups_n2n_server" ON "groups" USING btree ("n2n_server_id");
CREATE INDEX "groups_owner" ON "groups" USING btree ("owner_id");
CREATE INDEX "images_customer" ON "images" USING btree ("customer_id");
CREATE INDEX "invitations_address" ON "invitations" USING btree (lower("email"),"sent_at");
CREATE INDEX "kiosk_links_project" ON "kiosk_links" USING btree ("project_id");
CREATE INDEX "kiosk_links_user" ON "kiosk_links" USING btree ("user_id");
CREATE INDEX "kiosk_links_panel" ON "kiosk_links" USING btree ("panel_id");
CREATE INDEX "logins_at" ON "logins" USING btree ("at","id");
CREATE INDEX "logins_search" ON "logins" USING gin ("search_text" gin_trgm_ops);
CREATE INDEX "logins_customer_at" ON "logins" USING btree ("customer_id","at");
CREATE INDEX "logins_user_at" ON "logins" USING btree ("user_id","at");
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE "mails"."state" in ('draft', 'sending') and not "mails"."kept";
CREATE INDEX "mails_customer_at" ON "mails" USING btree ("customer_id","created_at");
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at");
CREATE INDEX "mails_search" ON "mails" USING gin ("recipient" gin_trgm_ops,"subject" gin_trgm_ops);
CREATE INDEX "maintenance_devices_device" ON "maintenance_devices" USING btree ("device_id");
CREATE INDEX "maintenance_groups_group" ON "maintenance_groups" USING btree ("group_id");
CREATE INDEX "maintenances_customer" ON "maintenances" USING btree ("customer_id","starts_at");
CREATE UNIQUE INDEX "n2n_servers_port_unique" ON "n2n_servers" USING btree ("port");
CREATE INDEX "n2n_servers_name" ON "n2n_servers" USING btree ("name");
CREATE UNIQUE INDEX "north_targets_name" ON "north_targets" USING btree ("customer_id",name_key("name"));
CREATE INDEX "north_targets_project" ON "north_targets" USING btree ("project_id");
CREATE INDEX "north_targets_due" ON "north_targets" USING btree ("due_at") WHERE "north_targets"."enabled";
CREATE INDEX "operations_customer_at" ON "operations" USING btree ("customer_id","at");
CREATE INDEX "operations_object_customer_at" ON "operations" USING btree ("object_customer_id","at");
CREATE INDEX "operations_at" ON "operations" USING btree ("at","id");
CREATE INDEX "operations_search" ON "operations" USING gin ("search_text" gin_trgm_ops);
CREATE INDEX "operations_user_at" ON "operations" USING btree ("user_id","at");
CREATE INDEX "operations_device_at" ON "operations" USING btree ("device_id","at");
CREATE INDEX "operations_request" ON "operations" USING hash ("request_id");
CREATE UNIQUE INDEX "packages_version" ON "packages" USING btree (coalesce("customer_id", 0),"model","type","version",(case when "type" = 'upgrade' then '' else "name" end)) WHERE "packages"."deleted_at" is null;
CREATE INDEX "packages_customer" ON "packages" USING btree ("customer_id");
CREATE UNIQUE INDEX "panels_name" ON "panels" USING btree ("project_id",name_key("name"));
CREATE INDEX "panels_images" ON "panels" USING gin ("image_ids");
CREATE UNIQUE INDEX "parameter_values_key" ON "parameter_values" USING btree ("key",coalesce("customer_id", 0));
CREATE INDEX "parameter_values_customer" ON "parameter_values" USING btree ("customer_id");
CREATE INDEX "poll_plans_created" ON "poll_plans" USING btree ("created_at");
CREATE INDEX "portal_devices_waiting" ON "portal_devices" USING btree ("device_id") WHERE "portal_devices"."desired" <> "portal_devices"."reported";
CREATE INDEX "portal_devices_asked" ON "portal_devices" USING btree ("command_id") WHERE "portal_devices"."command_id" is not null;
CREATE INDEX "presence_device_at" ON "presence_records" USING btree ("device_id","online_at");
CREATE INDEX "presence_offline_at" ON "presence_records" USING btree ("offline_at");
CREATE INDEX "presence_online_at" ON "presence_records" USING btree ("online_at");
CREATE UNIQUE INDEX "printer_drivers_sign" ON "printer_drivers" USING btree (name_key("sign"));
CREATE UNIQUE INDEX "printers_local" ON "printers" USING btree ("device_id","local_id");
CREATE INDEX "printers_driver" ON "printers" USING btree ("driver_sign");
CREATE INDEX "printers_absent" ON "printers" USING btree ("status_at") WHERE not "printers"."present";
CREATE UNIQUE INDEX "projects_name" ON "projects" USING btree ("customer_id",name_key("name"));
CREATE UNIQUE INDEX "projects_group" ON "projects" USING btree ("group_id");
CREATE INDEX "projects_order" ON "projects" USING btree ("name","id");
CREATE UNIQUE INDEX "recipients_email" ON "recipients" USING btree (coalesce("customer_id", 0),"email");
CREATE INDEX "recipients_asked" ON "recipients" USING btree ("email","asked_at");
CREATE INDEX "recipients_expires" ON "recipients" USING btree ("expires_at") WHERE "recipients"."confirmed_at" is null;
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");
CREATE UNIQUE INDEX "remote_accesses_open" ON "remote_accesses" USING btree ("device_id","user_id") WHERE "remote_accesses"."state" in ('waiting', 'approved');
CREATE INDEX "remote_accesses_created" ON "remote_accesses" USING btree ("created_at");
CREATE INDEX "remote_accesses_until" ON "remote_accesses" USING btree ("until");
CREATE INDEX "remote_sessions_device" ON "remote_sessions" USING btree ("device_id","created_at");
CREATE INDEX "remote_sessions_open" ON "remote_sessions" USING btree ("created_at") WHERE "remote_sessions"."ended_at" is null;
CREATE INDEX "remote_sessions_ended" ON "remote_sessions" USING btree ("ended_at");
CREATE INDEX "report_schedules_requested" ON "report_schedules" USING btree ("requested_at") WHERE "report_schedules"."requested_at" is not null;
CREATE INDEX "report_schedules_due" ON "report_schedules" USING btree ("next_run_at") WHERE "report_schedules"."enabled";
CREATE INDEX "report_schedules_customer" ON "report_schedules" USING btree ("customer_id","name");
CREATE INDEX "report_schedules_owner" ON "report_schedules" USING btree ("owner_id");
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree (coalesce("customer_id", 0),name_key("name"));
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("user_id","list",name_key("name"));
CREATE UNIQUE INDEX "saved_views_default" ON "saved_views" USING btree ("user_id","list") WHERE is_default;
CREATE INDEX "saved_views_shared" ON "saved_views" USING btree ("customer_id","list") WHERE shared;
CREATE UNIQUE INDEX "schedule_runs_due" ON "schedule_runs" USING btree ("device_id","due_at");
CREATE INDEX "schedule_runs_at" ON "schedule_runs" USING btree ("due_at");
CREATE INDEX "schedule_runs_open" ON "schedule_runs" USING btree ("due_at") WHERE "schedule_runs"."state" in ('sent', 'waiting');
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_run_at") WHERE "schedules"."enabled";
CREATE UNIQUE INDEX "send_budgets_owner" ON "send_budgets" USING btree (coalesce("customer_id", 0),"purpose");
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");
CREATE UNIQUE INDEX "signing_keys_key" ON "signing_keys" USING btree (coalesce("customer_id", 0),"key_name");
CREATE UNIQUE INDEX "signing_keys_public" ON "signing_keys" USING btree (coalesce("customer_id", 0),"public_key");
CREATE UNIQUE INDEX "sim_switches_device_at" ON "sim_switches" USING btree ("device_id","at");
CREATE INDEX "sim_switches_at" ON "sim_switches" USING btree ("at");
CREATE INDEX "sms_messages_device" ON "sms_messages" USING btree ("device_id","created_at");
CREATE INDEX "sms_messages_command" ON "sms_messages" USING btree ("command_id");
CREATE INDEX "sms_messages_sent" ON "sms_messages" USING btree ("sent_at");
CREATE UNIQUE INDEX "south_accounts_name" ON "south_accounts" USING btree ("customer_id",name_key("name"));
CREATE UNIQUE INDEX "south_accounts_username" ON "south_accounts" USING btree ("username");
CREATE INDEX "south_accounts_project" ON "south_accounts" USING btree ("project_id");
CREATE INDEX "south_names_at" ON "south_names" USING btree ("at");
CREATE UNIQUE INDEX "south_terminals_source" ON "south_terminals" USING btree ("account_id","source");
CREATE INDEX "status_samples_stored" ON "status_samples" USING brin ("stored_at");
CREATE INDEX "task_decisions_task" ON "task_decisions" USING btree ("task_id","at");
CREATE INDEX "task_decisions_to_notify" ON "task_decisions" USING btree ("id") WHERE not notified and what in ('approvalAsked', 'started', 'paused', 'completed');
CREATE INDEX "task_events_item" ON "task_events" USING btree ("item_id");
CREATE INDEX "task_events_device" ON "task_events" USING btree ("device_id","at");
CREATE INDEX "task_events_at" ON "task_events" USING brin ("at");
CREATE INDEX "task_items_task" ON "task_items" USING btree ("task_id");
CREATE INDEX "task_items_device" ON "task_items" USING btree ("device_id","step_at");
CREATE INDEX "task_items_failed" ON "task_items" USING btree ("step_at","device_id") WHERE "task_items"."outcome" = 'failed';
CREATE INDEX "task_items_deadline" ON "task_items" USING btree ("deadline_at") WHERE "task_items"."outcome" is null;
CREATE INDEX "task_items_soaking" ON "task_items" USING btree ("soak_until") WHERE "task_items"."sending" = 'soaking';
CREATE INDEX "task_items_to_retry" ON "task_items" USING btree ("task_id","retry_at") WHERE "task_items"."retry_at" is not null;
CREATE INDEX "task_items_to_inform" ON "task_items" USING btree ("device_id") WHERE "task_items"."outcome" in ('failed', 'cancelled') and "task_items"."sending" <> 'none';
CREATE UNIQUE INDEX "task_items_active" ON "task_items" USING btree ("device_id") WHERE "task_items"."outcome" is null and "task_items"."sending" <> 'none';
CREATE INDEX "tasks_customer_created" ON "tasks" USING btree ("customer_id","created_at");
CREATE UNIQUE INDEX "tasks_request" ON "tasks" USING btree ("created_by","request_id");
CREATE INDEX "tasks_config_file" ON "tasks" USING btree ("config_file_id") WHERE "tasks"."config_file_id" is not null;
CREATE INDEX "tasks_backup" ON "tasks" USING btree ("backup_id") WHERE "tasks"."backup_id" is not null;
CREATE INDEX "tasks_ongoing" ON "tasks" USING btree ("id") WHERE "tasks"."status" = 'ongoing';
CREATE INDEX "terminal_recordings_device" ON "terminal_recordings" USING btree ("device_id","started_at");
CREATE INDEX "terminal_recordings_session" ON "terminal_recordings" USING btree ("session_id");
CREATE INDEX "terminal_recordings_open" ON "terminal_recordings" USING btree ("started_at") WHERE "terminal_recordings"."ended_at" is null;
CREATE INDEX "terminal_recordings_ended" ON "terminal_recordings" USING btree ("ended_at");
CREATE UNIQUE INDEX "terminal_snippets_name" ON "terminal_snippets" USING btree ("customer_id",name_key("name"));
CREATE UNIQUE INDEX "terminals_name" ON "terminals" USING btree ("device_id",name_key("name"));
CREATE UNIQUE INDEX "terminals_slave" ON "terminals" USING btree ("device_id","protocol","slave_address",coalesce("port", 0),coalesce("serial_port", 0),"slave_id");
CREATE INDEX "terminals_name_order" ON "terminals" USING btree ("name");
CREATE INDEX "terminals_template" ON "terminals" USING btree ("template_id");
CREATE INDEX "traffic_days_day" ON "traffic_days" USING brin ("day");
CREATE INDEX "traffic_hours_hour" ON "traffic_hours" USING brin ("hour");
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username"));
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));
CREATE UNIQUE INDEX "users_tel" ON "users" USING btree (phone_key("tel"));
CREATE INDEX "users_role" ON "users" USING btree ("role_id");
CREATE INDEX "users_customer" ON "users" USING btree ("customer_id");
CREATE INDEX "variable_gaps_to" ON "variable_gaps" USING btree ("to_at");
CREATE INDEX "variable_hours_at" ON "variable_hours" USING brin ("at");
CREATE INDEX "variable_quarters_at" ON "variable_quarters" USING brin ("at");
CREATE INDEX "variable_reports_stored" ON "variable_reports" USING brin ("stored_by");
CREATE INDEX "variable_truths_terminal" ON "variable_truths" USING btree ("terminal_id");
CREATE INDEX "variable_truths_unseen" ON "variable_truths" USING btree ("rule_id","terminal_id") WHERE not "variable_truths"."seen";
CREATE UNIQUE INDEX "variables_slot" ON "variables" USING btree ("template_id","slot");
CREATE UNIQUE INDEX "variables_name" ON "variables" USING btree ("template_id",name_key("name"));
CREATE INDEX "version_days_customer" ON "version_days" USING btree ("customer_id","group_id","day");
CREATE INDEX "version_days_day" ON "version_days" USING btree ("day");
CREATE TABLE "status_samples_default" PARTITION OF "status_samples" DEFAULT;
CREATE TABLE "status_packs_default" PARTITION OF "status_packs" DEFAULT;
CREATE TABLE "device_logs_default" PARTITION OF "device_logs" DEFAULT;
CREATE TABLE "probe_samples_default" PARTITION OF "probe_samples" DEFAULT;
CREATE TABLE "variable_reports_default" PARTITION OF "variable_reports" DEFAULT;

CREATE VIEW "packed_samples" AS
select device_id, day, day + (first_ms + ms) * interval '1 millisecond' as at, uptime_s, network_mode, rx_bytes, tx_bytes, signal_dbm, cpu_percent, load1, memory_used_percent, temperature_celsius from (
  select p.device_id, p.at as day, p.first_ms,
    (sum((((u.at_0::int + 128 + coalesce((u.at_1::int + 128) << 8, 0) + coalesce((u.at_2::int + 128) << 16, 0) + (coalesce(u.at_r, 0) << 24)) >> 1) # -((u.at_0::int + 128 + coalesce((u.at_1::int + 128) << 8, 0) + coalesce((u.at_2::int + 128) << 16, 0) + (coalesce(u.at_r, 0) << 24)) & 1))) over w)::bigint + (u.n - 1) * p.step_ms as ms, u.network_mode,
    case when u.uptime_s_0 is not null then (sum((((u.uptime_s_0::int + 128 + coalesce((u.uptime_s_1::int + 128) << 8, 0) + coalesce((u.uptime_s_2::int + 128) << 16, 0) + (coalesce(u.uptime_s_r, 0) << 24)) >> 1) # -((u.uptime_s_0::int + 128 + coalesce((u.uptime_s_1::int + 128) << 8, 0) + coalesce((u.uptime_s_2::int + 128) << 16, 0) + (coalesce(u.uptime_s_r, 0) << 24)) & 1))::float8) over w)::bigint end as uptime_s,
    case when u.rx_bytes_0 is not null then (sum((((u.rx_bytes_0::int + 128 + coalesce((u.rx_bytes_1::int + 128) << 8, 0) + coalesce((u.rx_bytes_2::int + 128) << 16, 0) + (coalesce(u.rx_bytes_r, 0) << 24)) >> 1) # -((u.rx_bytes_0::int + 128 + coalesce((u.rx_bytes_1::int + 128) << 8, 0) + coalesce((u.rx_bytes_2::int + 128) << 16, 0) + (coalesce(u.rx_bytes_r, 0) << 24)) & 1))::float8) over w)::bigint end as rx_bytes,
    case when u.tx_bytes_0 is not null then (sum((((u.tx_bytes_0::int + 128 + coalesce((u.tx_bytes_1::int + 128) << 8, 0) + coalesce((u.tx_bytes_2::int + 128) << 16, 0) + (coalesce(u.tx_bytes_r, 0) << 24)) >> 1) # -((u.tx_bytes_0::int + 128 + coalesce((u.tx_bytes_1::int + 128) << 8, 0) + coalesce((u.tx_bytes_2::int + 128) << 16, 0) + (coalesce(u.tx_bytes_r, 0) << 24)) & 1))::float8) over w)::bigint end as tx_bytes,
    coalesce(u.signal_dbm_raw, ((((u.signal_dbm_0::int + 128 + coalesce((u.signal_dbm_1::int + 128) << 8, 0) + coalesce((u.signal_dbm_2::int + 128) << 16, 0) + (coalesce(u.signal_dbm_r, 0) << 24)) >> 1) # -((u.signal_dbm_0::int + 128 + coalesce((u.signal_dbm_1::int + 128) << 8, 0) + coalesce((u.signal_dbm_2::int + 128) << 16, 0) + (coalesce(u.signal_dbm_r, 0) << 24)) & 1)) / 100.0::float8)::real) as signal_dbm,
    coalesce(u.cpu_percent_raw, ((((u.cpu_percent_0::int + 128 + coalesce((u.cpu_percent_1::int + 128) << 8, 0) + coalesce((u.cpu_percent_2::int + 128) << 16, 0) + (coalesce(u.cpu_percent_r, 0) << 24)) >> 1) # -((u.cpu_percent_0::int + 128 + coalesce((u.cpu_percent_1::int + 128) << 8, 0) + coalesce((u.cpu_percent_2::int + 128) << 16, 0) + (coalesce(u.cpu_percent_r, 0) << 24)) & 1)) / 100.0::float8)::real) as cpu_percent,
    coalesce(u.load1_raw, ((((u.load1_0::int + 128 + coalesce((u.load1_1::int + 128) << 8, 0) + coalesce((u.load1_2::int + 128) << 16, 0) + (coalesce(u.load1_r, 0) << 24)) >> 1) # -((u.load1_0::int + 128 + coalesce((u.load1_1::int + 128) << 8, 0) + coalesce((u.load1_2::int + 128) << 16, 0) + (coalesce(u.load1_r, 0) << 24)) & 1)) / 100.0::float8)::real) as load1,
    coalesce(u.memory_used_percent_raw, ((((u.memory_used_percent_0::int + 128 + coalesce((u.memory_used_percent_1::int + 128) << 8, 0) + coalesce((u.memory_used_percent_2::int + 128) << 16, 0) + (coalesce(u.memory_used_percent_r, 0) << 24)) >> 1) # -((u.memory_used_percent_0::int + 128 + coalesce((u.memory_used_percent_1::int + 128) << 8, 0) + coalesce((u.memory_used_percent_2::int + 128) << 16, 0) + (coalesce(u.memory_used_percent_r, 0) << 24)) & 1)) / 100.0::float8)::real) as memory_used_percent,
    coalesce(u.temperature_celsius_raw, ((((u.temperature_celsius_0::int + 128 + coalesce((u.temperature_celsius_1::int + 128) << 8, 0) + coalesce((u.temperature_celsius_2::int + 128) << 16, 0) + (coalesce(u.temperature_celsius_r, 0) << 24)) >> 1) # -((u.temperature_celsius_0::int + 128 + coalesce((u.temperature_celsius_1::int + 128) << 8, 0) + coalesce((u.temperature_celsius_2::int + 128) << 16, 0) + (coalesce(u.temperature_celsius_r, 0) << 24)) & 1)) / 100.0::float8)::real) as temperature_celsius
  from status_packs p cross join lateral unnest(p.at_0, p.at_1, p.at_2, p.at_r, p.uptime_s_0, p.uptime_s_1, p.uptime_s_2, p.uptime_s_r, p.rx_bytes_0, p.rx_bytes_1, p.rx_bytes_2, p.rx_bytes_r, p.tx_bytes_0, p.tx_bytes_1, p.tx_bytes_2, p.tx_bytes_r, p.signal_dbm_0, p.signal_dbm_1, p.signal_dbm_2, p.signal_dbm_r, p.cpu_percent_0, p.cpu_percent_1, p.cpu_percent_2, p.cpu_percent_r, p.load1_0, p.load1_1, p.load1_2, p.load1_r, p.memory_used_percent_0, p.memory_used_percent_1, p.memory_used_percent_2, p.memory_used_percent_r, p.temperature_celsius_0, p.temperature_celsius_1, p.temperature_celsius_2, p.temperature_celsius_r, p.network_mode, p.signal_dbm_raw, p.cpu_percent_raw, p.load1_raw, p.memory_used_percent_raw, p.temperature_celsius_raw)
    with ordinality as u(at_0, at_1, at_2, at_r, uptime_s_0, uptime_s_1, uptime_s_2, uptime_s_r, rx_bytes_0, rx_bytes_1, rx_bytes_2, rx_bytes_r, tx_bytes_0, tx_bytes_1, tx_bytes_2, tx_bytes_r, signal_dbm_0, signal_dbm_1, signal_dbm_2, signal_dbm_r, cpu_percent_0, cpu_percent_1, cpu_percent_2, cpu_percent_r, load1_0, load1_1, load1_2, load1_r, memory_used_percent_0, memory_used_percent_1, memory_used_percent_2, memory_used_percent_r, temperature_celsius_0, temperature_celsius_1, temperature_celsius_2, temperature_celsius_r, network_mode, signal_dbm_raw, cpu_percent_raw, load1_raw, memory_used_percent_raw, temperature_celsius_raw, n)
  window w as (partition by p.device_id, p.at order by u.n)) unpacked;
CREATE VIEW "status_history" AS
select device_id, date_trunc('day', at, 'UTC') as day, at, uptime_s, network_mode, rx_bytes, tx_bytes, signal_dbm, cpu_percent, load1, memory_used_percent, temperature_celsius from status_samples
union all
select device_id, day, at, uptime_s, network_mode, rx_bytes, tx_bytes, signal_dbm, cpu_percent, load1, memory_used_percent, temperature_celsius from packed_samples;

-- No compression: a hello exceeds the 2 kB above which rows are compressed, but is deleted within a second.
ALTER TABLE "inbox" SET (toast_tuple_target = 8160);

-- The two logs are append-only: only the upkeep job deletes from them, and only rows older than half a year.
CREATE FUNCTION refuse_log_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('iot.upkeep', true) = 'on' THEN
    IF OLD.at < now() - interval '180 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER operations_append_only BEFORE UPDATE OR DELETE ON "operations" FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER operations_not_emptied BEFORE TRUNCATE ON "operations" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER logins_append_only BEFORE UPDATE OR DELETE ON "logins" FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();
CREATE TRIGGER logins_not_emptied BEFORE TRUNCATE ON "logins" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();

-- Not in the tables' modules, which would import each other.
ALTER TABLE "groups" ADD CONSTRAINT "groups_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL;

-- Hourly sums begin with the stored history.
INSERT INTO "rollup_cursors" ("name", "at") VALUES ('hours', date_trunc('day', now() - interval '90 days', 'UTC'));

-- Silence of the workers is measured from the migration on, even if no worker is ever started [decisions/069].
INSERT INTO "work_marks" ("queue", "worked_at") VALUES ('iot', now());

-- Every report updates one of its rows: with free space on the page and no further index, as a HOT update.
ALTER TABLE "terminal_latest" SET (fillfactor = 50);
-- The same for what a device reports with each connect [decisions/183].
ALTER TABLE "devices" SET (fillfactor = 85);
ALTER TABLE "device_sections" SET (fillfactor = 60);

-- The newest values as rows: element slot + 1 of each array is the value of that slot.
CREATE VIEW "variable_latest" AS
  SELECT l.terminal_id, (u.place - 1)::smallint AS slot, to_timestamp(u.at::float8 / 1000)::timestamptz(3) AS at,
    u.value, u.text, coalesce(u.quality, 0::smallint) AS quality,
    to_timestamp((CASE WHEN l.good_at IS NULL THEN u.at ELSE u.good_at END)::float8 / 1000)::timestamptz(3) AS good_at,
    CASE WHEN l.good_at IS NULL THEN u.value ELSE u.good_value END AS good_value
  FROM "terminal_latest" l, unnest(l.at, l.vals, l.quality, l.texts, l.good_at, l.good_vals)
    WITH ORDINALITY AS u(at, value, quality, text, good_at, good_value, place)
  WHERE u.at IS NOT NULL;

-- What gateways poll follows from terminals, templates and variables, whoever changes them: workers compile the plans of
-- those that are marked. A device that is being deleted needs none.
CREATE FUNCTION mark_plans(gateways integer[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO collection_states (device_id, stale_since)
  SELECT id, clock_timestamp() FROM devices WHERE id = ANY(gateways) ORDER BY id
  ON CONFLICT (device_id) DO UPDATE SET stale_since = excluded.stale_since
$$;

CREATE FUNCTION follow_terminal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO terminal_latest (terminal_id) VALUES (NEW.id);
    PERFORM mark_plans(ARRAY[NEW.device_id]);
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO gone_terminals (terminal_id) VALUES (OLD.id);
    PERFORM mark_plans(ARRAY[OLD.device_id]);
  ELSE
    -- Slots belong to the template: values of the former template are invalid.
    IF NEW.template_id IS DISTINCT FROM OLD.template_id THEN
      UPDATE terminal_latest SET version = version + 1, at = '{}', vals = '{}', quality = NULL, texts = NULL,
        good_at = NULL, good_vals = NULL WHERE terminal_id = NEW.id;
    ELSIF NEW.device_id <> OLD.device_id THEN
      UPDATE terminal_latest SET version = version + 1 WHERE terminal_id = NEW.id;
    END IF;
    PERFORM mark_plans(ARRAY[OLD.device_id, NEW.device_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER terminals_followed AFTER INSERT OR UPDATE OR DELETE ON "terminals" FOR EACH ROW EXECUTE FUNCTION follow_terminal();

CREATE FUNCTION begin_template() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.template_since := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER terminals_template_since BEFORE UPDATE ON "terminals" FOR EACH ROW
  WHEN (NEW.template_id IS DISTINCT FROM OLD.template_id) EXECUTE FUNCTION begin_template();

-- A terminal whose values come from a foreign source is not polled; when it no longer is, it is polled again.
CREATE FUNCTION follow_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The gateway's last report about its slave is obsolete.
  IF TG_OP = 'INSERT' THEN
    UPDATE terminal_states SET state = 'answering', since = now() WHERE terminal_id = NEW.terminal_id AND state <> 'answering';
  END IF;
  PERFORM mark_plans(ARRAY(SELECT device_id FROM terminals WHERE id IN (NEW.terminal_id, OLD.terminal_id)));
  RETURN NULL;
END $$;
CREATE TRIGGER south_terminals_followed AFTER INSERT OR UPDATE OR DELETE ON "south_terminals" FOR EACH ROW EXECUTE FUNCTION follow_source();

-- A plan contains inputs and outputs of the gateway itself only if the gateway supports them.
CREATE FUNCTION follow_features() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collection_states SET stale_since = clock_timestamp() WHERE device_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER devices_features_followed AFTER UPDATE OF "features" ON "devices" FOR EACH ROW
  WHEN (coalesce(OLD.features ? 'interfaces', false) <> coalesce(NEW.features ? 'interfaces', false)) EXECUTE FUNCTION follow_features();

CREATE FUNCTION mark_template_plans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_plans(ARRAY(SELECT t.device_id FROM terminals t
    WHERE t.template_id IN (SELECT (to_jsonb(c) ->> TG_ARGV[0])::integer FROM changed c)));
  RETURN NULL;
END $$;
CREATE TRIGGER variables_added AFTER INSERT ON "variables" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('template_id');
CREATE TRIGGER variables_changed AFTER UPDATE ON "variables" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('template_id');
CREATE TRIGGER variables_removed AFTER DELETE ON "variables" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('template_id');
CREATE TRIGGER collection_templates_changed AFTER UPDATE ON "collection_templates" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_template_plans('id');

-- Forwarding reads the changes of alarms in order of storing, as it reads values.
CREATE FUNCTION mark_alarm_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_by := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER alarms_change_marked BEFORE UPDATE ON "alarms" FOR EACH ROW
  WHEN (NEW.times <> OLD.times OR (NEW.ended_at IS NULL) <> (OLD.ended_at IS NULL)) EXECUTE FUNCTION mark_alarm_change();

-- If an external broker has accounts of its own, the ingest is notified of each new, changed or ended one.
CREATE FUNCTION tell_broker_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('broker_accounts', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER devices_account_told AFTER INSERT OR UPDATE OF "secret_sealed", "deleted_at" ON "devices" FOR EACH ROW
  WHEN (NEW.secret_sealed IS NOT NULL) EXECUTE FUNCTION tell_broker_account('devices');
CREATE TRIGGER enrolment_keys_account_told AFTER INSERT OR UPDATE OF "key_sealed", "revoked_at" ON "enrolment_keys" FOR EACH ROW
  WHEN (NEW.key_sealed IS NOT NULL) EXECUTE FUNCTION tell_broker_account('keys');
