/** Mosquitto carries the devices, and real processes of the platform take in what it keeps for them. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { freePort } from '#infra/embedded-postgres'
import { auxiliaryUsers } from '#schema/device/auxiliary'
import { noMosquitto, startMosquitto } from '../programs/debian-mosquitto.ts'
import { addPackage, seedTenants, type Tenants } from '../tenants.ts'
import { makeArchive } from './make-archive.ts'
import { rawDevice } from './raw-device.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed, stepsIn } from './watch-task.ts'

if (noMosquitto) process.stderr.write('SKIPPED: an external broker (no Mosquitto with its plugin)\n')

const SIMULATED = 4
type Made = { deviceId: number; deviceSn: string; secret: string }

describe.skipIf(noMosquitto)('behind Debian’s Mosquitto', () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  let rooms: Rooms
  let tenants: Tenants
  let token: string
  let key: string
  let sim: Sim
  let health: number

  beforeAll(async () => {
    mosquitto = await startMosquitto()
    health = await freePort()
    const settings = { ...mosquitto.settings, TASK_DEADLINE_SCALE: '0.25' }
    rooms = await startRooms(settings, { broker: { HEALTH_PORT: String(health) } })
    tenants = await seedTenants(rooms.context)
    token = await rooms.login(tenants.a.admin.username)
    const { groups } = tenants.a
    const body = { groupId: groups.root, label: 'fleet' }
    key = (await rooms.call<{ key: string }>('device/createEnrolmentKey', body, token)).key
    sim = await startDeviceSim({
      count: SIMULATED,
      seed: 1,
      mqttUrl: mosquitto.url,
      enrolmentKey: key,
      models: ['R200'],
      dataDir: join(rooms.dir, 'sim'),
      faults: {},
      speed: 30,
      statusEveryS: 1,
      log: rooms.context.log,
    })
    await sim.whenOnline(60_000)
  }, 180_000)
  afterAll(async () => {
    await sim?.close()
    await rooms?.close()
    await mosquitto?.stop()
  })

  const readiness = async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).text()
  let named = 0
  /** With a serial number that no other try of a test has. */
  const create = (name: string) => {
    const deviceSn = `${name}-${++named}`
    return rooms.call<Made>(
      'device/createDevice',
      { groupId: tenants.a.groups.root, deviceSn, deviceName: deviceSn, address: 'Depot' },
      token,
    )
  }
  const stateOf = async (sn: string) => {
    const [row] = await rooms.context.sql<{ online: boolean; reason: string | null; samples: number }[]>`
      select s.online, s.offline_reason as reason,
        (select count(*)::int from status_samples p where p.device_id = d.id) as samples
      from devices d join device_states s on s.device_id = d.id where d.sn = ${sn}`
    return row
  }
  const enter = (sn: string, secret: string, clientId = sn): Promise<MqttClient> =>
    connectAsync(mosquitto.url, {
      clientId,
      username: sn,
      password: secret,
      protocolVersion: 4,
      reconnectPeriod: 0,
    })
  /** As soon as its account is there. */
  const device = ({ deviceSn, secret }: Made) =>
    until('the account is there', () => rawDevice(mosquitto.url, deviceSn, secret), 30_000, 100)

  it('enrols devices, which are online and whose status is stored', async () => {
    for (const { sn } of sim.devices)
      await until(`${sn} has samples`, async () => {
        const state = await stateOf(sn)
        return state?.online && state.samples > 0
      })
  })

  it('upgrades them', async () => {
    const ids = await rooms.context.sql<{ id: number }[]>`
      select id from devices where sn = any(${sim.devices.map(({ sn }) => sn)})`
    const version = `9.0.${++named}`
    const offered = await addPackage(rooms.context, {
      customerId: null,
      model: 'R200',
      version,
      content: await makeArchive(60_000),
    })
    const dids = ids.map(({ id }) => id)
    const { taskId } = await rooms.call<{ taskId: number }>(
      'levelUp/addLevelUp',
      { name: 'external', spId: offered.id, dids },
      token,
    )
    const items = await completed(rooms.context, taskId)
    expect(items.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'done'))
    for (const item of items) {
      expect(stepsIn(item).at(-1)).toBe('done')
      expect(sim.device(item.sn).installs(item.id)).toBe(1)
      expect(sim.device(item.sn).firmware).toBe(version)
    }
  }, 120_000)

  it('learns from the will that a connection broke, and from `gone` that the device left', async () => {
    const [lost, left] = sim.devices
    lost?.goOffline(3_000)
    await until('it is offline', async () => (await stateOf(lost?.sn ?? ''))?.reason === 'socketClosed')
    await until('it is back', async () => (await stateOf(lost?.sn ?? ''))?.online)
    left?.down()
    await until('it has left', async () => (await stateOf(left?.sn ?? ''))?.reason === 'disconnected')
    left?.boot()
    await until('it is back', async () => (await stateOf(left?.sn ?? ''))?.online)
    const open = await rooms.context.sql`
      select p.device_id from presence_records p where p.offline_at is null group by 1 having count(*) > 1`
    expect(open).toEqual([])
  })

  it('lets no device in where it does not belong', async () => {
    const one = await create('EXT-1')
    const other = await create('EXT-2')
    const client = await device(one)
    const victim = await device(other)
    for (const filter of [
      '#',
      'v1/+/down/#',
      `v1/${other.deviceSn}/#`,
      '$share/iot/v1/+/up/#',
      '$SYS/#',
      '$CONTROL/#',
    ]) {
      const raw = await enter(one.deviceSn, one.secret)
      await expect(raw.subscribeAsync(filter, { qos: 1 }), filter).rejects.toThrow()
      await raw.endAsync(true)
    }
    // Of another, of the platform, or of the fleet's ingest: bound to the account.
    for (const id of [other.deviceSn, 'iot-ingest-1', `${one.deviceSn}:pub`])
      await expect(enter(one.deviceSn, one.secret, id)).rejects.toThrow(/not authori[sz]ed/i)
    await expect(enter(one.deviceSn, other.secret)).rejects.toThrow(/not authori[sz]ed/i)
    const raw = await enter(one.deviceSn, one.secret)
    const status = JSON.stringify({ at: Date.now(), uptimeS: 1, rxBytes: 1, txBytes: 1 })
    await raw.publishAsync(`v1/${other.deviceSn}/up/status`, status, { qos: 1 })
    await raw.publishAsync(`v1/${other.deviceSn}/down/command`, '{}', { qos: 1 })
    await raw.publishAsync(`v1/${one.deviceSn}/up/status`, status, { qos: 1 })
    await until('its own is stored', async () => (await stateOf(one.deviceSn))?.samples === 1)
    expect((await stateOf(other.deviceSn))?.samples).toBe(0)
    expect(victim.heard.filter(({ name }) => name === 'command')).toEqual([])
    expect(victim.closedAt()).toBe(null)
    // A holder of the key may ask, and hears only the answer of the serial number that it names.
    const asking = await connectAsync(mosquitto.url, {
      clientId: 'EXT-3',
      username: `enrol:${key.slice(3, 11)}`,
      password: key,
      protocolVersion: 4,
      reconnectPeriod: 0,
    })
    await expect(asking.subscribeAsync('v1/+/down/enrolled', { qos: 1 })).rejects.toThrow()
    await raw.endAsync(true)
    await client.close()
    await victim.close()
  })

  it('ends a revoked device at once, and lets it in with its new secret only', async () => {
    const made = await create('EXT-REVOKED')
    const before = await device(made)
    await rooms.call('device/revokeDeviceSecret', { deviceId: made.deviceId }, token)
    await until('it is cut off', () => before.closedAt())
    await expect(enter(made.deviceSn, made.secret)).rejects.toThrow(/not authori[sz]ed/i)
    const fresh = await rooms.call<{ secret: string }>(
      'device/rotateDeviceSecret',
      { deviceId: made.deviceId },
      token,
    )
    const back = await device({ ...made, secret: fresh.secret })
    await rooms.call('device/deleteDevices', { dids: [made.deviceId], reason: 'sold' }, token)
    await until('it is cut off again', () => back.closedAt())
  })

  it('moves a device, which comes back as its new customer’s', async () => {
    const made = await create('EXT-MOVED')
    const before = await device(made)
    const { groups, customerId } = tenants.b
    const superToken = await rooms.login(tenants.superAdmin.username)
    await rooms.call('device/moveDevices', { dids: [made.deviceId], groupId: groups.root }, superToken)
    await until('it is cut off', () => before.closedAt())
    const back = await device(made)
    const [row] = await rooms.context.sql`select customer_id from devices where id = ${made.deviceId}`
    expect(row).toEqual({ customer_id: customerId })
    await back.close()
  })

  it('makes good what Mosquitto has lost or kept, and leaves the accounts of others alone', async () => {
    const [lost, kept] = [await create('EXT-LOST'), await create('EXT-KEPT')]
    const retaining = await create('EXT-RETAINED')
    await (await device(retaining)).close()
    const raw = await enter(retaining.deviceSn, retaining.secret)
    const up = `v1/${retaining.deviceSn}/up`
    const hello = { at: Date.now(), bootId: 'b', model: 'R200', firmware: '1.0.0', connection: 'c' }
    await raw.publishAsync(`${up}/hello`, JSON.stringify(hello), { qos: 1, retain: true })
    // The simulated device before it has left for the same reason: this one is to leave after its own hello.
    await until('it is there', async () => (await stateOf(retaining.deviceSn))?.online)
    await raw.publishAsync(`${up}/gone`, '{"connection":"c","leaving":true}', { qos: 1 })
    const hasLeft = async () => (await stateOf(retaining.deviceSn))?.reason === 'disconnected'
    await until('it has left', hasLeft)
    await raw.endAsync()
    await (await device(lost)).close()
    await (await device(kept)).close()
    // An account that the platform is about to make would use the role that is deleted here.
    for (const { deviceSn, secret } of [lost, kept])
      for (const user of auxiliaryUsers(deviceSn))
        await until(`${user} has an account`, async () => {
          await (await enter(user, secret)).endAsync(true)
          return true
        })
    const control = await connectAsync(mosquitto.url, {
      clientId: 'operator',
      username: 'iot-platform',
      password: mosquitto.settings.EXTERNAL_MQTT_PASSWORD,
      protocolVersion: 5,
    })
    const client = (username: string) => ({ command: 'createClient', username, password: 'theirs' })
    const commands = [
      // Mosquitto 2.0 crashes when a role is deleted that a client still has.
      ...[...auxiliaryUsers(lost.deviceSn), lost.deviceSn].map((username) => ({
        command: 'deleteClient',
        username,
      })),
      { command: 'deleteRole', rolename: `device:${lost.deviceSn}` },
      { ...client('EXT-GHOST'), textname: 'iot-cloud-platform', textdescription: '1:0' },
      { command: 'setClientPassword', username: kept.deviceSn, password: 'forgotten' },
      { command: 'modifyClient', username: kept.deviceSn, textdescription: '1:another' },
      client('operators-own'),
    ]
    await control.publishAsync('$CONTROL/dynamic-security/v1', JSON.stringify({ commands }), { qos: 1 })
    await control.endAsync()
    await until('it is made', () =>
      enter('operators-own', 'theirs').then((own) => own.endAsync(true).then(() => true)),
    )
    // Whoever serves the session next compares both sides.
    await rooms.kill('broker')
    await (await device(lost)).close()
    await (await device(kept)).close()
    // What it left as retained is no news.
    expect(await stateOf(retaining.deviceSn)).toMatchObject({ online: false, reason: 'disconnected' })
    await until('the ghost is gone', () =>
      enter('EXT-GHOST', 'theirs').then(
        (ghost) => ghost.endAsync(true).then(() => false),
        () => true,
      ),
    )
    await (await enter('operators-own', 'theirs')).endAsync(true)
  }, 120_000)

  it('loses nothing acknowledged with kill -9 of the ingest and of Mosquitto', async () => {
    const made = await create(`EXT-LEDGER-${Date.now()}`)
    await (await device(made)).close()
    const acknowledged = new Set<number>()
    const from = Date.now() - 3_600_000
    let next = 0
    let stop = false
    const one = async () => {
      let client: MqttClient | null = null
      while (!stop)
        try {
          client ??= await enter(made.deviceSn, made.secret)
          const sending = client
          const all = Promise.all(
            Array.from({ length: 20 }, async () => {
              const at = from + next++
              const body = JSON.stringify({ at, uptimeS: 1, rxBytes: 1, txBytes: 1 })
              await sending.publishAsync(`v1/${made.deviceSn}/up/status`, body, { qos: 1 })
              acknowledged.add(at)
            }),
          )
          // What is not acknowledged when the connection breaks never will be.
          const broken = until('the connection broke', () => !sending.connected, 10_000)
          await Promise.race([all, broken])
          if (!sending.connected) throw new Error('the connection broke')
          await sleep(10)
        } catch {
          client?.end(true)
          client = null
          await sleep(50)
        }
      await client?.endAsync()
    }
    const missing = async () => {
      const rows = await rooms.context.sql<{ at: Date }[]>`
        select at from status_samples where device_id = ${made.deviceId}`
      const times = new Set(rows.map(({ at }) => at.getTime()))
      return [...acknowledged].filter((at) => !times.has(at)).length
    }
    const sending = one()
    await sleep(500)
    await rooms.kill('broker', 1_000)
    await sleep(500)
    // What waits for an ingest that does not keep up is on Mosquitto's disk a second later only (deploy/mosquitto.conf).
    await until('the ingest keeps up', async () => (await missing()) <= 20, 20_000, 200)
    await mosquitto.kill()
    await until('it is said what is missing', async () => (await readiness()).includes('external broker:'))
    await sleep(300)
    await mosquitto.start()
    await sleep(1_500)
    await rooms.kill('broker')
    await until('nothing is missing', async () => (await readiness()) === 'ready\n')
    stop = true
    await sending
    expect(acknowledged.size).toBeGreaterThan(500)
    await until('everything is stored', async () => (await missing()) === 0, 30_000, 200)
  }, 120_000)
})
