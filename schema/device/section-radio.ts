/** The radio of a device: its SIM slots and the base station. Levels as in 3GPP TS 36.133 and 38.133. */
import { z } from 'zod'
import { deviceText } from './hello.ts'

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const level = (low: number, high: number) => z.number().min(low).max(high).optional()

export const simStates = ['ready', 'absent', 'pinRequired', 'blocked', 'error'] as const

export const mobileSection = z.object({
  slot: z.int().min(1).max(2),
  state: z.enum(simStates).describe('of the SIM'),
  active: z.boolean().describe('carries the traffic now'),
  operator: deviceText(64).optional(),
  networkMode: deviceText(16).optional(),
  roaming: z.boolean().optional(),
  apn: deviceText(100).optional(),
  ip: deviceText(64).optional(),
  signalDbm: level(-150, 0).describe('RSSI'),
  rsrpDbm: level(-160, -20),
  rsrqDb: level(-45, 25),
  sinrDb: level(-40, 60),
  imsi: z
    .string()
    .regex(/^\d{6,15}$/)
    .optional(),
  iccid: z
    .string()
    .regex(/^[0-9A-Fa-f]{10,22}$/)
    .optional(),
  phone: z
    .string()
    .regex(/^\+?\d{3,20}$/)
    .optional(),
  rxBytes: count.optional(),
  txBytes: count.optional(),
})

export const stationSection = z.object({
  slot: z.int().min(1).max(2).optional(),
  plmn: z
    .string()
    .regex(/^\d{5,6}$/)
    .optional()
    .describe('country and network code'),
  area: z.int().min(0).max(16_777_215).optional().describe('LAC or TAC'),
  cell: z.int().min(0).max(68_719_476_735).optional().describe('cell identity, decimal'),
  pci: z.int().min(0).max(1007).optional().describe('physical cell identity'),
  band: deviceText(16).optional(),
  channel: z.int().min(0).max(3_279_165).optional().describe('(E)ARFCN'),
})
