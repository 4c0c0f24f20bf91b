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
--> statement-breakpoint
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
	"session_id" uuid
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "parameter_values" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "parameter_values_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"customer_id" integer,
	"value" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_by" text
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
DROP INDEX "mails_due";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "kept" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "object_customer_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_step" integer;--> statement-breakpoint
ALTER TABLE "email_bindings" ADD CONSTRAINT "email_bindings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extra_parameters" ADD CONSTRAINT "extra_parameters_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parameter_values" ADD CONSTRAINT "parameter_values_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_bindings_user" ON "email_bindings" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "logins_at" ON "logins" USING btree ("at");--> statement-breakpoint
CREATE INDEX "logins_customer_at" ON "logins" USING btree ("customer_id","at");--> statement-breakpoint
CREATE INDEX "logins_user_at" ON "logins" USING btree ("user_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "extra_parameters_name_zh" ON "extra_parameters" USING btree (coalesce("customer_id", 0),lower("name_zh"));--> statement-breakpoint
CREATE UNIQUE INDEX "extra_parameters_name_en" ON "extra_parameters" USING btree (coalesce("customer_id", 0),lower("name_en"));--> statement-breakpoint
CREATE UNIQUE INDEX "parameter_values_key" ON "parameter_values" USING btree ("key",coalesce("customer_id", 0));--> statement-breakpoint
CREATE INDEX "parameter_values_customer" ON "parameter_values" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "operations_object_customer_at" ON "operations" USING btree ("object_customer_id","at");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE "mails"."state" in ('draft', 'sending') and not "mails"."kept";--> statement-breakpoint
CREATE INDEX "task_events_at" ON "task_events" USING brin ("at");--> statement-breakpoint
-- Logs take rows and keep them; only the upkeep job removes, and nothing younger than half a year.
CREATE FUNCTION refuse_log_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('iot.upkeep', true) = 'on' THEN
    IF OLD.at < now() - interval '180 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;--> statement-breakpoint
DROP TRIGGER operations_append_only ON "operations";--> statement-breakpoint
CREATE TRIGGER operations_append_only BEFORE UPDATE OR DELETE ON "operations" FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();--> statement-breakpoint
CREATE TRIGGER operations_not_emptied BEFORE TRUNCATE ON "operations" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();--> statement-breakpoint
CREATE TRIGGER logins_append_only BEFORE UPDATE OR DELETE ON "logins" FOR EACH ROW EXECUTE FUNCTION refuse_log_rewrite();--> statement-breakpoint
CREATE TRIGGER logins_not_emptied BEFORE TRUNCATE ON "logins" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_rewrite();--> statement-breakpoint
DROP FUNCTION refuse_rewrite();
