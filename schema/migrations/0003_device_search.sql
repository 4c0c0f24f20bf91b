CREATE INDEX "device_states_ip" ON "device_states" USING gin ((lower("ip")) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "device_warnings_device_at" ON "device_warnings" USING btree ("device_id","at");--> statement-breakpoint
CREATE INDEX "device_warnings_at" ON "device_warnings" USING btree ("at");