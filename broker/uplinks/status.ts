import { figureList, readFigure, readFigures } from '#schema/device/figure'
import { status as uplink } from '#schema/device/status'
import type { Figure } from '#schema/kit/figure'
import { type Cell, hot } from '../uplink.ts'

const columns = figureList.map(({ column }) => column)
const typed = columns.map((column) => `${column} float8`).join(', ')
/** `real` refuses numbers closer to zero than it can hold. */
const assigned = columns
  .map((column) => `${column} = case when abs(e.${column}) < 1e-30 then 0 else e.${column} end`)
  .join(', ')

/** The same array for each row. */
const cells: Cell[] = []

export const status = hot({
  uplink,
  table: 'status_samples',
  columns: {
    device_id: 'integer',
    at: 'instant',
    uptime_s: 'bigint',
    network_mode: 'text',
    rx_bytes: 'bigint',
    tx_bytes: 'bigint',
    ...Object.fromEntries(columns.map((column) => [column, 'real' as const])),
  },
  at: (said) => said.at,
  row: (deviceId, said, atMs) => {
    cells[0] = deviceId
    cells[1] = atMs
    cells[2] = said.uptimeS
    cells[3] = said.networkMode ?? null
    cells[4] = said.rxBytes
    cells[5] = said.txBytes
    for (let i = 0; i < figureList.length; i++) cells[6 + i] = readFigure(figureList[i] as Figure, said)
    return cells
  },
  latest: {
    values: (said) => ({
      ip: said.ip ?? null,
      network_mode: said.networkMode ?? null,
      uptime_s: said.uptimeS,
      rx_bytes: said.rxBytes,
      tx_bytes: said.txBytes,
      ...Object.fromEntries(readFigures(said).map((value, i) => [columns[i], value])),
      memory_total_bytes: said.memoryTotalBytes ?? null,
      memory_used_bytes: said.memoryUsedBytes ?? null,
      clients: said.clients ?? null,
      interfaces: said.interfaces ?? null,
      gps_longitude: said.gps?.longitude ?? null,
      gps_latitude: said.gps?.latitude ?? null,
      config_hash: said.configHash ?? null,
    }),
    update: `
      with e as (
        select * from jsonb_to_recordset($1::text::jsonb) as x("deviceId" int, at bigint, "arrivedAt" bigint, ip text, network_mode text,
          uptime_s bigint, rx_bytes bigint, tx_bytes bigint, ${typed}, memory_total_bytes bigint,
          memory_used_bytes bigint, clients int, interfaces jsonb, gps_longitude float8, gps_latitude float8, config_hash text)),
      -- Changed on the device itself: the workers read it. What was known before the last hello, reading or confirmed change is
      -- not news: this is written seconds later, and a device that reports a former configuration would seem to have gone back to it.
      changed as (update device_configs c set running_hash = e.config_hash, asked_at = null
        from e join devices d on d.id = e."deviceId" join device_states s on s.device_id = d.id
        where c.device_id = d.id and e.config_hash <> c.running_hash
          and to_timestamp(e."arrivedAt" / 1000.0) > greatest(d.hello_at, c.document_at, '-infinity')
          and (s.status_at is null or s.status_at < to_timestamp(e.at / 1000.0)))
      update device_states s set status_at = to_timestamp(e.at / 1000.0), ip = e.ip,
        network_mode = e.network_mode, uptime_s = e.uptime_s, rx_bytes = e.rx_bytes, tx_bytes = e.tx_bytes, ${assigned},
        memory_total_bytes = e.memory_total_bytes, memory_used_bytes = e.memory_used_bytes,
        clients = e.clients, interfaces = nullif(e.interfaces, 'null'),
        gps_longitude = coalesce(e.gps_longitude, s.gps_longitude), gps_latitude = coalesce(e.gps_latitude, s.gps_latitude)
      from e where s.device_id = e."deviceId" and (s.status_at is null or s.status_at < to_timestamp(e.at / 1000.0))`,
  },
})
