/** The agent for stock OpenWrt with the whole platform: from the enrolment key to an upgrade. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Booted, bootAll } from '#test/boot'
import { missingTools, Router } from '#test/openwrt/router'
import { makeSigner } from '#test/signer'
import { addPackage, seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'

if (missingTools.length > 0)
  console.warn(
    `SKIPPED: the agent for OpenWrt is not run, because ${missingTools.join(', ')} is not installed`,
  )

const SN = 'OWRT-1'
const MODEL = 'example,r200'
type Row = Record<string, unknown>

describe.skipIf(missingTools.length > 0)('a router with stock OpenWrt', { timeout: 120_000 }, () => {
  let booted: Booted
  let tenants: Tenants
  let token: string
  let router: Router
  let folder: string

  const data = async (name: string, body: Row): Promise<Row> => {
    const answer = await booted.call(name, body, token)
    if (answer.code !== 0) throw new Error(`${name}: ${answer.code} ${answer.message}`)
    return answer.data
  }
  async function until<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
    for (const end = Date.now() + 100_000; Date.now() < end; await sleep(200)) {
      const found = await look()
      if (found !== null && found !== undefined) return found
    }
    throw new Error(`waited for: ${what}\n${router.output}\n${router.calls.join('\n')}`)
  }
  const find = async () => {
    const [row] = await booted.context.sql<
      { id: number; bootId: string; firmware: string; online: boolean }[]
    >`
      select d.id, d.boot_id as "bootId", d.firmware, s.online
      from devices d join device_states s on s.device_id = d.id where d.sn = ${SN}`
    return row
  }
  const online = () =>
    until('online', async () => {
      const row = await find()
      return row?.online && row.bootId ? row : null
    })
  const run = async (name: string, args: Row = {}) => {
    const { id } = await online()
    const { commandId } = await data('command/sendCommand', { deviceId: id, name, args })
    return until(`the end of ${name}`, async () => {
      const { list } = (await data('command/getCommandList', { deviceId: id })) as { list: Row[] }
      const mine = list.find((one) => one['commandId'] === commandId)
      return mine?.['endedAt'] ? mine : null
    })
  }
  const archive = (name: string, text: string): Buffer => {
    writeFileSync(join(folder, name), text)
    execFileSync('tar', ['-czf', 'package.tar.gz', name], { cwd: folder })
    return readFileSync(join(folder, 'package.tar.gz'))
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'iot-image-'))
    booted = await bootAll()
    tenants = await seedTenants(booted.context)
    token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
    const key = await data('device/createEnrolmentKey', {
      groupId: tenants.a.groups.root,
      label: 'openwrt',
      maxCount: 1,
    })
    const { hostname, port } = new URL(booted.mqttUrl)
    router = new Router({ host: hostname, port, serial: SN, key: String(key['key']) })
    router.start('guard')
    router.start('agent')
  }, 60_000)
  afterAll(async () => {
    await router?.close()
    await booted?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 30_000)

  it('enrols, forgets the key, and says what it is', async () => {
    expect((await online()).firmware).toBe('24.10.1')
    expect(router.read('etc/iotagent/secret')).toMatch(/^[\w-]{43}\n$/)
    expect(router.read('etc/config/iotagent')).not.toContain('ek_')
    await until('a status sample', async () => {
      const [sample] = await booted.context.sql<Row[]>`
        select * from status_samples where device_id = ${(await online()).id}`
      return sample
    })
  })

  it('reports LAN, WAN, wireless, services and hosts, and no key of a network', async () => {
    const { id } = await online()
    const told = await until('the sections', async () => {
      const found = await data('device/getDeviceSections', { deviceId: id })
      return found['wifi'] && found['hosts'] ? found : null
    })
    const text = JSON.stringify(told)
    for (const part of [
      '192.168.1.1',
      '192.0.2.17',
      '255.255.240.0',
      '192.0.2.54',
      'Shop \\"guests\\"',
      'pos-2',
      '02:00:5e:10:00:77',
      'dnsmasq',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('never-told-88')
  })

  it('pings, reads its log and restarts a service', async () => {
    router.write(
      'log',
      'Sun Nov 22 21:00:01 2026 daemon.notice netifd[1234]: wan is "up"\nSun Nov 22 21:00:02 2026 daemon.err dnsmasq[99]: failed\n',
    )
    expect(await run('ping', { target: '127.0.0.1', count: 2 })).toMatchObject({
      state: 'done',
      result: { sent: 2, received: 2, address: '127.0.0.1' },
    })
    expect(await run('fetchLogs', { least: 'error', lines: 10 })).toMatchObject({
      state: 'done',
      result: { lines: 1 },
    })
    expect(await run('controlService', { name: 'dnsmasq', action: 'restart' })).toMatchObject({
      state: 'done',
      result: { state: 'running' },
    })
    expect(router.calls).toContain('dnsmasq restart')
    expect(await run('controlService', { name: 'network', action: 'stop' })).toMatchObject({
      state: 'failed',
    })
  })

  it('uploads a backup of the managed packages', async () => {
    const { id } = await online()
    const { backupId } = await data('backup/createBackup', { deviceId: id })
    await until('the backup', async () => {
      const { list } = (await data('backup/getBackupList', { deviceId: id })) as { list: Row[] }
      return list[0]?.['state'] === 'kept' ? list[0] : null
    })
    const { files } = (await data('backup/getBackupFiles', { backupId })) as { files: Row[] }
    expect(files.map(({ path }) => path)).toContain('etc/config/network')
    expect(files.map(({ path }) => path)).not.toContain('etc/config/iotagent')
  })

  it('reboots: the command is done when it is back with another boot id', async () => {
    const before = await online()
    const ending = run('reboot', { delayS: 0 })
    await until('the call', async () => router.calls.find((call) => call.startsWith('reboot')))
    await router.powerCycle()
    expect(await ending).toMatchObject({ state: 'done' })
    expect((await online()).bootId).not.toBe(before.bootId)
  })

  async function upgrade(
    version: string,
    content: Buffer,
    signer?: ReturnType<typeof makeSigner>,
  ): Promise<Row> {
    const { id } = await online()
    const made = await addPackage(booted.context, {
      customerId: tenants.a.customerId,
      model: MODEL,
      version,
      content,
    })
    if (signer)
      await booted.context.sql`
        update packages set signature = ${signer.signify({ ...made, type: 'upgrade', model: MODEL, version, name: `${MODEL} firmware` })}
        where id = ${made.id}`
    const { taskId } = await data('levelUp/addLevelUp', {
      name: version,
      spId: made.id,
      dids: [id],
    })
    let flashed = false
    return until('the end of the item', async () => {
      if (!flashed && router.read('etc/iotagent_firmware').trim() === version) {
        flashed = true
        await router.powerCycle()
      }
      const { list } = (await data('task/getTaskItems', { taskId })) as { list: Row[] }
      return list[0]?.['outcome'] ? list[0] : null
    })
  }

  it('refuses an image that is not for it, before anything is written', async () => {
    const item = await upgrade('24.10.2-x', archive('x-sysupgrade.bin', 'for another board'))
    expect(item).toMatchObject({ outcome: 'failed', failure: 'packageVerifyFailed' })
    expect(router.calls.filter((call) => /^sysupgrade (?!-T)/.test(call))).toEqual([])
  })

  it('upgrades with sysupgrade, which is done when it is back with the new version', async () => {
    const item = await upgrade(
      '24.10.2',
      archive('r200-sysupgrade.bin', `firmware 24.10.2\n${'x'.repeat(200_000)}`),
    )
    expect(item).toMatchObject({ outcome: 'done' })
    expect((await online()).firmware).toBe('24.10.2')
    expect(router.calls.filter((call) => /^sysupgrade (?!-T)/.test(call))).toHaveLength(1)
  })

  it('with keys of its owner, refuses what they have not signed, and takes what they have', async () => {
    const [signer, stranger] = [makeSigner(), makeSigner()]
    router.write(`etc/iotagent/keys/${signer.keyName}`, signer.deviceFile)
    const image = (version: string) => archive('r200-sysupgrade.bin', `firmware ${version}\n`)
    const refused = { outcome: 'failed', failure: 'packageVerifyFailed' }
    expect(await upgrade('24.10.3', image('24.10.3'))).toMatchObject(refused)
    expect(await upgrade('24.10.4', image('24.10.4'), stranger)).toMatchObject(refused)
    expect(await upgrade('24.10.5', image('24.10.5'), signer)).toMatchObject({ outcome: 'done' })
    router.remove('etc/iotagent/keys')
  })
})
