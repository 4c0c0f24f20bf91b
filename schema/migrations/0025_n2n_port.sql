DROP INDEX "n2n_servers_port";--> statement-breakpoint
CREATE UNIQUE INDEX "n2n_servers_port_unique" ON "n2n_servers" USING btree ("port");