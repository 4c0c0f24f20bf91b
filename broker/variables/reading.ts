/** Converts a report to the row to store: checked against its plan, scaled, with the corrected timestamp. Pure. */
import { reportTime } from '#schema/monitor/clock'
import { hasValue, qualities, qualityCode } from '#schema/monitor/fields'
import { storedValue } from '#schema/monitor/scale'
import type { VariablesReport } from '#schema/monitor/wire'
import { type Derived, derivedOf } from './derive.ts'
import type { KnownPlan } from './plans.ts'

export type Reading = {
  deviceId: number
  terminalId: number
  plan: number
  /** When that plan was made. */
  planAt: number
  at: number
  late: boolean
  slots: readonly number[]
  vals: (number | null)[]
  /** null: all good. */
  quality: number[] | null
  texts: (string | null)[] | null
  gap: { from: number; to: number; reports: number } | null
  /** Variables of the terminal that are computed. */
  derived?: readonly Derived[]
  /** The clock differed from what was known of it. */
  uncertain?: boolean
}

/** `done` once it is committed, or cannot be stored. */
export type FileReading = (reading: Reading, bytes: number, done: (stored: boolean) => void) => void

const good = qualityCode('good')
const uncertainTime = qualityCode('uncertainTime')
export const withValue = qualities.map(hasValue)

/** @returns the fault in words for the device's warnings, if the report does not fit its plan. */
export function readReport(
  report: VariablesReport,
  plan: KnownPlan,
  now: number,
): Reading | { fault: string } {
  const { i, v, q, t } = report
  const { gateway } = plan
  if (v.length !== i.length || (q && q.length !== i.length)) return { fault: 'i, v and q differ in length' }
  const scales = plan.terminals.get(t)
  if (!scales) return { fault: `t: terminal ${t} is not in plan ${plan.revision}` }
  const late = report.late === true
  const time = reportTime(report.at, late, gateway.offset, now)
  if ('fault' in time) return time
  gateway.offset = time.offset
  const vals: (number | null)[] = new Array(i.length)
  let quality: number[] | null = null
  let highest = -1
  let texts: (string | null)[] | null = null
  for (let k = 0; k < i.length; k++) {
    const slot = i[k] as number
    const scale = scales[slot]
    if (!scale || scale.formula)
      return { fault: `i: slot ${slot} of terminal ${t} is not in plan ${plan.revision}` }
    // Slots usually ascend: only others cost a search.
    if (slot > highest) highest = slot
    else if (i.indexOf(slot) < k) return { fault: `i: slot ${slot} is named twice` }
    const stored = storedValue(scale, v[k] ?? null, q?.[k] ?? good)
    vals[k] = stored.value
    const code = time.uncertain && stored.quality === good ? uncertainTime : stored.quality
    if (code !== good) {
      quality ??= new Array<number>(i.length).fill(good)
      quality[k] = code
    }
    if (stored.text !== null) {
      texts ??= new Array<string | null>(i.length).fill(null)
      texts[k] = stored.text
    }
  }
  return {
    deviceId: plan.deviceId,
    terminalId: t,
    plan: plan.revision,
    planAt: plan.madeAt,
    at: time.at,
    late,
    slots: i,
    vals,
    quality,
    texts,
    gap: report.dropped ? gapOf(report.dropped, time.offset) : null,
    derived: derivedOf(scales),
    uncertain: time.uncertain,
  }
}

const gapOf = (said: { n: number; from: number; to: number }, offset: number) => ({
  from: Math.min(said.from, said.to) - offset,
  to: Math.max(said.from, said.to) - offset,
  reports: said.n,
})
