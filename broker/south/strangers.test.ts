/**
 * Senders that others wrote: Sparkplug B by the encoder of its own project (npm sparkplug-payload), and Debian's collectd with its
 * mqtt plugin. What is written by hand in the other tests is what we believe they send.
 */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IPublishPacket } from 'mqtt-packet'
import sparkplug from 'sparkplug-payload'
import { describe, expect, it } from 'vitest'
import { databaseFolder } from '#test/scratch'
import { southTest } from '#test/south-bench'

const { context, port, account, linked, source, latest, reports } = await southTest('STRANGER-')
const { sql } = context

const codec = sparkplug.get('spBv1.0')
if (!codec) throw new Error('sparkplug-payload does not know its own version')
const encode = (payload: Parameters<typeof codec.encodePayload>[0]) =>
  Buffer.from(codec.encodePayload(payload))
const now = () => Date.now() - 1_000

describe('Sparkplug B by sparkplug-payload', () => {
  const bdSeq = (value: number) => ({ name: 'bdSeq', type: 'UInt64' as const, value })
  const birth = (seq: number, at = now) =>
    encode({
      timestamp: at(),
      seq,
      metrics: [
        { name: 'Voltage L1', alias: 10, type: 'Float', value: 229.75, timestamp: at() },
        { name: 'Temperature', alias: 12, type: 'Int16', value: -220, timestamp: at() },
        { name: 'Relay', alias: 13, type: 'Boolean', value: true, timestamp: at() },
        { name: 'Energy', alias: 14, type: 'UInt64', value: 9_007_199_254_740_991, timestamp: at() },
        { name: 'Serial', alias: 15, type: 'String', value: 'Ä-17', timestamp: at() },
        { name: 'Level', alias: 16, type: 'Double', isNull: true, value: null, timestamp: at() },
      ],
    })
  const types = {
    'Voltage L1': 'float32',
    Temperature: 'int16',
    Relay: 'bool',
    Energy: 'uint64',
    Serial: 'text',
    Level: 'float64',
  }

  it('births name and type what data refers to by alias; a gap asks for a rebirth, which its decoder understands; deaths end it', async () => {
    const { id, username } = await account('sparkplugB', ['spBv1.0/Plant/#'])
    const terminalId = await linked(id, 'Plant/GW/Meter-7', types)
    const { raw, send, say, subscribe } = await source(username, { clientId: 'node' })
    expect(await subscribe('spBv1.0/Plant/NCMD/GW/#')).toBe(0)
    await say('spBv1.0/Plant/NBIRTH/GW', encode({ timestamp: now(), seq: 0, metrics: [bdSeq(4)] }))
    await say('spBv1.0/Plant/DBIRTH/GW/Meter-7', birth(1))
    const born = { 'Voltage L1': 229.75, Temperature: -220, Relay: 1, Serial: 'Ä-17' }
    expect(await latest(terminalId)).toMatchObject({ ...born, Level: 'quality 8' })
    const [energy] =
      await sql`select text, value from variable_latest where terminal_id = ${terminalId} and slot = 3`
    expect(Number(energy?.['text'] ?? energy?.['value'])).toBe(9_007_199_254_740_991)
    await say(
      'spBv1.0/Plant/DDATA/GW/Meter-7',
      encode({
        timestamp: now(),
        seq: 2,
        metrics: [
          { alias: 12, type: 'Int16', value: -5, timestamp: now() } as never,
          { alias: 13, type: 'Boolean', value: false, timestamp: now() } as never,
        ],
      }),
    )
    expect(await latest(terminalId)).toMatchObject({ 'Voltage L1': 229.75, Temperature: -5, Relay: 0 })
    // What it could not send, sent later: filed under its time, never as the newest.
    const before = await reports(terminalId)
    await say(
      'spBv1.0/Plant/DDATA/GW/Meter-7',
      encode({
        timestamp: now(),
        seq: 3,
        metrics: [
          { alias: 12, type: 'Int16', value: 99, timestamp: now() - 600_000, isHistorical: true } as never,
        ],
      }),
    )
    expect(await reports(terminalId)).toBe(before + 1)
    expect(await latest(terminalId)).toMatchObject({ Temperature: -5 })
    // A message is missing: 4.
    send('spBv1.0/Plant/NDATA/GW', encode({ timestamp: now(), seq: 5, metrics: [] }))
    const asked = (await raw.take('publish')) as IPublishPacket
    expect(asked.topic).toBe('spBv1.0/Plant/NCMD/GW')
    expect(codec.decodePayload(Buffer.from(asked.payload)).metrics).toMatchObject([
      { name: 'Node Control/Rebirth', type: 'Boolean', value: true },
    ])
    await say('spBv1.0/Plant/NBIRTH/GW', encode({ timestamp: now(), seq: 0, metrics: [bdSeq(5)] }))
    await say('spBv1.0/Plant/DBIRTH/GW/Meter-7', birth(1))
    expect(await latest(terminalId)).toMatchObject(born)
    // The will of the connection before has the number of its birth.
    await say('spBv1.0/Plant/NDEATH/GW', encode({ timestamp: now(), metrics: [bdSeq(4)] }))
    expect(await latest(terminalId)).toMatchObject(born)
    await say('spBv1.0/Plant/NDEATH/GW', encode({ timestamp: now(), metrics: [bdSeq(5)] }))
    expect(await latest(terminalId)).toMatchObject({ 'Voltage L1': 'quality 3', Temperature: 'quality 3' })
    // It comes back with a clock that is behind: its end was earlier all the same.
    const behind = () => now() - 30_000
    await say('spBv1.0/Plant/NBIRTH/GW', encode({ timestamp: behind(), seq: 0, metrics: [bdSeq(6)] }))
    await say('spBv1.0/Plant/DBIRTH/GW/Meter-7', birth(1, behind))
    expect(await latest(terminalId)).toMatchObject({ 'Voltage L1': 229.75, Temperature: -220 })
    for (const [n, value] of [-6, -7].entries())
      await say(
        'spBv1.0/Plant/DDATA/GW/Meter-7',
        encode({
          timestamp: behind(),
          seq: 2 + n,
          metrics: [{ alias: 12, type: 'Int16', value, timestamp: behind() } as never],
        }),
      )
    expect(await latest(terminalId)).toMatchObject({ 'Voltage L1': 229.75, Temperature: -7 })
  })
})

const COLLECTD = '/usr/sbin/collectd'
const PLUGIN = '/usr/lib/collectd/mqtt.so'
const hasCollectd = existsSync(COLLECTD) && existsSync(PLUGIN)

describe.skipIf(!hasCollectd)('Debian’s collectd', () => {
  it('sends the load of a machine by its mqtt plugin, which is stored under the names of the values', async () => {
    const { id, username } = await account('collectd', ['collectd/#'])
    const terminalId = await linked(id, 'gw-0001', {
      'load/load/shortterm': 'float64',
      'load/load/longterm': 'float64',
      'uptime/uptime': 'float64',
    })
    const dir = databaseFolder('iot-collectd-')
    writeFileSync(
      join(dir, 'collectd.conf'),
      `Hostname "gw-0001"
FQDNLookup false
Interval 1
BaseDir "${dir}"
PIDFile "${dir}/pid"
TypesDB "/usr/share/collectd/types.db"
LoadPlugin load
LoadPlugin uptime
LoadPlugin mqtt
<Plugin mqtt>
  <Publish "ours">
    Host "127.0.0.1"
    Port ${port}
    User "${username}"
    Password "a-generated-password"
    ClientId "collectd"
    Prefix "collectd"
    QoS 1
    StoreRates true
  </Publish>
</Plugin>
`,
    )
    const child = spawn(COLLECTD, ['-f', '-C', join(dir, 'collectd.conf')], { stdio: 'ignore', cwd: dir })
    const ended = new Promise((done) => child.once('exit', done))
    try {
      await expect.poll(async () => Object.keys(await latest(terminalId)).length, { interval: 200 }).toBe(3)
      const values = await latest(terminalId)
      for (const value of Object.values(values)) expect(Number(value)).toBeGreaterThanOrEqual(0)
      expect(Number(values['uptime/uptime'])).toBeGreaterThan(1)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  }, 20_000)
})
