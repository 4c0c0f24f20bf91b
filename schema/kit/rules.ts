/**
 * Checks of texts that a pattern cannot express. Browser and server run the same functions: `field(…, { rule: 'phone'
 * })`.
 */

import { networkRules } from './network-rules.ts'

/** Removes spaces, dots, dashes and brackets from a phone number. */
export const bareNumber = (text: string) => text.replace(/[\s().-]/g, '')
export const PHONE = /^\+?\d{5,20}$/

/** Whether this is an IANA time zone known to this runtime. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone })
    return true
  } catch {
    // Intl throws a RangeError for an unknown zone, its only error here.
    return false
  }
}

export const rules = {
  phone: (text: string) => PHONE.test(bareNumber(text)),
  timeZone: isTimeZone,
  ...networkRules,
} as const satisfies Record<string, (text: string) => boolean>

export type RuleName = keyof typeof rules
