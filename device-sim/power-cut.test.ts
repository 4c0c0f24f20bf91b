/** A power cut right after the first commit: what a device does in several steps is in flash as a whole, or not at all. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { command } from '#schema/command/command'
import { ConfigRestore } from './config-restore.ts'
import { ENROLMENT_KEY, type FakeCloud, order, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { Settings } from './settings.ts'
import { startDeviceSim } from './start.ts'
import { openStore, type Store } from './store.ts'

const SN = 'RT24000001'
let dir: string
let cloud: FakeCloud

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'iot-cut-'))
  cloud = await startFakeCloud()
})
afterEach(async () => {
  await cloud.close()
  rmSync(dir, { recursive: true })
})

/** Copies the flash when this step is on disk: what there is without all later steps. */
function cutAfter(store: Store, from: string, step: 'forgetFiles' | 'saveFiles' | 'saveMemory') {
  const copy = join(dir, 'copy')
  const real = store[step] as (...args: never[]) => Promise<void>
  let isCut = false
  Object.assign(store, {
    [step]: async (...args: never[]) => {
      await real(...args)
      if (!isCut) cpSync(from, copy, { recursive: true })
      isCut = true
    },
  })
  return {
    isDone: () => isCut,
    read: <T>(look: (flash: Store, settings: Settings) => T): T => {
      const flash = openStore(copy)
      const found = look(flash, new Settings({ sn: SN, world: { store: flash } }))
      void flash.close()
      return found
    },
  }
}

it('a factory reset that keeps the network is done with the network that it keeps', async () => {
  const from = join(dir, 'sim')
  const sim = await startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir: from,
    faults: {},
    speed: 100,
    log: quiet,
    models: ['R200'],
  })
  try {
    await sim.whenOnline(60_000)
    const { config, settings, world } = sim.device(SN)
    const network = config.text('network')?.replace(/(\toption apn ')[^']*/, '$1private.apn') ?? ''
    await config.write([{ path: '/etc/config/network', text: network }])
    await settings.put('activeSlot', 2)
    await settings.put('rootPassword', 'hash')
    const cut = cutAfter(world.store, from, 'forgetFiles')
    await cloud.tell(SN, command, order(crypto.randomUUID(), 'factoryReset', { keepNetwork: true }))
    await until('the reset', cut.isDone)
    const left = cut.read((flash, kept) => ({
      reset: kept.get('config') === 0 && kept.get('rootPassword') === null,
      network: flash.files(SN).some(({ text }) => text?.includes('private.apn')),
    }))
    expect(left).toEqual({ reset: true, network: true })
  } finally {
    await sim.close()
  }
})

it('a restored configuration that is taken back is no longer named, and has failed', async () => {
  const from = join(dir, 'flash')
  const store = openStore(from)
  const settings = new Settings({ sn: SN, world: { store } })
  await settings.put('restored', 'new')
  await settings.put('trial', {
    item: 'new',
    formerItem: 'former',
    files: [{ path: '/etc/a', text: 'before' }],
  })
  const cut = cutAfter(store, from, 'saveFiles')
  let failed = ''
  const part = {
    sn: SN,
    settings,
    config: { write: (files: []) => store.saveFiles(SN, files) },
    world: {
      store,
      speed: 1,
      wheel: { after: (_: number, run: () => void) => run(), sleep: async () => undefined },
    },
    power: new AbortController().signal,
    dice: { between: () => 0 },
    note: () => undefined,
    down: () => undefined,
    boot: () => undefined,
  }
  const restore = new ConfigRestore(part as never, async (item) => {
    failed = item
  })
  restore.booted()
  await until('the former files', cut.isDone)
  const left = cut.read((flash, kept) => [kept.get('restored'), kept.get('trial'), flash.files(SN)[0]?.text])
  expect(left).toEqual(['former', null, 'before'])
  await until('the failure', () => failed === 'new')
  await store.close()
})
