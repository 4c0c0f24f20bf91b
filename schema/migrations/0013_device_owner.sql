ALTER TABLE "devices" ALTER COLUMN "owned_since" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "devices" ALTER COLUMN "owned_since" DROP NOT NULL;--> statement-breakpoint
-- No device had changed hands yet: what stands there is the moment of a migration, or of creation.
UPDATE "devices" SET "owned_since" = NULL;
