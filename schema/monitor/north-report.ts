/** What is forwarded, before it is written as a message. */
import type { Quality } from './fields.ts'

export type NorthReport = {
  project: string
  sn: string
  device: string
  terminalId: number
  terminal: string
  serial: string | null
  at: Date
  /** By the name of the variable; null where the quality says why. */
  values: Record<string, number | string | null>
  /** Only of values that are not good. */
  quality: Record<string, Quality>
  units: Record<string, string>
}
export type NorthAlarm = {
  project: string
  id: number
  rule: string
  severity: string
  state: 'active' | 'ended'
  sn: string
  device: string
  subject: string
  value: number | null
  threshold: number | null
  startedAt: Date
  endedAt: Date | null
  times: number
}
