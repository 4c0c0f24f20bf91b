import { status as uplink } from '#schema/device/status'
import { hot } from '../uplink.ts'

export const status = hot({
  uplink,
  table: 'status_samples',
  columns: {
    device_id: 'integer',
    at: 'instant',
    uptime_s: 'bigint',
    signal_dbm: 'real',
    network_mode: 'text',
    rx_bytes: 'bigint',
    tx_bytes: 'bigint',
    load1: 'real',
    memory_used_percent: 'real',
    temperature_celsius: 'real',
  },
  at: (said) => said.at,
  row: (deviceId, said, atMs) => [
    deviceId,
    atMs,
    said.uptimeS,
    said.signalDbm ?? null,
    said.networkMode ?? null,
    said.rxBytes,
    said.txBytes,
    said.load1 ?? null,
    said.memoryTotalBytes && said.memoryUsedBytes !== undefined
      ? Math.min(100, (100 * said.memoryUsedBytes) / said.memoryTotalBytes)
      : null,
    said.temperatureCelsius ?? null,
  ],
  latest: {
    values: (said) => ({
      ip: said.ip ?? null,
      signal_dbm: said.signalDbm ?? null,
      network_mode: said.networkMode ?? null,
      uptime_s: said.uptimeS,
      rx_bytes: said.rxBytes,
      tx_bytes: said.txBytes,
      load1: said.load1 ?? null,
      memory_total_bytes: said.memoryTotalBytes ?? null,
      memory_used_bytes: said.memoryUsedBytes ?? null,
      temperature_celsius: said.temperatureCelsius ?? null,
      clients: said.clients ?? null,
      interfaces: said.interfaces ?? null,
      gps_longitude: said.gps?.longitude ?? null,
      gps_latitude: said.gps?.latitude ?? null,
    }),
    update: `
      with e as (
        select * from jsonb_to_recordset($1::text::jsonb) as x("deviceId" int, at bigint, ip text, signal_dbm float8,
          network_mode text, uptime_s bigint, rx_bytes bigint, tx_bytes bigint, load1 float8, memory_total_bytes bigint,
          memory_used_bytes bigint, temperature_celsius float8, clients int, interfaces jsonb, gps_longitude float8, gps_latitude float8))
      update device_states s set status_at = to_timestamp(e.at / 1000.0), ip = e.ip, signal_dbm = e.signal_dbm,
        network_mode = e.network_mode, uptime_s = e.uptime_s, rx_bytes = e.rx_bytes, tx_bytes = e.tx_bytes,
        load1 = case when abs(e.load1) < 1e-30 then 0 else e.load1 end,
        memory_total_bytes = e.memory_total_bytes, memory_used_bytes = e.memory_used_bytes,
        temperature_celsius = case when abs(e.temperature_celsius) < 1e-30 then 0 else e.temperature_celsius end,
        clients = e.clients, interfaces = nullif(e.interfaces, 'null'),
        gps_longitude = coalesce(e.gps_longitude, s.gps_longitude), gps_latitude = coalesce(e.gps_latitude, s.gps_latitude)
      from e where s.device_id = e."deviceId" and (s.status_at is null or s.status_at < to_timestamp(e.at / 1000.0))`,
  },
})
