CREATE TABLE "traffic_totals" (
	"device_id" integer NOT NULL,
	"owned_since" timestamp (3) with time zone NOT NULL,
	"rx_bytes" bigint NOT NULL,
	"tx_bytes" bigint NOT NULL,
	CONSTRAINT "traffic_totals_device_id_owned_since_pk" PRIMARY KEY("device_id","owned_since")
);
