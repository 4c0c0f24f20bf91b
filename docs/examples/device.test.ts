import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Booted, bootAll } from '#test/boot'
import { startShellExample } from '#test/programs/shell-example'
import { addPackage, seedTenants, type Tenants } from '#test/tenants'

const tools = ['mosquitto_pub', 'mosquitto_sub', 'mosquitto_rr', 'curl', 'sha256sum', 'stdbuf', 'tar']
const missing = tools.filter((tool) => {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`])
    return false
  } catch {
    return true
  }
})
if (missing.length > 0)
  console.warn(`SKIPPED: docs/examples/device.sh is not run, because ${missing.join(', ')} is not installed`)

const SN = 'SHELL-1'
const VERSION = '2.0.0'
/** The script starts dozens of processes per step, which takes long on a busy machine. */
const PATIENCE_MS = 60_000

/** A real .tar.gz, as created by a vendor. */
function makeArchive(dir: string): Buffer {
  execFileSync('sh', ['-c', 'head -c 300000 /dev/urandom > image.bin && tar -czf package.tar.gz image.bin'], {
    cwd: dir,
  })
  return readFileSync(join(dir, 'package.tar.gz'))
}

/** A `date` that is five years ahead, as a device without a battery for its clock may be. */
function makeWrongClock(dir: string): string {
  const programs = join(dir, 'programs')
  mkdirSync(programs)
  const script = `#!/bin/sh\nexec /bin/date -d "now + 5 years" "$@"\n`
  writeFileSync(join(programs, 'date'), script, { mode: 0o755 })
  return programs
}

/** A file server that is busy, then breaks off twice, and after that forwards the responses of another one. */
async function openBusyServer() {
  const asked: (string | null)[] = []
  let target = ''
  const server = createServer(async (request, response) => {
    const turn = asked.push(request.headers.range ?? null)
    if (turn === 1) return response.writeHead(503).end('busy\n')
    if (turn === 2) return request.socket.destroy()
    const { authorization = '', range, 'if-range': ifRange } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      headers: { authorization, ...(range && { range }), ...(ifRange && { 'if-range': String(ifRange) }) },
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (turn > 3) return response.end(bytes)
    response.write(bytes.subarray(0, bytes.length / 2), () => setTimeout(() => response.destroy(), 100))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    forward: (url: string) => {
      target = url
    },
    close: () => new Promise((done) => server.close(done)),
  }
}

describe.skipIf(missing.length > 0)(
  'a device built from mosquitto clients and curl, whose clock is wrong by years',
  { timeout: 90_000 },
  () => {
    let booted: Booted
    let tenants: Tenants
    let token: string
    let dir: string
    let device: ReturnType<typeof startShellExample> | undefined
    const output = () => device?.output() ?? ''
    let busy: Awaited<ReturnType<typeof openBusyServer>>

    type Row = Record<string, unknown>
    const data = async (name: string, body: Row): Promise<Row> => {
      const answer = await booted.call(name, body, token)
      if (answer.code !== 0) throw new Error(`${name}: ${answer.code} ${answer.message}`)
      return answer.data
    }
    /** Polls until the condition holds. @throws with the output of the device. */
    async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
      const end = Date.now() + PATIENCE_MS
      for (;;) {
        const found = await look()
        if (found !== null) return found
        if (Date.now() > end) throw new Error(`waited for: ${what}\n${output()}`)
        await new Promise((done) => setTimeout(done, 200))
      }
    }
    const find = async (): Promise<{
      id: number
      bootId: string
      firmware: string
      online: boolean
    } | null> => {
      const [row] = await booted.context.sql<
        { id: number; bootId: string; firmware: string; online: boolean }[]
      >`select d.id, d.boot_id as "bootId", d.firmware, s.online from devices d join device_states s on s.device_id = d.id where d.sn = ${SN}`
      return row ?? null
    }

    beforeAll(async () => {
      busy = await openBusyServer()
      booted = await bootAll({ env: { FILE_SERVERS: busy.url } })
      tenants = await seedTenants(booted.context)
      token = await booted.login(tenants.a.admin.username, 'right-horse-7')
      dir = mkdtempSync(join(tmpdir(), 'iot-shell-'))
      const key = await data('device/createEnrolmentKey', {
        groupId: tenants.a.groups.root,
        label: 'shell',
        maxCount: 1,
      })
      const mqtt = new URL(booted.mqttUrl)
      device = startShellExample({
        sn: SN,
        host: mqtt.hostname,
        port: mqtt.port,
        key: String(key['key']),
        state: join(dir, 'state'),
        programs: makeWrongClock(dir),
      })
    })
    afterAll(async () => {
      device?.kill()
      await booted?.close()
      await busy?.close()
      if (dir) rmSync(dir, { recursive: true })
    })

    it('enrols, sends hello and status', async () => {
      const row = await until('online', async () => {
        const found = await find()
        return found?.online && found.bootId ? found : null
      })
      expect(row.firmware).toBe('1.0.0')
      await until('a status sample', async () => {
        const [sample] = await booted.context.sql`select 1 from status_samples where device_id = ${row.id}`
        return sample ?? null
      })
    })

    it('obeys a reboot: it goes offline, comes back with another boot id, and the command is done', async () => {
      const before = await until('online', find)
      const { commandId } = await data('command/sendCommand', { deviceId: before.id, name: 'reboot' })
      const state = await until('the end of the command', async () => {
        const { list } = (await data('command/getCommandList', { deviceId: before.id })) as { list: Row[] }
        const mine = list.find((one) => one['commandId'] === commandId)
        return mine?.['endedAt'] ? mine['state'] : null
      })
      expect(state).toBe('done')
      expect((await find())?.bootId).not.toBe(before.bootId)
    })

    it('reports the hosts on its LAN', async () => {
      const row = await until('online', find)
      await until('the section', async () => {
        const told = await data('device/getDeviceSections', { deviceId: row.id })
        return told['hosts'] ?? null
      })
    })

    it('uploads a backup of its configuration with curl', async () => {
      const row = await until('online', find)
      const { backupId } = await data('backup/createBackup', { deviceId: row.id })
      await until('the backup', async () => {
        const { list } = (await data('backup/getBackupList', { deviceId: row.id })) as { list: Row[] }
        return list[0]?.['state'] === 'kept' ? list[0] : null
      })
      const { files } = (await data('backup/getBackupFiles', { backupId })) as { files: Row[] }
      expect(files).toMatchObject([{ path: 'firmware', text: '1.0.0\n' }])
    })

    it('runs an upgrade through its steps, which is done when it is back with the new version', async () => {
      const row = await until('online', find)
      const made = await addPackage(booted.context, {
        customerId: tenants.a.customerId,
        model: 'R200',
        version: VERSION,
        content: makeArchive(dir),
      })
      const { taskId } = await data('levelUp/addLevelUp', {
        name: 'shell',
        spId: made.id,
        dids: [row.id],
        server: busy.url,
      })
      busy.forward(booted.url)
      const item = await until('the end of the item', async () => {
        const { list } = (await data('task/getTaskItems', { taskId })) as { list: Row[] }
        return list[0]?.['outcome'] ? list[0] : null
      })
      expect({ outcome: item['outcome'], failure: item['failure'] }).toEqual({
        outcome: 'done',
        failure: null,
      })
      expect((await find())?.firmware).toBe(VERSION)
      // 503, a broken connection, half of it, the rest of it.
      expect(busy.asked).toEqual([null, null, null, expect.stringMatching(/^bytes=[1-9]\d*-$/)])
      expect(output()).toContain('connected ,"failure":"remoteConnectFailed"')
      // The device prints a step after it was acknowledged, and the platform may be quicker than its output.
      await expect
        .poll(() => [...new Set([...output().matchAll(/item \S+: (\S+)/g)].map((match) => match[1]))])
        .toEqual(['accepted', 'connected', 'downloading', 'downloaded', 'upgrading', 'done'])
    })
  },
)
