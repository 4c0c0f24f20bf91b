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
--> statement-breakpoint
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
--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "owner_id" integer;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "remote_account" text;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "remote_password" text;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "remote_key" text;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "remote_ip" text;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "mask_bits" integer;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "bridged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "login_type" text DEFAULT 'disallow' NOT NULL;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "login_num" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "n2n_server_id" integer;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "remote_logins" integer;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "n2n_servers_port" ON "n2n_servers" USING btree (lower("address"),"port");--> statement-breakpoint
CREATE INDEX "n2n_servers_name" ON "n2n_servers" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("user_id","list","name");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_default" ON "saved_views" USING btree ("user_id","list") WHERE is_default;--> statement-breakpoint
CREATE INDEX "saved_views_shared" ON "saved_views" USING btree ("customer_id","list") WHERE shared;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_n2n_server_id_n2n_servers_id_fk" FOREIGN KEY ("n2n_server_id") REFERENCES "public"."n2n_servers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "groups_remote_account" ON "groups" USING btree (lower("remote_account"));--> statement-breakpoint
CREATE INDEX "groups_n2n_server" ON "groups" USING btree ("n2n_server_id");--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_level" CHECK ("groups"."level" between 1 and 3);