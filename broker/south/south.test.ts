/** Accounts of foreign sources: from a login to stored values, and the walls around them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPublishPacket } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { hashSecret } from '#infra/secrets'
import { qualityCode } from '#schema/monitor/fields'
import { southTest } from '#test/south-bench'
import { addDevices } from '#test/tenants'

const { context, tenants, login, device, account, linked, connect, source, latest, reports } =
  await southTest('SOUTH-')
const { sql } = context
const at = () => Date.now() - 2_000

describe('values', () => {
  it('of Neuron are stored before they are acknowledged, by their full or short names', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const terminalId = await linked(id, 'press', { voltage: 'float64', 'fast/relay': 'bool', serial: 'text' })
    const { say } = await source(username)
    await say('/neuron/gw', {
      timestamp: at(),
      node: 'press',
      group: 'fast',
      values: { voltage: 230.456, relay: true, serial: 'S-1\0' },
    })
    expect(await latest(terminalId)).toEqual({ voltage: 230.46, 'fast/relay': 1, serial: 'S-1' })
    expect(await reports(terminalId)).toBe(1)
  })

  it('of a mapping written by a user are stored; unmapped names are listed, and nothing is created', async () => {
    const { id, username } = await account('mapping', ['line/+'], {
      mapping: { terminalAt: 'topic/2', valuesAt: '/d' },
    })
    const terminalId = await linked(id, 'oven', { Temp: 'int16' })
    const { say } = await source(username)
    await say('line/oven', { d: { temp: '181', other: 5, list: [1] } })
    await say('line/stranger', { d: { temp: 1 } })
    expect(await latest(terminalId)).toEqual({ Temp: 181 })
    const names = () =>
      sql`select source, name, value from south_names where account_id = ${id} order by 1, 2`
    await expect.poll(async () => (await names()).length).toBe(2)
    expect([...(await names())]).toEqual([
      { source: 'oven', name: 'other', value: '5' },
      { source: 'stranger', name: 'temp', value: '1' },
    ])
    expect(
      await sql`select messages::int, stored::int from south_states where account_id = ${id}`,
    ).toMatchObject([{ messages: 2, stored: 1 }])
  })

  it('of one time in several messages are all kept, and a repeated message is stored once', async () => {
    const { id, username } = await account('collectd', ['collectd/#'])
    const terminalId = await linked(id, 'r1', {
      'memory/memory-free': 'float64',
      'memory/memory-used': 'float64',
      'uptime/uptime': 'float64',
    })
    const { send, say } = await source(username)
    const time = (at() / 1000).toFixed(3)
    send('collectd/r1/memory/memory-free', `${time}:1\0`, 0)
    await say('collectd/r1/memory/memory-used', `${time}:2\0`)
    expect(await reports(terminalId)).toBe(1)
    await say('collectd/r1/uptime/uptime', `${time}:3\0`)
    await say('collectd/r1/memory/memory-used', `${time}:2\0`)
    await say('collectd/r1/uptime/uptime', `${time}:3\0`)
    expect(await reports(terminalId)).toBe(2)
    expect(await latest(terminalId)).toEqual({
      'memory/memory-free': 1,
      'memory/memory-used': 2,
      'uptime/uptime': 3,
    })
  })

  it('that differ are all kept, although a source counts whole seconds', async () => {
    const { id, username } = await account('mapping', ['second/+'], {
      mapping: { terminalAt: 'topic/2', timeAt: '/t', valuesAt: '/d' },
    })
    const terminalId = await linked(id, 'press', { Level: 'float64', State: 'text' })
    const { say } = await source(username)
    const t = Math.floor(at() / 1000)
    const said = [
      { Level: 1, State: 'idle' },
      { Level: 2, State: 'idle' },
      { Level: 2, State: 'busy' },
    ]
    for (const d of said) await say('second/press', JSON.stringify({ t, d }))
    // Sent again, since its acknowledgement was lost.
    for (const d of said) await say('second/press', JSON.stringify({ t, d }))
    await Promise.all([3, 4].map((Level) => say('second/press', JSON.stringify({ t, d: { Level } }))))
    expect(await latest(terminalId)).toEqual({ Level: 4, State: 'busy' })
    expect(await reports(terminalId)).toBe(5)
  })

  it('are computed from others of the same terminal, and no source can send those', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const terminalId = await linked(id, 'pump', { Flow: 'float64', Head: 'float64' })
    await sql`
      insert into variables (template_id, slot, name, unit, data_type, io_controller, formula)
      select template_id, 2, 'Power', '-', 'float64', 'formula', 'Flow * Head' from terminals where id = ${terminalId}`
    const { say } = await source(username)
    await say('/neuron/gw', { timestamp: at(), node: 'pump', values: { Flow: 3, Head: 4, Power: 99 } })
    expect(await latest(terminalId)).toEqual({ Flow: 3, Head: 4, Power: 12 })
    await say('/neuron/gw', { timestamp: at() + 10, node: 'pump', values: { Head: 5 } })
    expect(await latest(terminalId)).toEqual({ Flow: 3, Head: 5, Power: 15 })
  })

  it('that its type cannot hold are bad data, and a time in the future is uncertain', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const terminalId = await linked(id, 'valve', { Count: 'uint32', Open: 'bool' })
    const { say } = await source(username)
    const qualities = async () =>
      (await sql`select quality from variable_latest where terminal_id = ${terminalId} order by slot`).map(
        ({ quality }) => quality,
      )
    await say('/neuron/gw', { timestamp: at(), node: 'valve', values: { Count: -5, Open: 2 } })
    expect(await qualities()).toEqual([qualityCode('badData'), qualityCode('badData')])
    await say('/neuron/gw', {
      timestamp: Date.now() + 3_600_000,
      node: 'valve',
      values: { Count: 5, Open: 1 },
    })
    expect(await qualities()).toEqual([qualityCode('uncertainTime'), qualityCode('uncertainTime')])
  })

  it('follow a variable that is added while the source is connected', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const terminalId = await linked(id, 'late', {})
    const { say } = await source(username)
    await say('/neuron/gw', { node: 'late', values: { a: 1 } })
    await sql`
      insert into variables (template_id, slot, name, unit, data_type, io_controller)
      select template_id, 0, 'A', '-', 'float64', 'source' from terminals where id = ${terminalId}`
    await expect
      .poll(
        async () => {
          await say('/neuron/gw', { node: 'late', values: { a: 7 } })
          return latest(terminalId)
        },
        { interval: 300 },
      )
      .toEqual({ A: 7 })
  })

  it('by QoS 2 are stored once', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const terminalId = await linked(id, 'two', { a: 'float64' })
    const { raw, send } = await source(username)
    const messageId = send('/neuron/gw', { node: 'two', values: { a: 1 } }, 2)
    await raw.take('pubrec')
    raw.send({ cmd: 'pubrel', messageId })
    await raw.take('pubcomp')
    expect(await latest(terminalId)).toEqual({ a: 1 })
  })
})

describe('walls', () => {
  it('a wrong password, a locked account and a foreign client id get in nowhere', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    expect((await connect(username, { password: 'wrong' })).code).toBe(4)
    await sql`update south_accounts set enabled = false where id = ${id}`
    expect((await connect(username)).code).toBe(4)
    const own = device()
    const gateway = await login(own)
    await sql`update south_accounts set enabled = true where id = ${id}`
    await source(username, { clientId: own.sn })
    expect(gateway.isClosed(), 'it takes over nobody').toBe(false)
  })

  it('two accounts with the same filters, of two customers, never see messages of the other', async () => {
    const mine = await account('neuron', ['/neuron/#'])
    const other = await account('neuron', ['/neuron/#'], { tenant: tenants.b })
    const [theirs] = await addDevices(sql, tenants.b.customerId, tenants.b.groups.root, 'SOUTH-B-', 1)
    const ours = await linked(mine.id, 'same', { a: 'float64' })
    const foreign = await linked(other.id, 'same', { a: 'float64' }, theirs)
    const listener = await source(other.username)
    expect(await listener.subscribe('/neuron/#')).toBe(0)
    const { say, raw, subscribe } = await source(mine.username)
    expect(await subscribe('/neuron/gw')).toBe(0)
    await say('/neuron/gw', { node: 'same', values: { a: 5 } })
    await listener.say('/neuron/gw', { node: 'none' })
    expect(await latest(ours)).toEqual({ a: 5 })
    expect(await latest(foreign)).toEqual({})
    expect([...raw.packets, ...listener.raw.packets].filter(({ cmd }) => cmd === 'publish')).toEqual([])
  })

  it('neither publishes nor subscribes beyond its filters; devices and their topics are out of reach', async () => {
    const own = device()
    const gateway = await login(own)
    const { id, username } = await account('thingsboard', ['v1/gateway/#', 'v1/devices/me/#'])
    const listener = await source(username)
    for (const filter of ['#', '+/#', 'v1/#', 'v1/+/telemetry', `v1/${own.sn}/#`, '$south', '$SYS/#'])
      expect(await listener.subscribe(filter), filter).toBe(128)
    expect(await listener.subscribe('v1/gateway/#')).toBe(0)
    const [sn] = await addDevices(sql, tenants.b.customerId, tenants.b.groups.root, 'gateway', 1)
    const named = await login({ ...(sn as NonNullable<typeof sn>) })
    named.send({
      cmd: 'publish',
      topic: `v1/${sn?.sn}/plain`,
      payload: 'x',
      qos: 0,
      retain: false,
      dup: false,
    })
    listener.send(`v1/${own.sn}/up/status`, {})
    await listener.raw.closed()
    expect(gateway.packets.filter(({ cmd }) => cmd === 'publish')).toEqual([])
    expect(listener.raw.packets.filter(({ cmd }) => cmd === 'publish')).toEqual([])
    await expect
      .poll(async () => (await sql`select fault from south_states where account_id = ${id}`)[0]?.['fault'])
      .toBe('topic')
  })

  it('names that are still unknown stay listed while others are linked, and after the source has come back', async () => {
    const { id, username } = await account('mapping', ['seldom/+'], {
      mapping: { terminalAt: 'topic/2', valuesAt: '/d' },
    })
    const { say, raw } = await source(username)
    await say('seldom/north', { d: { flow: 1, level: 2 } })
    await say('seldom/east', { d: { flow: 3 } })
    const names = async () =>
      (await sql`select source, name from south_names where account_id = ${id} order by 1, 2`).map(
        ({ source: of, name }) => `${of} ${name}`,
      )
    await expect.poll(names).toEqual(['east flow', 'north flow', 'north level'])
    await linked(id, 'north', { flow: 'float64' }, device())
    await sql`select pg_notify('south_accounts', '')`
    await expect.poll(names).not.toContain('north flow')
    expect(await names()).toEqual(['east flow', 'north level'])
    raw.socket.destroy()
    const next = await source(username)
    await next.say('seldom/west', { d: { flow: 4 } })
    await expect.poll(names).toEqual(['east flow', 'north level', 'west flow'])
  })

  it('a hidden terminal is not collected, and its names are not listed as unknown; shown again, it is', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const terminalId = await linked(id, 'quiet', { a: 'float64' }, device())
    const { say } = await source(username)
    /** Whether the next value is stored: it is acknowledged when it is. */
    const stores = async () => {
      const before = await reports(terminalId)
      await say('/neuron/gw', { node: 'quiet', values: { a: Math.random() } })
      return (await reports(terminalId)) > before
    }
    const hide = async (hidden: boolean) => {
      await sql`update terminals set hidden = ${hidden} where id = ${terminalId}`
      await sql`select pg_notify('south_accounts', '')`
    }
    await expect.poll(stores, { interval: 200 }).toBe(true)
    await hide(true)
    await expect.poll(stores, { interval: 200 }).toBe(false)
    // The names of several seconds are written together.
    await sleep(3_000)
    expect(await stores()).toBe(false)
    expect(await sql`select 1 from south_names where account_id = ${id} and source = 'quiet'`).toHaveLength(0)
    await hide(false)
    await expect.poll(stores, { interval: 200 }).toBe(true)
  })

  it('a terminal that left the project takes nothing any more; a new password ends the connection', async () => {
    const { id, username } = await account('neuron', ['/neuron/#'])
    const of = device()
    const terminalId = await linked(id, 'moved', { a: 'float64' }, of)
    const { say, raw } = await source(username)
    await say('/neuron/gw', { node: 'moved', values: { a: 1 } })
    await sql`update devices set customer_id = ${tenants.b.customerId}, group_id = ${tenants.b.groups.root} where id = ${of.id}`
    await sql`select pg_notify('south_accounts', '')`
    let before = -1
    await expect
      .poll(
        async () => {
          const now = await reports(terminalId)
          await say('/neuron/gw', { node: 'moved', values: { a: 2 } })
          const same = now === before
          before = await reports(terminalId)
          return same && before === now
        },
        { interval: 200 },
      )
      .toBe(true)
    await sql`update south_accounts set secret_hash = ${hashSecret('another')} where id = ${id}`
    await sql`select pg_notify('south_accounts', '')`
    await raw.closed(6_000)
  })
})

describe('Sparkplug B', () => {
  it('asks its own connection for a birth, and its will ends what is known', async () => {
    const { id, username } = await account('sparkplugB', ['spBv1.0/G/#'])
    const terminalId = await linked(id, 'G/N', { A: 'int32' })
    const stranger = await source((await account('sparkplugB', ['spBv1.0/G/#'])).username)
    expect(await stranger.subscribe('spBv1.0/G/NCMD/N')).toBe(0)
    const will = { topic: 'spBv1.0/G/NDEATH/N', payload: Buffer.alloc(0), qos: 0, retain: false }
    const { raw, send, say, subscribe } = await source(username, { clientId: 'node', will })
    expect(await subscribe('spBv1.0/G/NCMD/N/#')).toBe(0)
    // "A" (Int32, alias 1) is 5, seq 0; then alias 9, which is not declared.
    await say('spBv1.0/G/NBIRTH/N', Buffer.from('12090a01411001200350051800', 'hex'))
    expect(await latest(terminalId)).toEqual({ A: 5 })
    send('spBv1.0/G/NDATA/N', Buffer.from('1204100950011801', 'hex'))
    const asked = (await raw.take('publish')) as IPublishPacket
    expect(asked.topic).toBe('spBv1.0/G/NCMD/N')
    expect(String(asked.payload)).toContain('Node Control/Rebirth')
    expect(stranger.raw.packets.filter(({ cmd }) => cmd === 'publish')).toEqual([])
    raw.socket.destroy()
    await expect.poll(() => latest(terminalId)).toEqual({ A: 'quality 3' })
  })
})
