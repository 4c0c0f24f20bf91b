DROP INDEX IF EXISTS "n2n_servers_port";--> statement-breakpoint
DROP INDEX IF EXISTS "n2n_servers_port_unique";--> statement-breakpoint
ALTER TABLE "n2n_servers" ADD COLUMN "shares_port" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- A port could be given once at each address: who has one that an older server has keeps it, or nothing would start.
UPDATE "n2n_servers" s SET "shares_port" = true WHERE EXISTS (SELECT 1 FROM "n2n_servers" o WHERE o."port" = s."port" AND o."id" < s."id");--> statement-breakpoint
CREATE UNIQUE INDEX "n2n_servers_port_unique" ON "n2n_servers" USING btree ("port") WHERE not "n2n_servers"."shares_port";
