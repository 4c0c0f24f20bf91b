/** Checks of texts that a pattern cannot say. Browser and server run these same functions: `field(…, { rule: 'phone' })`. */

/** Spaces, dots, dashes and brackets in a phone number are for reading. */
export const bareNumber = (text: string) => text.replace(/[\s().-]/g, '')
export const PHONE = /^\+?\d{5,20}$/

/** An IANA time zone that this runtime knows. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone })
    return true
  } catch {
    // Intl refuses an unknown zone with a RangeError, its only error here.
    return false
  }
}

export const rules = {
  phone: (text: string) => PHONE.test(bareNumber(text)),
  timeZone: isTimeZone,
} as const satisfies Record<string, (text: string) => boolean>

export type RuleName = keyof typeof rules
