/** Every setting: its name, bounds, default and meaning. */
import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { isGoodPassword } from '#schema/people/session'
import { readFilings } from '#schema/platform/filing'
import { splitHostPort } from '#schema/platform/host-port'
import { readProxies } from './proxies.ts'
import { tlsFault } from './settings/database-url.ts'
import { externalBrokerSettings } from './settings/external-broker.ts'
import { readBorders } from './settings/map-borders.ts'
import { faults } from './settings/simulated-faults.ts'
import { urlLike } from './settings/url-like.ts'

const PORT = 'must be a port number, 0 to 65535'
const port = z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT)
const optional = z.string().min(1).optional()
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')
/** Everyone who is sent a link would read the user and the password in it. */
const isHttpUrl = (text: string) => /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text) && URL.canParse(text)
const proxies = z
  .string()
  .default('')
  .transform((text, ctx) => {
    const read = readProxies(text)
    if (read !== null) return read
    ctx.addIssue({
      code: 'custom',
      message: 'must be addresses or networks (10.0.0.0/8, loopback), separated by commas',
    })
    return z.NEVER
  })

const hostPort = z
  .string()
  .regex(
    /^([\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i,
    'must be host:port, an IPv6 address in brackets: [2001:db8::7]:1883',
  )
  .refine(
    (text) => !text.startsWith('[') || isIPv6(splitHostPort(text).host),
    'must be host:port, and what is in brackets an IPv6 address',
  )
  .refine((text) => splitHostPort(text).port <= 65_535, 'must be host:port, with a port up to 65535')
  .optional()

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
  MQTT_ADDRESS: hostPort.describe(
    'where devices reach MQTT_PORT, as host:port, for the commands that the console shows; unset: the host of PUBLIC_URL, else of the console, and MQTT_PORT',
  ),
  MQTTS_ADDRESS: hostPort.describe('the same for MQTTS_PORT'),
  MQTT_WS_PORT: port
    .default(0)
    .describe(
      'loopback port of the broker for WebSocket, which the HTTP server forwards /mqtt to; 0: any free one',
    ),
  MQTT_WS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'address of that port; it trusts the client address that the API passes on, so never make it public',
    ),
  SSH_PORT: port
    .default(2222)
    .describe('SSH server for the tunnels of remote operation, in the api process; 0: no remote operation'),
  SSH_HOST: z.string().default('0.0.0.0').describe('address the SSH server listens on'),
  SSH_ADDRESS: hostPort.describe(
    'how devices reach the SSH server, as host:port; unset: the host of PUBLIC_URL and SSH_PORT',
  ),
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
  MQTT_URL: urlLike(/^(mqtts?|wss?|tcp|ssl|tls):\/\/[^\s/]/, 'mqtt://host:1883').describe(
    'where workers and api reach the broker; unset: MQTT_PORT of this machine, or of MQTT_HOST if that is one address',
  ),
  ...externalBrokerSettings,
  DATA_DIR: z.string().default('.data').describe('embedded database, files, keys'),
  DATABASE_URL: urlLike(/^postgres(ql)?:\/\/\S/, 'postgres://user:password@host/database')
    .superRefine((url, { addIssue }) => {
      const fault = url === undefined ? null : tlsFault(url)
      if (fault !== null) addIssue(fault)
    })
    .describe(
      'PostgreSQL 15 or later; unset: embedded, under DATA_DIR. Over TLS with `?sslmode=verify-full` (and `sslrootcert`, `sslcert`, `sslkey`) as for psql',
    ),
  REDIS_URL: urlLike(/^rediss?:\/\/[^\s/]/, 'redis://host:6379').describe(
    'queues and broker sessions on Redis; unset: PostgreSQL and memory',
  ),
  ADMIN_PASSWORD: z
    .string()
    .refine(isGoodPassword, 'must have 6 to 16 characters, of letters, digits and others at least two kinds')
    .optional()
    .describe('password of `admin` on first start; unset: generated and shown once'),
  JWT_SECRET: optional.describe(
    'signs sessions and download links, encrypts what must be readable; the same in every process, 32 characters or more; unset: generated into DATA_DIR',
  ),
  JWT_SECRET_LOST: flag.describe(
    'true: `npm start` and `npm run migrate` go on although the database was encrypted with another JWT_SECRET, which is lost',
  ),
  PUBLIC_URL: z
    .string()
    .refine(isHttpUrl, 'must be like https://iot.example.com, without a user')
    // The console loads its files and makes its calls from the root of its server.
    .refine(
      (text) => !isHttpUrl(text) || new URL(text).pathname === '/',
      'must have no path: give the console a name or a port of its own',
    )
    .optional()
    .describe(
      'how devices and browsers reach the HTTP server; unset: http://localhost:HTTP_PORT, or with HTTP_HOST if that is one address',
    ),
  FILES_URL: z
    .string()
    .regex(
      /^(s3:\/\/[^/@\s]+(\/\S*)?|https?:\/\/[^/@\s]+\/[^/\s]+(\/\S*)?)$/,
      'must be s3://bucket/folder or https://host/bucket/folder, without a user',
    )
    .optional()
    .describe(
      'object store (S3 API) for packages, configuration files, backups and recordings: `https://host/bucket/folder`, or `s3://bucket/folder` for AWS; unset: DATA_DIR/files',
    ),
  FILES_KEY_ID: optional.describe('access key id of that store'),
  FILES_KEY_SECRET: optional.describe('secret access key of that store'),
  FILES_REGION: z.string().min(1).default('us-east-1').describe('region of that store'),
  FILE_SERVERS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((url) => url.trim().replace(/\/$/, ''))
        .filter(Boolean),
    )
    .refine(
      (urls) => urls.every(isHttpUrl),
      'must be like https://files.example.com, without a user, several separated by commas',
    )
    .describe('comma-separated base URLs of further file servers in front of /files'),
  SMTP_URL: urlLike(/^smtps?:\/\/[^/\s]/, 'smtps://user:password@host or smtp://host:587').describe(
    'outgoing mail, e.g. smtps://user:password@host; unset: mail stays in the outbox, and in production fails',
  ),
  MAIL_FROM: z
    .email('must be an address only, like iot@example.com')
    .optional()
    .describe('sender of mail; unset: no-reply at the host of PUBLIC_URL'),
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
  SIM_SSH: z
    .enum(['auto', 'system', 'own'])
    .default('auto')
    .describe(
      'SSH client of simulated devices: system: the program ssh, a process for each tunnel; own: one in JavaScript within the simulator; auto: the program where there is one and the fleet has at most 100 devices',
    ),
  SIM_MODBUS_PORT: port
    .default(5020)
    .describe(
      'simulated Modbus slaves listen here on 127.0.0.1, and on the next port with serial frames; the serial ports of simulated gateways are connected to them; 0: none',
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
  WEBHOOK_ALLOW_PRIVATE: flag.describe('true: alarm webhooks may go to private and loopback addresses'),
  MAP_TILE_URL: z
    .string()
    .regex(/^https?:\/\/[^\s]*\{z\}[^\s]*$/, 'must be a tile address with {z}, {x} and {y}')
    .optional()
    .describe(
      'map tiles, e.g. https://{s}.tiles.example/{z}/{x}/{y}.png?lang={lang} ({lang}: zh_cn or en); unset: the map that comes with the console (coasts, waters, names), no outside server is asked',
    ),
  MAP_TILE_ATTRIBUTION: z
    .string()
    .max(200)
    .default('')
    .describe('attribution of the map, shown in its corner'),
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
      'GeoJSON or TopoJSON file (WGS-84) with the border lines that may be drawn in your country, for the map without tiles; unset: no borders',
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
  TRUSTED_PROXIES: proxies.describe(
    'proxies whose `X-Forwarded-For` is trusted, by address or network, e.g. `loopback` for one on this machine; unset: none',
  ),
  MQTT_PROXIES: proxies.describe(
    'balancers in front of MQTT_PORT and MQTTS_PORT, by address or network: each connection from them begins with the PROXY protocol (version 1 or 2), which names the device’s address; unset: none',
  ),
  HEALTH_PORT: port
    .default(0)
    .describe(
      'port of /healthz and /readyz of this process, whichever room it is, for balancers and container engines; 0: none',
    ),
  HEALTH_HOST: z.string().default('127.0.0.1').describe('address of that port'),
  LEAVE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600)
    .default(0)
    .describe(
      'how long a process reports that it is not ready before it stops, so that load balancers send it nothing more; meanwhile a broker disconnects its devices gradually',
    ),
  METRICS_TOKEN: optional.describe('lets /metrics be read from other hosts with `Authorization: Bearer …`'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least urgent level logged'),
})

const named = <End extends string>(end: End) =>
  Object.keys(settings.shape).filter(
    (name): name is Extract<keyof z.output<typeof settings>, `${string}${End}`> => name.endsWith(end),
  )

/** The settings that are ports which a process opens, and those that are addresses on which it does. */
export const [portSettings, hostSettings] = [named('_PORT'), named('_HOST')]
