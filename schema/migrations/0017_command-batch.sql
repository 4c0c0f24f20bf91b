CREATE TABLE "command_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" integer,
	"created_by" integer,
	"request_id" uuid NOT NULL,
	"name" text NOT NULL,
	"args" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	"matching" integer NOT NULL,
	"left_out" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "commands" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "command_batches" ADD CONSTRAINT "command_batches_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_batches" ADD CONSTRAINT "command_batches_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "command_batches_request" ON "command_batches" USING btree ("created_by","request_id");--> statement-breakpoint
CREATE INDEX "command_batches_customer" ON "command_batches" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "command_batches_created" ON "command_batches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "commands_batch" ON "commands" USING btree ("batch_id","state") WHERE "commands"."batch_id" is not null;