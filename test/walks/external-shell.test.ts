/** Devices made of the mosquitto clients, which need more than one connection, behind Mosquitto: the shell example and the agent for OpenWrt. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingTools, Router } from '../openwrt/router.ts'
import { noMosquitto, startMosquitto } from '../programs/debian-mosquitto.ts'
import { startShellExample } from '../programs/shell-example.ts'
import { addPackage, seedTenants, type Tenants } from '../tenants.ts'
import { makeArchive } from './make-archive.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed } from './watch-task.ts'

const missing = noMosquitto ? ['mosquitto with its plugin', ...missingTools] : missingTools
if (missing.length > 0)
  process.stderr.write(
    `SKIPPED: shell devices behind an external broker (${missing.join(', ')} is not there)\n`,
  )

type Found = { id: number; bootId: string | null; firmware: string; online: boolean; reason: string | null }

describe.skipIf(missing.length > 0)('behind Debian’s Mosquitto', { timeout: 120_000 }, () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  let rooms: Rooms
  let tenants: Tenants
  let token: string
  let device: ReturnType<typeof startShellExample> | undefined
  let router: Router | undefined
  const SHELL = 'SHELL-EXT'
  const OPENWRT = 'OWRT-EXT'

  const find = async (sn: string) => {
    const [row] = await rooms.context.sql<Found[]>`
      select d.id, d.boot_id as "bootId", d.firmware, s.online, s.offline_reason as reason
      from devices d join device_states s on s.device_id = d.id where d.sn = ${sn}`
    return row
  }
  const waitFor = <T>(what: string, look: () => Promise<T | null | undefined | false>) =>
    until(what, look, 60_000, 200).catch((error: Error) => {
      throw new Error(`${error.message}\n${device?.output() ?? ''}\n${router?.output ?? ''}`)
    })
  const online = (sn: string) =>
    waitFor(`${sn} is online`, async () => {
      const row = await find(sn)
      return row?.online && row.bootId ? row : null
    })
  const hasSamples = (id: number) =>
    waitFor('a status is stored', async () => {
      const [row] = await rooms.context.sql`select 1 from status_samples where device_id = ${id}`
      return row
    })
  const outcomeOf = async (deviceId: number, name: string) => {
    const { commandId } = await rooms.call<{ commandId: string }>(
      'command/sendCommand',
      { deviceId, name },
      token,
    )
    return waitFor(`the end of ${name}`, async () => {
      const [row] = await rooms.context.sql<{ state: string }[]>`
        select state from commands where id = ${commandId} and ended_at is not null`
      return row?.state
    })
  }
  /** Records of the device, the oldest first; one that is open has no reason. */
  const records = async (id: number) =>
    (
      await rooms.context.sql<{ reason: string | null }[]>`
        select reason from presence_records where device_id = ${id} order by online_at`
    ).map(({ reason }) => reason)
  const keyOf = async (label: string) =>
    (
      await rooms.call<{ key: string }>(
        'device/createEnrolmentKey',
        { groupId: tenants.a.groups.root, label },
        token,
      )
    ).key

  beforeAll(async () => {
    mosquitto = await startMosquitto()
    rooms = await startRooms({ ...mosquitto.settings, TASK_DEADLINE_SCALE: '2' })
    tenants = await seedTenants(rooms.context)
    token = await rooms.login(tenants.a.admin.username)
    device = startShellExample({
      sn: SHELL,
      host: '127.0.0.1',
      port: String(mosquitto.port),
      key: await keyOf('shell'),
      state: join(rooms.dir, 'shell'),
    })
  }, 180_000)
  afterAll(async () => {
    device?.kill()
    await router?.close()
    await rooms?.close()
    await mosquitto?.stop()
  })

  it('the shell example enrols, reports, and reboots by command, and says that it leaves', async () => {
    const before = await online(SHELL)
    await hasSamples(before.id)
    expect(await outcomeOf(before.id, 'reboot')).toBe('done')
    const after = await online(SHELL)
    expect(after.bootId).not.toBe(before.bootId)
    expect(await records(before.id)).toEqual(['disconnected', null])
  })

  it('is upgraded', async () => {
    const { id } = await online(SHELL)
    const made = await addPackage(rooms.context, {
      customerId: null,
      model: 'R200',
      version: '3.0.0',
      content: await makeArchive(60_000),
    })
    const { taskId } = await rooms.call<{ taskId: number }>(
      'levelUp/addLevelUp',
      { name: 'shell', spId: made.id, dids: [id] },
      token,
    )
    expect(await completed(rooms.context, taskId)).toMatchObject([{ outcome: 'done' }])
    expect((await online(SHELL)).firmware).toBe('3.0.0')
  })

  it('is offline by its will when it is killed, and its history has no open record left', async () => {
    const { id } = await online(SHELL)
    const secret = readFileSync(join(rooms.dir, 'shell/secret'), 'utf8').trim()
    device?.kill()
    device = undefined
    await waitFor('it is offline', async () => (await find(SHELL))?.reason === 'socketClosed')
    expect(await records(id)).not.toContain(null)
    // What the accounts of auxiliary connections may: with their own id only, and nothing of another device.
    const enter = (username: string, clientId: string, password = secret) =>
      connectAsync(mosquitto.url, {
        clientId,
        username,
        password,
        protocolVersion: 4,
        reconnectPeriod: 0,
      })
    for (const [username, clientId] of [
      [`${SHELL}:1`, SHELL],
      [`${SHELL}:1`, `${SHELL}:2`],
      [`${SHELL}:1`, OPENWRT],
      [`${SHELL}:5`, `${SHELL}:5`],
      [SHELL, `${SHELL}:1`],
    ] as const)
      await expect(enter(username, clientId), `${clientId} as ${username}`).rejects.toThrow(
        /not authori[sz]ed/i,
      )
    const auxiliary = await enter(`${SHELL}:4`, `${SHELL}:4`)
    await expect(auxiliary.subscribeAsync(`v1/${OPENWRT}/down/#`, { qos: 1 })).rejects.toThrow()
    const ended = new Promise<void>((done) => auxiliary.once('close', () => done()))
    await rooms.call('device/revokeDeviceSecret', { deviceId: id }, token)
    await ended
    await expect(enter(`${SHELL}:4`, `${SHELL}:4`)).rejects.toThrow(/not authori[sz]ed/i)
  })

  it('the agent for OpenWrt enrols, reports and reboots', async () => {
    router = new Router({
      host: '127.0.0.1',
      port: String(mosquitto.port),
      serial: OPENWRT,
      key: await keyOf('openwrt'),
    })
    router.start('guard')
    router.start('agent')
    const { id } = await online(OPENWRT)
    await hasSamples(id)
    const rebooting = outcomeOf(id, 'reboot')
    await waitFor('it restarts', async () => router?.calls.find((call) => call.startsWith('reboot')))
    await router.powerCycle()
    expect(await rebooting).toBe('done')
    await online(OPENWRT)
    // It reconnects automatically, with a new name, so that the end of the former connection is not attributed to the new one.
    await mosquitto.kill()
    await mosquitto.start()
    await waitFor('its third record', async () => (await records(id)).length >= 3)
    await waitFor(
      'one is open',
      async () => (await records(id)).filter((reason) => reason === null).length === 1,
    )
    expect((await online(OPENWRT)).id).toBe(id)
  })
})
