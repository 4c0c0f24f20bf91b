ALTER TABLE "device_backups" ADD COLUMN "customer_id" integer;--> statement-breakpoint
ALTER TABLE "device_backups" ADD COLUMN "from_sn" text;--> statement-breakpoint
UPDATE "device_backups" b SET "customer_id" = coalesce(
  (SELECT c."customer_id" FROM "commands" c WHERE c."id" = b."command_id"),
  (SELECT d."customer_id" FROM "devices" d WHERE d."id" = b."device_id" AND (d."owned_since" IS NULL OR b."created_at" >= d."owned_since")));
