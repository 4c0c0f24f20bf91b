CREATE TABLE "printer_drivers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "printer_drivers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"address" text NOT NULL,
	"type" text NOT NULL,
	"sign" text NOT NULL,
	"debug_state" text DEFAULT 'notDebugged' NOT NULL,
	"remark" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "terminals" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terminals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"device_id" integer NOT NULL,
	"name" text NOT NULL,
	"serial" text,
	"template" text NOT NULL,
	"protocol" text NOT NULL,
	"slave_id" integer NOT NULL,
	"slave_address" text NOT NULL,
	"port" integer,
	"serial_port" integer,
	"hidden" boolean DEFAULT false NOT NULL,
	"number" text,
	"location" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "printers" ADD CONSTRAINT "printers_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "printer_drivers_sign" ON "printer_drivers" USING btree ("sign");--> statement-breakpoint
CREATE UNIQUE INDEX "printers_local" ON "printers" USING btree ("device_id","local_id");--> statement-breakpoint
CREATE INDEX "printers_driver" ON "printers" USING btree ("driver_sign");--> statement-breakpoint
CREATE UNIQUE INDEX "terminals_name" ON "terminals" USING btree ("device_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "terminals_slave" ON "terminals" USING btree ("device_id","protocol","slave_address",coalesce("port", 0),coalesce("serial_port", 0),"slave_id");--> statement-breakpoint
CREATE INDEX "terminals_name_order" ON "terminals" USING btree ("name");