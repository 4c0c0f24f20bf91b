/** deploy/: the files that operators copy, started as they are. Only ports, names and certificates become those of the test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync, MqttClient } from 'mqtt'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { migrateDatabase } from '#infra/migrate'
import { type Booted, bootAll } from '../boot.ts'
import { noDebianPostgres, startDebianPostgres } from '../programs/debian-postgres.ts'
import { seedTenants, TEST_PASSWORD, type Tenants } from '../tenants.ts'
import { root } from '../tracked-files.ts'
import { until } from './until.ts'

const NGINX = '/usr/sbin/nginx'
const SYSTEMD = '/usr/bin/systemd-analyze'
const noNginx = !existsSync(NGINX) || globSync('/etc/nginx/modules-enabled/*stream*').length === 0
if (noNginx) process.stderr.write('SKIPPED: deploy/nginx.conf (no nginx with the stream module)\n')
if (noDebianPostgres) process.stderr.write('SKIPPED: deploy/backup.sh (no PostgreSQL 15)\n')

const dir = mkdtempSync(join(tmpdir(), 'iot-recipes-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe.skipIf(noNginx)('deploy/nginx.conf', () => {
  let system: Booted
  let tenants: Tenants
  let nginx: ChildProcess
  const ports: Record<string, number> = {}

  beforeAll(async () => {
    system = await bootAll({ env: { TRUSTED_PROXIES: '127.0.0.1', MQTT_PROXIES: '127.0.0.2' } })
    tenants = await seedTenants(system.context)
    const { env } = system.context
    const rooms: Record<string, number> = {
      8080: env.HTTP_PORT,
      8081: env.REMOTE_WEB_PORT,
      11883: env.MQTT_PORT,
      18883: env.MQTTS_PORT,
      12222: env.SSH_PORT,
    }
    for (const port of ['80', '443', '1883', '8883', '2222']) ports[port] = await freePort()
    const made = await generate([{ name: 'commonName', value: 'iot.example.com' }])
    writeFileSync(join(dir, 'fullchain.pem'), made.cert)
    writeFileSync(join(dir, 'key.pem'), made.private)
    const text = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
      .replaceAll('/etc/ssl/iot/', `${dir}/`)
      .replace(/listen (\d+)/g, (_, port: string) => `listen 127.0.0.1:${ports[port]}`)
      .replace(/server 127\.0\.0\.1:(\d+)/g, (_, port: string) => `server 127.0.0.1:${rooms[port]}`)
      .replace(/^worker_processes auto;/m, `worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;`)
      .replace('200000', '2000')
      .replace('100000', '1000')
    writeFileSync(join(dir, 'nginx.conf'), text)
    nginx = spawn(NGINX, ['-c', join(dir, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'pipe' })
    let said = ''
    nginx.stderr?.on('data', (chunk: Buffer) => {
      said += String(chunk)
    })
    await until('nginx listens', () => readable(ports['443']), 20_000, 100).catch((error: Error) => {
      throw new Error(`${error.message}: ${said}`)
    })
  })
  afterAll(async () => {
    nginx?.kill('SIGTERM')
    await system?.close()
  })

  type Answer = { status: number; location: string | undefined; text: string }
  const ask = (path: string, body?: object, host = 'iot.example.com') =>
    new Promise<Answer>((done, fail) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: ports['443'],
          localAddress: '127.0.0.3',
          path,
          method: body ? 'POST' : 'GET',
          headers: { host, 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
          rejectUnauthorized: false,
        },
        (answer) => {
          let text = ''
          answer.on('data', (chunk: Buffer) => {
            text += String(chunk)
          })
          answer.on('end', () =>
            done({ status: answer.statusCode ?? 0, location: answer.headers.location, text }),
          )
        },
      )
      sent.once('error', fail)
      sent.end(body ? JSON.stringify(body) : undefined)
    })

  it('leads to the api, whose log knows the address of the user and not what he claims', async () => {
    const login = { username: tenants.a.admin.username, password: TEST_PASSWORD }
    const answer = await ask('/api/userLogin', login)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 0 })
    const [row] = await system.context.sql<{ ip: string }[]>`select ip from logins order by id desc limit 1`
    expect(row?.ip).toBe('127.0.0.3')
    expect(await ask('/metrics')).toMatchObject({ status: 404 })
  })

  it('sends plain HTTP to HTTPS', async () => {
    const location = await new Promise((done, fail) => {
      plainRequest({
        host: '127.0.0.1',
        port: ports['80'],
        path: '/a?b=1',
        headers: { host: 'iot.example.com' },
      })
        .once('response', (answer) => done(answer.headers.location))
        .once('error', fail)
        .end()
    })
    expect(location).toBe('https://iot.example.com/a?b=1')
  })

  it.each(['1883', '8883'])('passes MQTT at %s on, with the address of the device', async (port) => {
    const [first, second] = tenants.a.devices
    const device = port === '1883' ? first : second
    const secure = port === '8883'
    const { connect: secured } = await import('node:tls')
    const client = new MqttClient(
      () => {
        const socket = connect({ host: '127.0.0.1', port: ports[port] ?? 0, localAddress: '127.0.0.4' })
        return secure ? secured({ socket, rejectUnauthorized: false }) : socket
      },
      {
        clientId: device?.sn ?? '',
        username: device?.sn ?? '',
        password: device?.secret ?? '',
        protocolVersion: 4,
      },
    )
    await new Promise((done, fail) => client.once('connect', done).once('error', fail))
    await expect
      .poll(async () => {
        const [row] = await system.context.sql<{ ip: string }[]>`
          select ip from presence_records where device_id = ${device?.id ?? 0} and offline_at is null`
        return row?.ip
      })
      .toBe('127.0.0.4')
    await client.endAsync()
  })

  it('passes MQTT over WebSocket on', async () => {
    const device = tenants.a.devices[2]
    const client = await connectAsync(`wss://127.0.0.1:${ports['443']}/mqtt`, {
      clientId: device?.sn ?? '',
      username: device?.sn ?? '',
      password: device?.secret ?? '',
      protocolVersion: 4,
      wsOptions: { rejectUnauthorized: false, headers: { host: 'iot.example.com' } },
      rejectUnauthorized: false,
    })
    expect(client.connected).toBe(true)
    await client.endAsync()
  })

  it('passes tunnels on', async () => {
    const banner = await new Promise<string>((done, fail) => {
      const socket = connect(ports['2222'] ?? 0, '127.0.0.1')
      socket.once('data', (bytes: Buffer) => {
        done(String(bytes))
        socket.destroy()
      })
      socket.once('error', fail)
    })
    expect(banner).toMatch(/^SSH-2\.0-/)
  })
})

/** Whether something listens there. */
function readable(port: number | undefined): boolean {
  return spawnSync('bash', ['-c', `exec 3<>/dev/tcp/127.0.0.1/${port}`], { stdio: 'ignore' }).status === 0
}

describe('deploy/systemd', () => {
  const units = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.service'))
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }

  it.each(units.filter((name) => name !== 'iot-backup.service'))('%s runs what npm run does', (unit) => {
    const name = unit.replace(/^iot-|\.service$/g, '')
    const text = readFileSync(join(root, 'deploy/systemd', unit), 'utf8')
    // Not the Node of the system, which may be one that does not know TypeScript.
    const [, folder, command] = /^ExecStart=(.*)\/node_modules\/\.bin\/(.*)$/m.exec(text) ?? []
    expect(text).toContain(`WorkingDirectory=${folder}\n`)
    // systemd runs it without a shell, which `exec` is for.
    expect(command).toBe(scripts[name]?.replace(/^exec /, ''))
  })

  it.each(units)('%s is tried until its database is there', (unit) => {
    const text = readFileSync(join(root, 'deploy/systemd', unit), 'utf8')
    const [head = ''] = text.split('[Service]')
    expect(head).toContain('\nStartLimitIntervalSec=0\n')
    expect(text).toMatch(/^Restart=(always|on-failure)$/m)
  })

  it.skipIf(!existsSync(SYSTEMD))('is accepted by systemd', () => {
    const files = units.map((unit) => join(root, 'deploy/systemd', unit))
    const { stderr } = spawnSync(SYSTEMD, ['verify', ...files], { encoding: 'utf8' })
    // Of a program that is missing on this machine nothing follows.
    expect(
      stderr.split('\n').filter((line) => /deploy\/systemd/.test(line) && !/not executable/.test(line)),
    ).toEqual([])
  })
})

describe.skipIf(noDebianPostgres)('deploy/backup.sh, with PostgreSQL 15', () => {
  it('dumps database and files, keeps the newest, and what it kept can be restored', async () => {
    const server = await startDebianPostgres()
    try {
      await migrateDatabase(server.url)
      const [files, to] = [join(dir, 'files'), join(dir, 'backups')]
      spawnSync('mkdir', ['-p', files, to])
      writeFileSync(join(files, 'package.bin'), 'firmware')
      const env = {
        PATH: process.env['PATH'],
        DATABASE_URL: server.url,
        FILES_DIR: files,
        BACKUP_DIR: to,
        KEEP: '2',
      }
      for (let turn = 0; turn < 3; turn++) {
        const made = spawnSync('sh', [join(root, 'deploy/backup.sh'), 'once'], { env, encoding: 'utf8' })
        expect(made.stderr).toBe('')
        await new Promise((done) => setTimeout(done, 1_000))
      }
      const run = (more: Record<string, string>) =>
        spawnSync('sh', [join(root, 'deploy/backup.sh'), 'once'], {
          env: { ...env, ...more },
          encoding: 'utf8',
        })
      // 1: a file changed while it was read. 2: anything else; then nothing incomplete stays.
      const own = join(dir, 'programs')
      mkdirSync(own)
      for (const code of [2, 1]) {
        writeFileSync(join(own, 'tar'), `#!/bin/sh\n/usr/bin/tar "$@"\nexit ${code}\n`, { mode: 0o755 })
        expect(run({ PATH: `${own}:${env.PATH}` }).status === 0).toBe(code === 1)
      }
      expect(readdirSync(to).filter((name) => name.startsWith('.'))).toEqual([])
      for (const name of readdirSync(to)) expect(statSync(join(to, name)).mode & 0o77).toBe(0)
      // It says what it does not have, and fails with what saves it.
      expect(run({ FILES_URL: 'https://s3.example.com/bucket' }).stderr).toContain('not in this backup')
      const saving = { FILES_URL: 'https://s3.example.com/bucket', SAVE_FILES: `echo yes >${dir}/saved` }
      expect(run(saving)).toMatchObject({ status: 0, stderr: '' })
      expect(readFileSync(join(dir, 'saved'), 'utf8')).toBe('yes\n')
      expect(run({ ...saving, SAVE_FILES: 'exit 3' }).status).not.toBe(0)
      const kept = readdirSync(to)
      expect(kept.filter((name) => /^iot-.*\.dump$/.test(name))).toHaveLength(2)
      expect(kept.filter((name) => /^files-.*\.tar$/.test(name))).toHaveLength(2)
      const dump = kept.find((name) => name.endsWith('.dump')) ?? ''
      const restored = server.url.replace(/iot$/, 'iot_restored')
      const back = (program: string, args: string[]) => spawnSync(program, args, { env, encoding: 'utf8' })
      // As the manual says it, word by word.
      const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8')
      const [, commands = ''] = /<!-- restore -->\n```sh\n(.*?)```/s.exec(manual) ?? []
      copyFileSync(join(to, dump), join(dir, 'iot.dump'))
      expect(
        spawnSync('sh', ['-ec', commands], {
          cwd: dir,
          env: { ...env, RESTORED_URL: restored },
          encoding: 'utf8',
        }),
      ).toMatchObject({ status: 0, stderr: '' })
      expect(
        back('psql', [restored, '-Atc', 'select count(*) > 50 from pg_tables where schemaname = $$public$$'])
          .stdout,
      ).toBe('t\n')
      await migrateDatabase(restored)
      // Before the last part of a restore, which makes the keys, nothing starts on it.
      const partly = server.url.replace(/iot$/, 'iot_partly')
      back('createdb', ['--maintenance-db', server.url, 'iot_partly'])
      const filled = back('pg_restore', [
        '--no-owner',
        '--section=pre-data',
        '--section=data',
        '-d',
        partly,
        join(dir, 'iot.dump'),
      ])
      expect(filled).toMatchObject({ status: 0, stderr: '' })
      await expect(migrateDatabase(partly)).rejects.toThrow('was restored only in part')
      const tar = kept.find((name) => name.endsWith('.tar')) ?? ''
      expect(back('tar', ['-xOf', join(to, tar), './package.bin']).stdout).toBe('firmware')
    } finally {
      await server.stop()
    }
  }, 120_000)
})
