/**
 * Addresses as manuals write them. On the wire and in the database an address counts from 0; manuals write 40001 or
 * 400001 for the first holding register, or hexadecimal numbers as on the wire.
 */
import { ADDRESS_MAX, type RegisterType } from '../fields.ts'

const tableDigits: Record<RegisterType, string> = { coil: '0', discrete: '1', input: '3', holding: '4' }

/** 40001 up to 49999, then 410000. */
export const referenceOf = (table: RegisterType, address: number): string =>
  `${tableDigits[table]}${String(address + 1).padStart(4, '0')}`

/**
 * The address on the wire of what a manual would write so; null: it names another table, or none, and can only be meant as on the wire.
 * Many numbers can be meant either way: 40001 of holding registers is 0, or 40001.
 */
export function wireOfReference(text: string, table: RegisterType): number | null {
  const written = text.trim()
  if (!/^\d{5,6}$/.test(written) || written[0] !== tableDigits[table]) return null
  const number = Number(written.slice(1))
  return number >= 1 && number <= ADDRESS_MAX + 1 ? number - 1 : null
}

/** What was typed, as a number where it is one, with 0x0BD3 and 0BD3h; other text stays, to be refused by what checks the form. */
export function typedAddress(text: string): number | string {
  const written = text.trim()
  const hex = /^(?:0x([0-9a-f]{1,4})|([0-9a-f]{1,4})h)$/i.exec(written)
  if (hex) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16)
  return /^\d{1,9}$/.test(written) ? Number(written) : written
}
