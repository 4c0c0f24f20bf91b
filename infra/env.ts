/** Settings: read once at boot, validated, listed in the README table and .env.example (checked by a test). */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { makeFolder } from './make-folder.ts'
import { ownAddress } from './settings/own-address.ts'
import { settings } from './settings.ts'

export type Env = Omit<
  z.output<typeof settings>,
  'DATA_DIR' | 'JWT_SECRET' | 'PUBLIC_URL' | 'SSH_ADDRESS' | 'REMOTE_URL' | 'MQTT_ADDRESS' | 'MQTTS_ADDRESS'
> & {
  DATA_DIR: string
  JWT_SECRET: string
  PUBLIC_URL: string
  SSH_ADDRESS: string
  /** `:port` if no host is configured: then it is the host that the console was opened with. null: the port is 0. */
  MQTT_ADDRESS: string | null
  MQTTS_ADDRESS: string | null
  /** With `*` in place of the session; null: web pages of devices are not offered. */
  REMOTE_URL: string | null
}

/** A mistake of the operator: ends with one line, no stack, exit code 1. */
export class SettingError extends Error {}

const wellKnown = /^(secret|changeme|change-me|password|default|thingsboardDefaultSigningKey|(.)\2*)$/i

/** Writes a file that has no content yet as a whole, or not at all; if another process has been faster, its content stays. */
export function keepFirst(file: string, text: string): void {
  const own = `${file}.${randomUUID()}`
  try {
    writeFileSync(own, text, { mode: 0o600, flush: true })
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own, { force: true })
  }
}

const SECRET_MIN = 32

function jwtSecret(dataDir: string, given: string | undefined, production: boolean): string {
  if (given !== undefined) {
    if (wellKnown.test(given) || given.length < SECRET_MIN)
      throw new SettingError('JWT_SECRET is well known or shorter than 32 characters: set a random one')
    return given
  }
  if (production)
    throw new SettingError(
      'JWT_SECRET is not set: production does not start without one of 32 or more random characters',
    )
  const file = join(dataDir, 'jwt-secret')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  // A full disk or a loss of power has left it: with an empty key anybody could sign what we sign.
  if (kept === '') rmSync(file)
  if (!kept) keepFirst(file, randomBytes(32).toString('base64url'))
  const secret = kept || readFileSync(file, 'utf8').trim()
  if (secret.length < SECRET_MIN)
    throw new SettingError(`${file} is incomplete: restore it, or remove it and a new one is made`)
  return secret
}

/** Where a setting says nothing itself: zod's own messages are for programmers. The catalogue of the calls would delay every start. */
function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_type' && issue.expected === 'number') return 'must be a number'
  if (issue.code === 'invalid_type' && issue.expected === 'int') return 'must be a whole number'
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`
    return issue.origin === 'string' ? `must have ${bound} characters` : `must be ${bound}`
  }
  return undefined
}

type Source = Record<string, string | undefined>

/**
 * Reads and checks the settings, and makes nothing: a command that maintains a platform must not create the folder
 * whose name was mistyped. @throws SettingError with one line that names the setting and what to change.
 */
export function readSettings(source: Source = process.env): Omit<Env, 'JWT_SECRET'> {
  // A blank is no value either: as a number it would be 0, which for a port means none, or any free one.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ''))
  const parsed = settings.safeParse(given, { error: reasonOf })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingError(`${String(issue?.path[0])}: ${issue?.message}`)
  }
  const { JWT_SECRET: _, ...env } = parsed.data
  if (!env.TLS_CERT !== !env.TLS_KEY)
    throw new SettingError('TLS_CERT and TLS_KEY belong together: set both or neither')
  if (env.FILES_URL && !(env.FILES_KEY_ID && env.FILES_KEY_SECRET))
    throw new SettingError('FILES_URL needs FILES_KEY_ID and FILES_KEY_SECRET: set them too')
  if (env.BROKER === 'external' && !(env.EXTERNAL_MQTT_URL && env.EXTERNAL_MQTT_PASSWORD))
    throw new SettingError('BROKER=external needs EXTERNAL_MQTT_URL and EXTERNAL_MQTT_PASSWORD')
  const emqx = [env.EMQX_URL, env.EMQX_API_KEY, env.EMQX_API_SECRET, env.EMQX_HOOK_SECRET]
  if (env.BROKER === 'external' && env.EXTERNAL_MQTT_KIND === 'emqx' && !emqx.every(Boolean))
    throw new SettingError(
      'EXTERNAL_MQTT_KIND=emqx needs EMQX_URL, EMQX_API_KEY, EMQX_API_SECRET and EMQX_HOOK_SECRET',
    )
  const dataDir = resolve(env.DATA_DIR)
  const own = ownAddress(env.HTTP_HOST)
  const near = /^(127\.|\[::1\]$)/.test(own) ? 'localhost' : own
  const publicUrl = (env.PUBLIC_URL ?? `http://${near}:${env.HTTP_PORT}`).replace(/\/$/, '')
  const { hostname } = new URL(publicUrl)
  const named = env.PUBLIC_URL === undefined ? '' : hostname
  const ownNames = hostname === 'localhost' ? `http://*.localhost:${env.REMOTE_WEB_PORT}` : null
  return {
    ...env,
    DATA_DIR: dataDir,
    MQTT_ADDRESS: env.MQTT_ADDRESS ?? (env.MQTT_PORT === 0 ? null : `${named}:${env.MQTT_PORT}`),
    MQTTS_ADDRESS: env.MQTTS_ADDRESS ?? (env.MQTTS_PORT === 0 ? null : `${named}:${env.MQTTS_PORT}`),
    SSH_ADDRESS: env.SSH_ADDRESS ?? `${hostname}:${env.SSH_PORT}`,
    REMOTE_URL: env.REMOTE_WEB_PORT === 0 ? null : (env.REMOTE_URL ?? ownNames),
    PUBLIC_URL: publicUrl,
  }
}

/**
 * Reads and checks the settings like `readSettings`; creates DATA_DIR (mode 0700) and in it, unless it is given, the
 * secret. @throws SettingError
 */
export function readEnv(source: Source = process.env): Env {
  const env = readSettings(source)
  const dataDir = env.DATA_DIR
  try {
    makeFolder(dataDir)
    const probe = join(dataDir, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new SettingError(
      `DATA_DIR ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}): change its owner or set another DATA_DIR`,
    )
  }
  const given = source['JWT_SECRET'] || undefined
  return { ...env, JWT_SECRET: jwtSecret(dataDir, given, env.NODE_ENV === 'production') }
}
