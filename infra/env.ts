/** Settings: read once at boot, validated, listed in the README table and .env.example (checked by a test). */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { taskFailures } from '#schema/kit/task-kind'
import { readFilings } from '#schema/platform/filing'
import { readBorders } from './map-borders.ts'
import { readProxies } from './proxies.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const optional = z.string().min(1).optional()

/** `md5Failed:0.02,deviceOffline:0.05` → { md5Failed: 0.02, … }; shares between 0 and 1. */
const faults = z
  .string()
  .default('')
  .transform((text, ctx) => {
    const shares: Partial<Record<(typeof taskFailures)[number], number>> = {}
    for (const part of text
      .split(',')
      .map((p) => p.trim())
      .filter(Boolean)) {
      const [name, value] = part.split(':')
      const known = taskFailures.find((failure) => failure === name)
      const share = Number(value)
      if (!known || !(share >= 0 && share <= 1)) {
        ctx.addIssue({
          code: 'custom',
          message: `"${part}" is not one of ${taskFailures.join(', ')} with a share from 0 to 1`,
        })
        return z.NEVER
      }
      shares[known] = share
    }
    return shares
  })

/** Name, meaning and default of every setting: the README table and `.env.example` are generated from this. */
export const settings = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe('production refuses generated or well-known secrets'),
  HTTP_PORT: port.default(8080).describe('console, REST API, file downloads, MQTT over WebSocket at /mqtt'),
  HTTP_HOST: z.string().default('0.0.0.0').describe('address the HTTP server listens on'),
  MQTT_PORT: port.default(1883).describe('MQTT over TCP'),
  MQTTS_PORT: port.default(8883).describe('MQTT over TLS'),
  MQTT_HOST: z.string().default('0.0.0.0').describe('address the broker listens on'),
  MQTT_WS_PORT: port
    .default(0)
    .describe(
      'loopback port of the broker for WebSocket, which the HTTP server forwards /mqtt to; 0: any free one',
    ),
  MQTT_WS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address of that port; trusted to say whom it forwards, so never public'),
  SSH_PORT: port
    .default(2222)
    .describe('SSH server for the tunnels of remote operation, in the api process; 0: no remote operation'),
  SSH_HOST: z.string().default('0.0.0.0').describe('address the SSH server listens on'),
  SSH_ADDRESS: z
    .string()
    .regex(/^[\w.-]+:\d{1,5}$/, 'must be host:port')
    .optional()
    .describe('how devices reach the SSH server, as host:port; unset: the host of PUBLIC_URL and SSH_PORT'),
  REMOTE_WEB_PORT: port
    .default(8081)
    .describe('HTTP server for the web pages of devices, in the api process; 0: none'),
  REMOTE_URL: z
    .string()
    .regex(/^https?:\/\/\*\.[\w.-]+(:\d{1,5})?$/, 'must be like https://*.remote.example.com')
    .optional()
    .describe(
      'how browsers reach REMOTE_WEB_PORT, each session under a name of its own: `https://*.remote.example.com`; unset: http://*.localhost:REMOTE_WEB_PORT where PUBLIC_URL is on localhost, else no web pages of devices',
    ),
  MQTT_URL: optional.describe('where workers and api reach the broker; unset: the local MQTT_PORT'),
  DATA_DIR: z.string().default('.data').describe('embedded database, files, keys'),
  DATABASE_URL: optional.describe('PostgreSQL 15 or later; unset: embedded, under DATA_DIR'),
  REDIS_URL: optional.describe('queues and broker sessions on Redis; unset: PostgreSQL and memory'),
  ADMIN_PASSWORD: z
    .string()
    .min(6)
    .max(16)
    .optional()
    .describe('password of `admin` on first start; unset: generated and shown once'),
  JWT_SECRET: optional.describe(
    'signs sessions and download links, 32 characters or more; unset: generated into DATA_DIR',
  ),
  PUBLIC_URL: z
    .url()
    .optional()
    .describe('how devices and browsers reach the HTTP server; unset: http://localhost:HTTP_PORT'),
  FILE_SERVERS: z
    .string()
    .default('')
    .describe('comma-separated base URLs of further file servers in front of /files'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/\s]+/, 'must begin with smtp:// or smtps:// and name a host')
    .optional()
    .describe(
      'outgoing mail, e.g. smtps://user:password@host; unset: mail stays in the outbox, and in production fails',
    ),
  MAIL_FROM: z.email().optional().describe('sender of mail; unset: no-reply at the host of PUBLIC_URL'),
  TLS_CERT: optional.describe('certificate file (PEM) of MQTTS; unset: self-signed into DATA_DIR'),
  TLS_KEY: optional.describe('key file (PEM) of MQTTS'),
  SIM_DEVICES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(30)
    .describe('simulated devices that `npm start` runs; 0: none'),
  SIM_SEED: z.coerce.number().int().default(1).describe('same seed, same fleet'),
  SIM_FAULTS: faults.describe('shares of failing upgrades, e.g. md5Failed:0.02,deviceOffline:0.05'),
  SIM_SPEED: z.coerce
    .number()
    .min(0.1)
    .max(1000)
    .default(1)
    .describe('how many times faster simulated devices reboot and flash'),
  SIM_ENROLMENT_KEY: optional.describe(
    'enrolment keys, comma-separated, with which simulated devices enrol when they have no secret; `npm start` makes them itself',
  ),
  SIM_MODBUS_PORT: port
    .default(5020)
    .describe(
      'simulated Modbus slaves listen here on 127.0.0.1, and on the next port with serial frames; the serial ports of simulated gateways lead there; 0: none',
    ),
  SIM_MODBUS_HOSTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((host) => host.trim())
        .filter(Boolean),
    )
    .describe(
      'other hosts that simulated gateways may connect to, comma-separated; *: any that a terminal names',
    ),
  TASK_DEADLINE_SCALE: z.coerce
    .number()
    .min(0.001)
    .max(100)
    .default(1)
    .describe('multiplies every task and command deadline'),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .describe('true: alarm webhooks may go to private and loopback addresses'),
  MAP_TILE_URL: z
    .string()
    .regex(/^https?:\/\/[^\s]*\{z\}[^\s]*$/, 'must be a tile address with {z}, {x} and {y}')
    .optional()
    .describe(
      'map tiles, e.g. https://{s}.tiles.example/{z}/{x}/{y}.png?lang={lang} ({lang}: zh_cn or en); unset: the map that comes with the console (coasts, waters, names), no outside server is asked',
    ),
  MAP_TILE_ATTRIBUTION: z.string().max(200).default('').describe('whose map it is, shown in its corner'),
  MAP_DATUM: z
    .enum(['wgs84', 'gcj02'])
    .default('wgs84')
    .describe('what the tiles are drawn in; gcj02 for tiles made in China'),
  MAP_BORDERS_FILE: z
    .string()
    .default('')
    .transform((path, ctx) => {
      try {
        return path === '' ? [] : readBorders(path)
      } catch (error) {
        ctx.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .describe(
      'GeoJSON or TopoJSON file (WGS-84) with the lines of borders that may be drawn where you are, for the map without tiles; unset: no borders',
    ),
  FILING_LINKS: z
    .string()
    .default('')
    .transform((text, ctx) => {
      const filings = readFilings(text)
      if (filings !== null) return filings
      ctx.addIssue({ code: 'custom', message: 'must be up to five `text=https://…`, separated by commas' })
      return z.NEVER
    })
    .describe(
      'filing links of the footer, e.g. `ICP 12345678=https://beian.miit.gov.cn/`; several are separated by commas',
    ),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text, ctx) => {
      const proxies = readProxies(text)
      if (proxies !== null) return proxies
      ctx.addIssue({
        code: 'custom',
        message: 'must be addresses or networks (10.0.0.0/8, loopback), separated by commas',
      })
      return z.NEVER
    })
    .describe(
      'proxies whose `X-Forwarded-For` is believed, by address or network, e.g. `loopback` for one on this machine; unset: nobody’s',
    ),
  METRICS_TOKEN: optional.describe('lets /metrics be read from other hosts with `Authorization: Bearer …`'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least urgent level logged'),
})

export type Env = Omit<
  z.output<typeof settings>,
  'DATA_DIR' | 'JWT_SECRET' | 'PUBLIC_URL' | 'FILE_SERVERS' | 'SSH_ADDRESS' | 'REMOTE_URL'
> & {
  DATA_DIR: string
  JWT_SECRET: string
  PUBLIC_URL: string
  FILE_SERVERS: string[]
  SSH_ADDRESS: string
  /** With `*` in place of the session; null: web pages of devices are not offered. */
  REMOTE_URL: string | null
}

/** A mistake of the operator: ends with one line, no stack, exit code 1. */
export class SettingError extends Error {}

const wellKnown = /^(secret|changeme|change-me|password|default|thingsboardDefaultSigningKey|(.)\2*)$/i

function jwtSecret(dataDir: string, given: string | undefined, production: boolean): string {
  if (given !== undefined) {
    if (wellKnown.test(given) || given.length < 32)
      throw new SettingError('JWT_SECRET is well known or shorter than 32 characters: set a random one')
    return given
  }
  if (production)
    throw new SettingError(
      'JWT_SECRET is not set: production does not start without one of 32 or more random characters',
    )
  const file = join(dataDir, 'jwt-secret')
  if (!existsSync(file))
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

/**
 * Reads and checks the settings; creates DATA_DIR (mode 0700). @throws SettingError with one line that names the
 * setting and what to change.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new SettingError(`${String(issue?.path[0])}: ${issue?.message}`)
  }
  const env = parsed.data
  if (!env.TLS_CERT !== !env.TLS_KEY)
    throw new SettingError('TLS_CERT and TLS_KEY belong together: set both or neither')
  const dataDir = resolve(env.DATA_DIR)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const probe = join(dataDir, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new SettingError(
      `DATA_DIR ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}): change its owner or set another DATA_DIR`,
    )
  }
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.HTTP_PORT}`).replace(/\/$/, '')
  const { hostname } = new URL(publicUrl)
  const ownNames = hostname === 'localhost' ? `http://*.localhost:${env.REMOTE_WEB_PORT}` : null
  return {
    ...env,
    DATA_DIR: dataDir,
    SSH_ADDRESS: env.SSH_ADDRESS ?? `${hostname}:${env.SSH_PORT}`,
    REMOTE_URL: env.REMOTE_WEB_PORT === 0 ? null : (env.REMOTE_URL ?? ownNames),
    JWT_SECRET: jwtSecret(dataDir, env.JWT_SECRET, env.NODE_ENV === 'production'),
    PUBLIC_URL: publicUrl,
    FILE_SERVERS: env.FILE_SERVERS.split(',')
      .map((url) => url.trim().replace(/\/$/, ''))
      .filter(Boolean),
  }
}
