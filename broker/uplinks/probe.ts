import { probe as uplink } from '#schema/device/probe'
import { hot } from '../uplink.ts'

export const probe = hot({
  uplink,
  table: 'probe_samples',
  columns: {
    device_id: 'integer',
    at: 'instant',
    target: 'text',
    link: 'text',
    sent: 'integer',
    received: 'integer',
    min_ms: 'real',
    avg_ms: 'real',
    max_ms: 'real',
  },
  at: (said) => said.at,
  row: (deviceId, said, atMs) => [
    deviceId,
    atMs,
    said.target,
    said.link ?? null,
    said.sent,
    // More responses than requests are duplicates created by the network.
    Math.min(said.sent, said.received),
    said.minMs ?? null,
    said.avgMs ?? null,
    said.maxMs ?? null,
  ],
})
