ALTER TABLE "devices" ADD COLUMN "sim_state" text;--> statement-breakpoint
CREATE INDEX "devices_sim" ON "devices" USING btree ("customer_id","sim_state") WHERE "devices"."deleted_at" is null;--> statement-breakpoint
UPDATE "devices" d SET "sim_state" = sim.state FROM "device_sections" x CROSS JOIN LATERAL (
  SELECT slot->>'state' AS state FROM jsonb_array_elements(x."value") slot
  ORDER BY (slot->>'active')::boolean DESC, slot->>'state' = 'absent', slot->>'slot' LIMIT 1) sim
WHERE x."device_id" = d."id" AND x."name" = 'mobile';
