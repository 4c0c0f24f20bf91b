import { expect, it } from 'vitest'
import { roomFlags } from '#infra/room-flags'
import { settings } from '#infra/settings'
import { interpolate, isIgnored, readCompose } from './compose-file.ts'
import { tracked } from './tracked-files.ts'

const given = {
  POSTGRES_PASSWORD: 'pg-pass',
  JWT_SECRET: '0123456789abcdefghijklmnopqrstuvwxyz',
  PUBLIC_URL: 'https://iot.example.com',
}
const services = readCompose(given)
const rooms = ['migrate', 'broker', 'workers', 'api', 'remote'] as const
const room = (name: string) => services[name] ?? {}

it('no data, key, setting or module of the host goes into the image', () => {
  for (const path of [
    '.env',
    '.env.production',
    '.git/config',
    '.data/jwt-secret',
    '.data/postgres/base/1',
    '.data/mqtts-key.pem',
    'own-key.pem',
    'certs/server.key',
    'node_modules/zod/index.js',
    'web/dist/index.html',
    'logs/api.log',
    'test/harness.ts',
    'broker/broker.test.ts',
    'device-sim/main.ts',
  ])
    expect([path, isIgnored(path)]).toEqual([path, true])
})

it('the sources of the rooms do', () => {
  const needed = tracked.filter(
    (path) =>
      /^(schema|infra|broker|api|workers|admin|ops|locales|web)\//.test(path) && !path.includes('.test.'),
  )
  expect(needed.filter(isIgnored)).toEqual([])
})

it.each(rooms)(
  '%s is run by node itself, as nobody special, on a file system that it cannot change',
  (name) => {
    const service = room(name)
    expect(service.command?.[0]).toBe('node')
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String),
      pids_limit: expect.any(Number),
    })
    expect(service.logging).toMatchObject({ options: { 'max-size': expect.any(String) } })
  },
)

it.each(['broker', 'workers', 'api', 'remote'])(
  '%s waits for the tables, and is asked whether it is ready',
  (name) => {
    const service = room(name)
    expect(service.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } })
    expect(service.healthcheck?.test).toEqual(['CMD', 'node', 'launch/ask-ready.ts'])
    // Longer than the time to leave and the ten seconds to drain: otherwise every stop is a kill -9.
    const grace = Number.parseInt(String(service['stop_grace_period']), 10)
    expect(grace).toBeGreaterThan(Number(service.environment?.['LEAVE_SECONDS']) + 10)
  },
)

it('the certificate of the operator reaches every room, and stays outside of the image', () => {
  for (const name of rooms) expect(room(name)['volumes']).toEqual(['data:/data', './certs:/certs:ro'])
})

it('the options of Node are those of `npm run broker`', () => {
  for (const name of ['broker', 'workers', 'api'])
    expect(room(name).command).toEqual(['node', ...(roomFlags[name] ?? []), `${name}/main.ts`])
})

it('the api that tunnels lead to is one like the others', () => {
  expect(room('remote')).toEqual(room('api'))
})

it('what is scaled publishes no port of the host', () => {
  for (const name of rooms) expect(room(name).ports).toBeUndefined()
  expect(room('balancer').ports?.length).toBe(5)
})

it('every setting reaches the rooms, and none that does not exist', () => {
  // Of Node itself: certificates of the operator's own CA, which docs/operations.md tells to set.
  const known = [...Object.keys(settings.shape), 'NODE_EXTRA_CA_CERTS'].filter(
    (name) => !name.startsWith('SIM_'),
  )
  const passed = Object.keys(room('migrate').environment ?? {})
  expect(passed.toSorted()).toEqual(known.toSorted())
  for (const name of ['broker', 'workers', 'api', 'remote'])
    expect(Object.keys(room(name).environment ?? {}).toSorted()).toEqual(
      known.filter((setting) => !['ADMIN_PASSWORD', 'JWT_SECRET_LOST'].includes(setting)).toSorted(),
    )
})

it('settings of .env are passed on, and those that are missing are named', () => {
  expect(readCompose({ ...given, TRUSTED_PROXIES: '10.0.0.1' })['api']?.environment).toMatchObject({
    TRUSTED_PROXIES: '172.30.14.2,10.0.0.1',
  })
  expect(room('api').environment).toMatchObject({ TRUSTED_PROXIES: '172.30.14.2', LEAVE_SECONDS: '20' })
  expect(() => readCompose({ ...given, JWT_SECRET: '' })).toThrow('JWT_SECRET')
  expect(interpolate(`\${A:-x} \${B:+<\${B}>}`, { B: '2' })).toBe('x <2>')
})

it('a restored database is named in .env, for the rooms and for backups', () => {
  const restored = readCompose({ ...given, POSTGRES_DB: 'iot_restored' })
  for (const name of [...rooms, 'backups'])
    expect([name, restored[name]?.environment?.['DATABASE_URL']]).toEqual([
      name,
      'postgres://iot:pg-pass@postgres/iot_restored',
    ])
  expect(room('backups').environment).toMatchObject({ DATABASE_URL: 'postgres://iot:pg-pass@postgres/iot' })
})

it('backups know that the files are in an object store, which is not in them, and so say it', () => {
  const FILES_URL = 'https://s3.example.com/bucket/iot'
  expect(readCompose({ ...given, FILES_URL })['backups']?.environment).toMatchObject({ FILES_URL })
})

it('PostgreSQL runs with the advice of docs/operations.md, Redis evicts nothing', () => {
  expect(room('postgres').command?.join(' ')).toContain('shared_buffers=')
  expect(room('redis').command?.join(' ')).toContain('--maxmemory-policy noeviction')
})
