/**
 * Checks of texts that a pattern cannot express. Browser and server run the same functions: `field(…, { rule: 'phone'
 * })`. Each is named as the shape that errors name.
 */

import { networkRules } from './network-rules.ts'
import { type ShapeName, shaped } from './shape.ts'
import { isSshPublicKey } from './ssh-key.ts'

/** Removes spaces, dots, dashes and brackets from a phone number. */
export const bareNumber = (text: string) => text.replace(/[\s().-]/g, '')
export const PHONE = shaped(/^\+?\d{5,20}$/, 'phone')

/** Names without an area have more than three letters, except these. Not CET, EET, MET and WET: to PostgreSQL these have no summer time. */
const AREALESS = /^(?:[a-z][a-z\d+-]{3,}|[EHM]ST|GMT|U[CT]C|PRC|RO[CK]|GB|NZ)$/i

/**
 * Whether this is an IANA time zone known to this runtime. Offsets and abbreviations are not: PostgreSQL refuses `+0800` and
 * reads `+08`, `IST` and `CST` as other zones than JavaScript does.
 */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]+\//.test(zone) && !AREALESS.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone })
    return true
  } catch {
    // Intl throws a RangeError for an unknown zone, its only error here.
    return false
  }
}

/** A web address that may be shown to anyone as a link: http or https, a host name, no user name or password in it. */
export function isWebAddress(text: string): boolean {
  if (/\s/.test(text)) return false
  try {
    const { protocol, hostname, username, password } = new URL(text)
    return /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === ''
  } catch {
    // The only error that URL throws: the text is not a URL.
    return false
  }
}

/**
 * Whether a text is a number as people, spreadsheets and JSON write it. JavaScript also takes `0x10`, `0b1`, `Infinity` and a blank
 * for numbers: nobody who sends them means what comes out.
 */
export const isDecimal = (text: string) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())

export const rules = {
  phone: (text: string) => PHONE.test(bareNumber(text)),
  timeZone: isTimeZone,
  ...networkRules,
  webUrl: isWebAddress,
  sshPublicKey: isSshPublicKey,
} as const satisfies Partial<Record<ShapeName, (text: string) => boolean>>

export type RuleName = keyof typeof rules
