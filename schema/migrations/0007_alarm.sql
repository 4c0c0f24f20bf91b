CREATE TABLE "alarm_channels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_channels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"url_sealed" text NOT NULL,
	"url_shown" text NOT NULL,
	"secret_sealed" text,
	"template" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "alarm_notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL,
	"rule_id" integer,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_rule_channels" (
	"rule_id" integer NOT NULL,
	"channel_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_channels_rule_id_channel_id_pk" PRIMARY KEY("rule_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "alarm_rule_contacts" (
	"rule_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_contacts_rule_id_contact_id_pk" PRIMARY KEY("rule_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "alarm_rule_devices" (
	"rule_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_devices_rule_id_device_id_pk" PRIMARY KEY("rule_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "alarm_rule_groups" (
	"rule_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "alarm_rule_groups_rule_id_group_id_pk" PRIMARY KEY("rule_id","group_id")
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "maintenance_devices" (
	"maintenance_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	CONSTRAINT "maintenance_devices_maintenance_id_device_id_pk" PRIMARY KEY("maintenance_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "maintenance_groups" (
	"maintenance_id" integer NOT NULL,
	"group_id" integer NOT NULL,
	CONSTRAINT "maintenance_groups_maintenance_id_group_id_pk" PRIMARY KEY("maintenance_id","group_id")
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "alarm_incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"rule_id" integer,
	"ground" text NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"told" text DEFAULT 'nothing' NOT NULL,
	"told_at" timestamp (3) with time zone,
	"held" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_marks" (
	"device_id" integer PRIMARY KEY NOT NULL,
	"iccid" text,
	"remote_ip" text,
	"config_hash" text,
	"boot_id" text,
	"boots" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_note_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_note_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_pendings" (
	"rule_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alarm_pendings_rule_id_device_id_subject_pk" PRIMARY KEY("rule_id","device_id","subject")
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"rule_id" integer,
	"rule_name" text NOT NULL,
	"kind" text NOT NULL,
	"severity" text NOT NULL,
	"device_id" integer NOT NULL,
	"sn" text NOT NULL,
	"device_name" text NOT NULL,
	"group_id" integer NOT NULL,
	"group_name" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"value" real,
	"threshold" real,
	"detail" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"times" integer DEFAULT 1 NOT NULL,
	"ack_at" timestamp (3) with time zone,
	"ack_by" integer,
	"handled_at" timestamp (3) with time zone,
	"handled_by" integer,
	"note" text,
	"incident_id" integer,
	"told" text DEFAULT 'nothing' NOT NULL,
	"told_at" timestamp (3) with time zone,
	"held" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL,
	"wechat" text,
	"remark" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alarm_channels" ADD CONSTRAINT "alarm_channels_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_notice_id_alarm_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."alarm_notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_channel_id_alarm_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alarm_channels"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_channels" ADD CONSTRAINT "alarm_rule_channels_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_channels" ADD CONSTRAINT "alarm_rule_channels_channel_id_alarm_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alarm_channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_contacts" ADD CONSTRAINT "alarm_rule_contacts_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_contacts" ADD CONSTRAINT "alarm_rule_contacts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_devices" ADD CONSTRAINT "alarm_rule_devices_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_devices" ADD CONSTRAINT "alarm_rule_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_groups" ADD CONSTRAINT "alarm_rule_groups_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rule_groups" ADD CONSTRAINT "alarm_rule_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_rules" ADD CONSTRAINT "alarm_rules_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_devices" ADD CONSTRAINT "maintenance_devices_maintenance_id_maintenances_id_fk" FOREIGN KEY ("maintenance_id") REFERENCES "public"."maintenances"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_devices" ADD CONSTRAINT "maintenance_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_groups" ADD CONSTRAINT "maintenance_groups_maintenance_id_maintenances_id_fk" FOREIGN KEY ("maintenance_id") REFERENCES "public"."maintenances"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_groups" ADD CONSTRAINT "maintenance_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenances" ADD CONSTRAINT "maintenances_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_incidents" ADD CONSTRAINT "alarm_incidents_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_marks" ADD CONSTRAINT "alarm_marks_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_pendings" ADD CONSTRAINT "alarm_pendings_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_pendings" ADD CONSTRAINT "alarm_pendings_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_rule_id_alarm_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alarm_rules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_incident_id_alarm_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."alarm_incidents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_channels_name" ON "alarm_channels" USING btree ("customer_id","name");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_due" ON "alarm_deliveries" USING btree ("due_at") WHERE "alarm_deliveries"."state" in ('draft', 'sending') and "alarm_deliveries"."channel_id" is not null;--> statement-breakpoint
CREATE INDEX "alarm_deliveries_customer_at" ON "alarm_deliveries" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_notice" ON "alarm_deliveries" USING btree ("notice_id");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_channel" ON "alarm_deliveries" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "alarm_notices_customer_at" ON "alarm_notices" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "alarm_rule_channels_channel" ON "alarm_rule_channels" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "alarm_rule_contacts_contact" ON "alarm_rule_contacts" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "alarm_rule_devices_device" ON "alarm_rule_devices" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "alarm_rule_groups_group" ON "alarm_rule_groups" USING btree ("group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_rules_name" ON "alarm_rules" USING btree ("customer_id","name");--> statement-breakpoint
CREATE INDEX "maintenance_devices_device" ON "maintenance_devices" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "maintenance_groups_group" ON "maintenance_groups" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "maintenances_customer" ON "maintenances" USING btree ("customer_id","starts_at");--> statement-breakpoint
CREATE INDEX "alarm_incidents_untold" ON "alarm_incidents" USING btree ("rule_id") WHERE "alarm_incidents"."told" <> 'all';--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_note_templates_text" ON "alarm_note_templates" USING btree ("customer_id","text");--> statement-breakpoint
CREATE INDEX "alarm_pendings_device" ON "alarm_pendings" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_active" ON "alarms" USING btree ("rule_id","device_id","subject") WHERE "alarms"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "alarms_active_customer" ON "alarms" USING btree ("customer_id","last_at") WHERE "alarms"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "alarms_ended" ON "alarms" USING btree ("ended_at") WHERE "alarms"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "alarms_customer_at" ON "alarms" USING btree ("customer_id","last_at");--> statement-breakpoint
CREATE INDEX "alarms_at" ON "alarms" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "alarms_device_at" ON "alarms" USING btree ("device_id","last_at");--> statement-breakpoint
CREATE INDEX "alarms_untold" ON "alarms" USING btree ("rule_id") WHERE "alarms"."told" <> 'all';--> statement-breakpoint
CREATE INDEX "alarms_incident" ON "alarms" USING btree ("incident_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_phone" ON "contacts" USING btree ("customer_id","phone");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_email" ON "contacts" USING btree ("customer_id",lower("email"));