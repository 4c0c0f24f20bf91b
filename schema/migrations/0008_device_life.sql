ALTER TABLE "devices" ADD COLUMN "purged_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "devices_purged" ON "devices" USING btree ("id") WHERE "devices"."purged_at" is not null;--> statement-breakpoint
CREATE INDEX "devices_replaces" ON "devices" USING btree ("replaces_id") WHERE "devices"."replaces_id" is not null;
