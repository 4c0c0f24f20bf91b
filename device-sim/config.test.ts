/** The configuration of a simulated device: applied on trial, confirmed, reverted or refused; and one model behind it all. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configHash, packageHash } from '#infra/config-hash'
import { command } from '#schema/command/command'
import { config } from '#schema/config/reported'
import { exportUci, parseUci } from '#schema/config/uci'
import { offer } from '#schema/task/task'
import { ENROLMENT_KEY, type FakeCloud, order, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { startFakeFiles } from './fake-files.ts'
import { type Sim, type SimDevice, type SimOptions, startDeviceSim } from './start.ts'

let cloud: FakeCloud
let dataDir: string
let sim: Sim
let device: SimDevice

const start = async (more: Partial<SimOptions> = {}) => {
  sim = await startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults: {},
    speed: 100,
    log: quiet,
    models: ['P10'],
    trialAtLeastMs: 4_000,
    ...more,
  })
  device = sim.devices[0] as SimDevice
  const before = cloud.of(device.sn, 'hello').length
  await sim.whenOnline(60_000)
  await until('a hello of this start', () => cloud.of(device.sn, 'hello').length > before)
}
beforeEach(async () => {
  cloud = await startFakeCloud({ statusEveryS: 5 })
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await sim.close()
  await cloud.close()
  rmSync(dataDir, { recursive: true })
  expect(cloud.invalid).toEqual([])
})

const text = (name: string) => device.config.text(name) ?? ''
const edited = (name: string, from: string | RegExp, to: string) => {
  const after = text(name).replace(from, to)
  expect(after).not.toBe(text(name))
  return after
}

type More = {
  base?: Record<string, string>
  confirmS?: number
  hash?: string
  revision?: number
  files?: object[]
}
function change(
  texts: Record<string, string>,
  { base, confirmS = 30, hash, revision = 1, files = [] }: More = {},
) {
  const packages = Object.entries(texts).map(([name, raw]) => {
    let canonical = raw
    try {
      canonical = exportUci(parseUci(name, raw))
    } catch {
      // To be refused by the device.
    }
    return { name, text: raw, hash: hash ?? packageHash(canonical) }
  })
  const hashes = { ...device.config.hashes }
  const known = Object.fromEntries(packages.map(({ name }) => [name, base?.[name] ?? hashes[name] ?? null]))
  for (const { name, hash: own } of packages) hashes[name] = own
  return { revision, base: known, packages, files, configHash: configHash(hashes), confirmS }
}
async function tell(name: string, args: object): Promise<string> {
  const id = randomUUID()
  await cloud.tell(device.sn, command, order(id, name, args as Record<string, unknown>))
  return id
}
const replies = (id: string) =>
  cloud.of(device.sn, 'reply').flatMap(({ payload }) => (payload['id'] === id ? [payload] : []))
async function end(id: string, timeoutMs?: number) {
  await until('the end', () => replies(id).some(({ state }) => state !== 'accepted'), timeoutMs)
  return replies(id).at(-1) as { state: string; error?: string; result?: Record<string, unknown> }
}
const apply = async (texts: Record<string, string>, more?: More) => tell('applyConfig', change(texts, more))
type Said = {
  configHash: string
  config: { packages: object; abilities: string[]; pending?: { revision: number } }
}
const hello = () => cloud.of(device.sn, 'hello').at(-1)?.payload as unknown as Said
const onTrial = () => until('a hello with pending', () => hello()?.config.pending?.revision !== undefined)
const renamed = () => edited('system', /hostname '.*'/, "hostname 'desk-9'")

describe('what a device says of its configuration', () => {
  it('is in hello and in every status, and its texts come when they are asked for', async () => {
    await start()
    expect(hello()).toMatchObject({
      configHash: device.config.hash,
      config: { level: 1, packages: device.config.hashes, abilities: ['swconfig', 'watchcat'] },
    })
    expect(hello().config.pending).toBeUndefined()
    await until('a status', () => cloud.of(device.sn, 'status').length > 0)
    expect(cloud.of(device.sn, 'status')[0]?.payload['configHash']).toBe(device.config.hash)
    const { system: _, ...known } = device.config.hashes
    expect(await end(await tell('readConfig', { known }))).toMatchObject({ state: 'done' })
    const said = cloud.of(device.sn, 'config')[0]?.payload
    expect(said).toMatchObject({
      configHash: device.config.hash,
      texts: { system: text('system') },
      more: false,
    })
    expect(Object.keys(said?.['texts'] as object)).toEqual(['system'])
    for (const [name, hash] of Object.entries(device.config.hashes))
      expect(packageHash(text(name))).toBe(hash)
  })

  it('fits into a message in any language', async () => {
    await start()
    const notes = Array.from(
      { length: 15 },
      (_, i) => `config note\n\toption text '${i}${'电'.repeat(3_000)}'\n`,
    )
    await device.local.edit('system', `${text('system')}\n${notes.join('\n')}`)
    expect(await end(await tell('readConfig', { known: {} }))).toMatchObject({ state: 'done' })
    const said = cloud.of(device.sn, 'config').at(-1)?.payload
    expect(Buffer.byteLength(JSON.stringify(said))).toBeLessThanOrEqual(config.maxBytes)
  })
})

describe('a change', () => {
  it('without a trial is applied, and stays over a restart of the simulator', async () => {
    await start()
    const wanted = renamed()
    expect(await end(await apply({ system: wanted }, { confirmS: 0 }))).toMatchObject({
      state: 'done',
      result: { outcome: 'confirmed', configHash: device.config.hash },
    })
    await sim.close()
    await start()
    expect(text('system')).toBe(wanted)
    expect(hello().configHash).toBe(device.config.hash)
  })

  it('on trial is accepted, tried over a new connection, and stays once confirmed; files too', async () => {
    await start()
    const hellos = cloud.of(device.sn, 'hello').length
    const given = change({ system: renamed() }, { files: [{ path: '/etc/ssl/ca.crt', text: 'PEM' }] })
    const id = await tell('applyConfig', given)
    await onTrial()
    expect(replies(id).map(({ state }) => state)).toEqual(['accepted'])
    expect(cloud.of(device.sn, 'hello').length).toBeGreaterThan(hellos)
    expect(hello()).toMatchObject({ configHash: given.configHash, config: { pending: { revision: 1 } } })
    await end(await tell('confirmConfig', { revision: 2 }))
    expect(device.trial.pending?.revision).toBe(1)
    await end(await tell('confirmConfig', { revision: 1 }))
    expect(await end(id)).toMatchObject({ state: 'done', result: { outcome: 'confirmed' } })
    expect(device.config.textAt('/etc/ssl/ca.crt')).toBe('PEM')
    expect(device.config.files.map(({ path }) => path)).toContain('etc/ssl/ca.crt')
    await sim.close()
    await start()
    expect(text('system')).toContain('desk-9')
    expect(hello().config.pending).toBeUndefined()
  })

  /** What is on disk of a trial and of its command at each commit that ends one of them: a power cut may come right after it. */
  const commits = (id: () => string) => {
    const { store } = device.world
    const seen: unknown[] = []
    const look = async (kept: Promise<void>) => {
      await kept
      const journal = store.memory(device.sn).find(({ key }) => key === 'journal')?.value
      seen.push([journal === 'null', store.command(device.sn, id())?.state])
    }
    const { saveMemory, saveCommand } = store
    vi.spyOn(store, 'saveMemory').mockImplementation((sn, key, value) => {
      const kept = saveMemory(sn, key, value)
      return key === 'journal' && value === null ? look(kept) : kept
    })
    vi.spyOn(store, 'saveCommand').mockImplementation((row) => {
      const kept = saveCommand(row)
      return row.id === id() && row.state !== 'accepted' ? look(kept) : kept
    })
    return seen
  }

  it.each([
    ['confirmed', 'confirmConfig', 'done'],
    ['reverted', 'revertConfig', 'failed'],
  ] as const)('and its reply are stored together when it is %s', async (_, name, state) => {
    await start({ trialAtLeastMs: 60_000 })
    let id = ''
    const seen = commits(() => id)
    id = await apply({ system: renamed() })
    await onTrial()
    await end(await tell(name, { revision: 1 }))
    await end(id)
    expect(seen).toEqual([
      [true, state],
      [true, state],
    ])
  })

  it('and its reply are stored together when it has no time to be confirmed in', async () => {
    await start()
    let id = ''
    const seen = commits(() => id)
    id = await apply({ system: renamed() }, { confirmS: 0 })
    await end(id)
    expect(seen).toEqual([
      [true, 'done'],
      [true, 'done'],
    ])
  })

  it('and its reply are stored together by the boot that has reverted it', async () => {
    await start({ trialAtLeastMs: 60_000 })
    let id = ''
    const seen = commits(() => id)
    id = await apply({ system: renamed() })
    await onTrial()
    device.cutPower()
    await end(id)
    expect(seen).toEqual([
      [true, 'failed'],
      [true, 'failed'],
    ])
  })

  it('that is not confirmed is reverted', async () => {
    await start({ trialAtLeastMs: 1_500 })
    const before = text('system')
    const id = await apply({ system: renamed() })
    expect(await end(id)).toMatchObject({
      state: 'failed',
      error: 'reverted: not confirmed within 30 s',
      result: { outcome: 'reverted', detail: 'not confirmed within 30 s', configHash: device.config.hash },
    })
    expect(text('system')).toBe(before)
    await until('a hello without it', () => hello().config.pending === undefined)
    expect(hello().configHash).toBe(device.config.hash)
  })

  it('is reverted at once when the platform takes it back', async () => {
    await start({ trialAtLeastMs: 60_000 })
    const id = await apply({ system: renamed() })
    await onTrial()
    await end(await tell('revertConfig', { revision: 1 }))
    expect((await end(id)).result).toMatchObject({ outcome: 'reverted', detail: 'the platform took it back' })
  })

  it('is reverted by a power cut, before anything else of the boot', async () => {
    await start({ trialAtLeastMs: 60_000 })
    const before = text('system')
    const id = await apply({ system: renamed() })
    await onTrial()
    device.cutPower()
    expect((await end(id)).result).toMatchObject({
      outcome: 'reverted',
      detail: 'restarted before it was confirmed',
    })
    expect(text('system')).toBe(before)
    expect(hello().config.pending).toBeUndefined()
  })

  it('is reverted when the whole simulator restarts in the middle', async () => {
    await start({ trialAtLeastMs: 60_000 })
    const before = text('system')
    const id = await apply({ system: renamed() })
    await onTrial()
    await sim.close()
    await start()
    expect((await end(id)).result).toMatchObject({ outcome: 'reverted' })
    expect(text('system')).toBe(before)
  })

  it('keeps other changes made during the trial', async () => {
    await start({ trialAtLeastMs: 60_000 })
    const before = text('dropbear')
    const given = { system: renamed(), dropbear: edited('dropbear', "Port '22'", "Port '2222'") }
    const id = await apply(given)
    await onTrial()
    await device.local.edit('system', edited('system', 'desk-9', 'by-hand'))
    await end(await tell('revertConfig', { revision: 1 }))
    expect(String((await end(id)).result?.['detail'])).toContain(
      'changed meanwhile and left as it is: system',
    )
    expect(text('system')).toContain('by-hand')
    expect(text('dropbear')).toBe(before)
  })
})

describe('a change is refused', () => {
  it.each([
    [
      'a bad line',
      { system: 'config system\n\toption\n' },
      { package: 'system', reason: 'line 2: invalid command' },
    ],
    ['an unknown package', { mwan3: 'config globals globals\n' }, { package: 'mwan3' }],
  ])('as rejected: %s', async (_, texts, fault) => {
    await start()
    const before = device.config.hash
    expect((await end(await apply(texts))).result).toMatchObject({
      outcome: 'rejected',
      fault,
      configHash: before,
    })
    expect(device.config.hash).toBe(before)
  })

  it('as rejected with section and option where a page knows its bounds', async () => {
    await start()
    const id = await apply({ network: edited('network', "metric '10'", "metric '10000'") })
    expect(await end(id)).toMatchObject({
      state: 'failed',
      error: 'rejected: network: must not be greater than 9999',
      result: {
        outcome: 'rejected',
        fault: {
          package: 'network',
          section: 'wan',
          option: 'metric',
          reason: 'must not be greater than 9999',
        },
      },
    })
    expect(replies(id)).toHaveLength(1)
  })

  it('as rejected if a byte of it was damaged', async () => {
    await start()
    const result = (await end(await apply({ system: renamed() }, { hash: 'a'.repeat(64) }))).result
    expect(result).toMatchObject({ outcome: 'rejected', fault: { package: 'system' } })
  })

  it('as conflict if it is based on something else', async () => {
    await start()
    const id = await apply({ system: renamed() }, { base: { system: 'b'.repeat(64) } })
    expect((await end(id)).result).toMatchObject({ outcome: 'conflict' })
  })

  it('as busy during another trial, which also refuses a factory reset', async () => {
    await start({ trialAtLeastMs: 60_000 })
    await apply({ system: renamed() })
    await onTrial()
    const other = await apply({ dropbear: edited('dropbear', "Port '22'", "Port '2222'") }, { revision: 2 })
    expect((await end(other)).result).toMatchObject({ outcome: 'busy' })
    expect(await end(await tell('factoryReset', {}))).toMatchObject({
      state: 'failed',
      error: 'busy: a change of the configuration is on trial',
    })
  })

  it('and an upgrade fails before it installs anything', async () => {
    const files = await startFakeFiles()
    await start({ trialAtLeastMs: 60_000, models: ['R200'] })
    await apply({ system: renamed() })
    await onTrial()
    const given = files.offer()
    await cloud.tell(device.sn, offer, given)
    await until('it fails', () => cloud.steps(given.item).includes('unknownError'))
    expect(cloud.progress(given.item).at(-1)?.['detail']).toBe(
      'busy: a change of the configuration is on trial',
    )
    expect(device.installs(given.item)).toBe(0)
    await files.close()
  })

  it('as busy while a change is on trial in the web page, or there are uncommitted changes', async () => {
    await start({ speed: 20 })
    const before = text('dropbear')
    await device.local.try('dropbear', edited('dropbear', "Port '22'", "Port '2222'"))
    expect((await end(await apply({ system: renamed() }))).result).toMatchObject({ outcome: 'busy' })
    await until('it is taken back', () => text('dropbear') === before)
    device.local.leaveUncommitted('system')
    expect((await end(await apply({ system: renamed() }))).result).toMatchObject({
      outcome: 'busy',
      detail: 'system has uncommitted changes on the device',
    })
  })
})

describe('a change that cuts the device off', () => {
  it.each([
    ['no protocol on its wire', 'P10', 'network', /(ifname 'eth0'\n\toption proto) 'dhcp'/, "$1 'none'"],
    [
      'no default route over it',
      'P10',
      'network',
      /(ifname 'eth0'\n\toption proto 'dhcp')/,
      "$1\n\toption defaultroute '0'",
    ],
    ['an access point that does not exist', 'G100', 'network', /apn 'iot.private'/, "apn 'bad.example'"],
    [
      'a firewall that lets nothing out',
      'P10',
      'firewall',
      /(name 'wan'\n(?:\t.*\n)*?\toption output) 'ACCEPT'/,
      "$1 'REJECT'",
    ],
  ])('is reverted by the device alone: %s', async (_, model, name, from, to) => {
    await start({ models: [model], trialAtLeastMs: 3_000 })
    const before = text(name)
    const id = await apply({ [name]: edited(name, from, to) })
    await until('it is gone', () => device.uplink.problem !== null && !device.online)
    expect((await end(id)).result).toMatchObject({ outcome: 'reverted' })
    expect(text(name)).toBe(before)
    expect(device.uplink.problem).toBeNull()
    await sim.whenOnline(60_000)
  })
})

describe('a person at the device', () => {
  it('changes the hash of the next status; a mere reordering changes nothing else', async () => {
    await start({ statusEveryS: 0.3 })
    const was = device.config.hash
    await device.local.reorder('system')
    expect(device.config.hash).not.toBe(was)
    await until(
      'the status says so',
      () => cloud.of(device.sn, 'status').at(-1)?.payload['configHash'] === device.config.hash,
    )
  })
})
