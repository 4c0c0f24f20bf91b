CREATE TABLE "images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" integer,
	"mime" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" integer,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "customers" ALTER COLUMN "logo" SET DATA TYPE uuid USING "logo"::uuid;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "icon" SET DATA TYPE uuid USING "icon"::uuid;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "contact" text;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "phone" text;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "service_type" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "totp_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "deleted_by" integer;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "deleted_reason" text;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "owned_since" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "replaces_id" integer;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "created_by" integer;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "object" text;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "before" jsonb;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "after" jsonb;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "status" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "created_by" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "remark" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "alarm_state" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_secret" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "created_by" integer;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "images_customer" ON "images" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE "mails"."state" in ('draft', 'sending');--> statement-breakpoint
CREATE INDEX "mails_customer_at" ON "mails" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "devices_deleted" ON "devices" USING btree ("customer_id","deleted_at") WHERE "devices"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "operations_at" ON "operations" USING btree ("at");--> statement-breakpoint
CREATE INDEX "operations_user_at" ON "operations" USING btree ("user_id","at");