DROP INDEX "devices_search";--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(sn || ' ' || name || ' ' || coalesce(imei, '') || ' ' || coalesce(iccid, '') || ' ' || coalesce(mac, ''))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "devices_name" ON "devices" USING btree ("name","sn") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_model_order" ON "devices" USING btree ("model","sn") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_firmware_order" ON "devices" USING btree ("firmware","sn") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "devices_search" ON "devices" USING gin ("search_text" gin_trgm_ops);