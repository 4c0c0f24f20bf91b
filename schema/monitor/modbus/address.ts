/**
 * Addresses as manuals write them. On the wire and in the database an address counts from 0; manuals write 40001 or
 * 400001 for the first holding register, or plain numbers from 0 or from 1.
 */
import { ADDRESS_MAX, type RegisterType } from '../fields.ts'

const tableDigits: Record<RegisterType, string> = { coil: '0', discrete: '1', input: '3', holding: '4' }
const tableOf = (digit: string) =>
  (Object.keys(tableDigits) as RegisterType[]).find((type) => tableDigits[type] === digit)

export type AddressReading =
  /** 40001: the number names its table. */
  | { notation: 'reference'; registerType: RegisterType; address: number }
  /** 0x0BD3: as sent. */
  | { notation: 'hex'; address: number }
  /** A plain number: it is ambiguous whether it counts from 0 or from 1. The second reading is null for 0. */
  | { notation: 'plain'; fromZero: number; fromOne: number | null }

/** null if it is not an address, or is beyond the last one. */
export function readAddress(text: string): AddressReading | null {
  const written = text.trim()
  const hex = /^(?:0x([0-9a-f]{1,4})|([0-9a-f]{1,4})h)$/i.exec(written)
  if (hex) return { notation: 'hex', address: Number.parseInt(hex[1] ?? hex[2] ?? '', 16) }
  if (!/^\d{1,6}$/.test(written)) return null
  const registerType = written.length >= 5 ? tableOf(written[0] ?? '') : undefined
  const number = Number(registerType ? written.slice(1) : written)
  if (registerType && number >= 1 && number <= ADDRESS_MAX + 1) {
    return { notation: 'reference', registerType, address: number - 1 }
  }
  const plain = Number(written)
  if (plain > ADDRESS_MAX) return null
  return { notation: 'plain', fromZero: plain, fromOne: plain === 0 ? null : plain - 1 }
}

/** 40001 up to 49999, then 410000. */
export const referenceOf = (registerType: RegisterType, address: number): string =>
  `${tableDigits[registerType]}${String(address + 1).padStart(4, '0')}`

/** null: a number from which neither table nor beginning follows. */
export function wireAddress(text: string, registerType: RegisterType): number | null {
  const reading = readAddress(text)
  if (reading?.notation === 'hex') return reading.address
  // 10001 of holding registers is a plain number; 40001 is the first of them.
  if (reading?.notation === 'reference' && reading.registerType === registerType) return reading.address
  return null
}
