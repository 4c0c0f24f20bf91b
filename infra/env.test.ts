import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readEnv } from './env.ts'

const dir = mkdtempSync(join(tmpdir(), 'iot-env-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const read = (settings: Record<string, string>) => readEnv({ DATA_DIR: dir, ...settings })
const random = '0123456789abcdefghijklmnopqrstuvwxyzABCDEF'
const codes = 'in a user name or a password write % as %25, # as %23, / as %2F, ? as %3F and @ as %40'

describe('settings', () => {
  it('have the documented defaults', () => {
    expect(read({})).toMatchObject({
      HTTP_PORT: 8080,
      MQTT_PORT: 1883,
      MQTTS_PORT: 8883,
      SIM_DEVICES: 30,
      LOG_LEVEL: 'info',
      PUBLIC_URL: 'http://localhost:8080',
    })
  })

  it.each([
    ['HTTP_PORT', { HTTP_PORT: 'eighty' }],
    ['HTTP_PORT', { HTTP_PORT: '70000' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['SIM_FAULTS', { SIM_FAULTS: 'md5Failed:2' }],
    ['SIM_FAULTS', { SIM_FAULTS: 'gremlins:0.1' }],
    ['SIM_DEVICES', { SIM_DEVICES: '10001' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'cloud' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: '12345' }],
    ['TLS_CERT', { TLS_CERT: '/x.pem' }],
  ])('that are invalid are named: %s %j', (name, settings) => {
    expect(() => read(settings)).toThrow(name)
  })

  it.each([
    ['HTTP_PORT', 'abc', 'must be a port number, 0 to 65535'],
    ['NODE_ENV', 'prod', 'must be one of production, development, test'],
    ['SIM_DEVICES', 'many', 'must be a number'],
    ['SIM_DEVICES', '10001', 'must be at most 10000'],
    ['SIM_SEED', '1.5', 'must be a whole number'],
    [
      'ADMIN_PASSWORD',
      'a1234',
      'must have 6 to 16 characters, of letters, digits and others at least two kinds',
    ],
    [
      'ADMIN_PASSWORD',
      'password',
      'must have 6 to 16 characters, of letters, digits and others at least two kinds',
    ],
    ['PUBLIC_URL', 'ftp://cloud', 'must be like https://iot.example.com'],
    ['EMQX_URL', 'http://key:secret@emqx:18083', 'must be like http://host:18083, without a user'],
    // Links are this and a path: devices and browsers could not open them.
    ['PUBLIC_URL', 'https://cloud/?site=1', 'must be like https://iot.example.com'],
    ['PUBLIC_URL', 'https://cloud/#/', 'must be like https://iot.example.com'],
    [
      'PUBLIC_URL',
      'https://example.com/iot',
      'must have no path: give the console a name or a port of its own',
    ],
    ['PUBLIC_URL', 'https://admin:pw@cloud', 'must be like https://iot.example.com, without a user'],
    ['PUBLIC_URL', 'https://admin@cloud/', 'must be like https://iot.example.com, without a user'],
    ['MQTT_URL', 'broker:1883', 'must be like mqtt://host:1883'],
    ['MQTT_ADDRESS', 'iot.example.com:99999', 'must be host:port, with a port up to 65535'],
    [
      'MQTT_ADDRESS',
      '2001:db8::7:1883',
      'must be host:port, an IPv6 address in brackets: [2001:db8::7]:1883',
    ],
    ['MQTT_ADDRESS', '[:::]:1883', 'must be host:port, and what is in brackets an IPv6 address'],
    ['MQTT_ADDRESS', '[2001:db8::7]:99999', 'must be host:port, with a port up to 65535'],
    ['REDIS_URL', 'http://redis', 'must be like redis://host:6379'],
    ['DATABASE_URL', 'mysql://host/iot', 'must be like postgres://user:password@host/database'],
    [
      'DATABASE_URL',
      'postgres://iot:50%zz@host/iot',
      `must be like postgres://user:password@host/database; ${codes}`,
    ],
    ['REDIS_URL', 'redis://:a#b@host:6379', `must be like redis://host:6379; ${codes}`],
    ['SMTP_URL', 'mail.example.com', 'must be like smtps://user:password@host or smtp://host:587'],
    [
      'SMTP_URL',
      'smtps://iot:a/b@mail.example.com',
      `must be like smtps://user:password@host or smtp://host:587; ${codes}`,
    ],
    ['MAIL_FROM', 'IoT <iot@example.com>', 'must be an address only, like iot@example.com'],
    ['EXTERNAL_MQTT_URL', 'mqtt://host:99999', 'must be like mqtt://host:1883 or mqtts://host:8883'],
    [
      'FILE_SERVERS',
      'https://files.example.com,foo',
      'must be like https://files.example.com, without a user, several separated by commas',
    ],
  ])('say what would be right: %s=%s', (name, value, right) => {
    expect(() => read({ [name]: value })).toThrow(`${name}: ${right}`)
  })

  it('say where devices reach the broker: as set, else on the host of PUBLIC_URL, else wherever the console is', () => {
    const addresses = (settings: Record<string, string>) => {
      const { MQTT_ADDRESS, MQTTS_ADDRESS } = read(settings)
      return [MQTT_ADDRESS, MQTTS_ADDRESS]
    }
    expect(addresses({})).toEqual([':1883', ':8883'])
    const PUBLIC_URL = 'https://iot.example.com'
    expect(addresses({ PUBLIC_URL })).toEqual(['iot.example.com:1883', 'iot.example.com:8883'])
    expect(addresses({ PUBLIC_URL, MQTTS_ADDRESS: 'mqtt.example.com:443' })).toEqual([
      'iot.example.com:1883',
      'mqtt.example.com:443',
    ])
    expect(addresses({ PUBLIC_URL: 'https://[2001:DB8::7]', MQTTS_ADDRESS: '[2001:db8::8]:443' })).toEqual([
      '[2001:db8::7]:1883',
      '[2001:db8::8]:443',
    ])
    expect(() => addresses({ MQTT_ADDRESS: 'mqtt://x' })).toThrow('MQTT_ADDRESS: must be host:port')
    // A port that is not opened has no address, unless a balancer opens one.
    expect(addresses({ MQTT_PORT: '0', MQTTS_PORT: '0', MQTTS_ADDRESS: 'mqtt.example.com:443' })).toEqual([
      null,
      'mqtt.example.com:443',
    ])
  })

  it('take a blank for no value: not for port 0, which would end remote operation', () => {
    const { SSH_PORT, HTTP_HOST, SIM_DEVICES } = read({ SSH_PORT: ' ', HTTP_HOST: ' ', SIM_DEVICES: '\t' })
    expect({ SSH_PORT, HTTP_HOST, SIM_DEVICES }).toEqual({
      SSH_PORT: 2222,
      HTTP_HOST: '0.0.0.0',
      SIM_DEVICES: 30,
    })
  })

  it('parse the shares of SIM_FAULTS', () => {
    expect(read({ SIM_FAULTS: 'md5Failed:0.02, deviceOffline:0.05' }).SIM_FAULTS).toEqual({
      md5Failed: 0.02,
      deviceOffline: 0.05,
    })
  })

  it('name DATA_DIR when it cannot be written', () => {
    const file = join(dir, 'a-file')
    writeFileSync(file, '')
    expect(() => readEnv({ DATA_DIR: join(file, 'below') })).toThrow('DATA_DIR')
  })

  it('name DATA_DIR where no folder can be made, instead of trying for ever', () => {
    expect(() => readEnv({ DATA_DIR: '/proc/iot/data' })).toThrow('/proc/iot/data cannot be written (ENOENT)')
  })
})

describe('JWT_SECRET', () => {
  it('is generated once into the data folder, readable by its owner only', () => {
    const first = read({}).JWT_SECRET
    expect(read({}).JWT_SECRET).toBe(first)
    expect(readFileSync(join(dir, 'jwt-secret'), 'utf8')).toBe(first)
    expect(statSync(join(dir, 'jwt-secret')).mode & 0o777).toBe(0o600)
  })

  it('is generated anew where a full disk has left an empty file: nobody else must know the key', () => {
    const file = join(dir, 'jwt-secret')
    writeFileSync(file, '\n')
    expect(read({}).JWT_SECRET).toMatch(/^[\w-]{43}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is never a part of what was generated', () => {
    const file = join(dir, 'jwt-secret')
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, whole.slice(0, 20))
    expect(() => read({})).toThrow(`${file} is incomplete: restore it, or remove it`)
    writeFileSync(file, whole)
  })

  it.each([
    [undefined],
    ['secret'],
    ['changeme'],
    ['thingsboardDefaultSigningKey'],
    ['a'.repeat(40)],
    ['short-but-random-9x'],
  ])('production refuses %s', (secret) => {
    expect(() => read({ NODE_ENV: 'production', ...(secret ? { JWT_SECRET: secret } : {}) })).toThrow(
      'JWT_SECRET',
    )
  })

  it('production accepts a random one', () => {
    expect(read({ NODE_ENV: 'production', JWT_SECRET: random }).JWT_SECRET).toBe(random)
  })
})
