/** Waves of a task: which devices are in which, and when the next one begins; pure. [decisions/094] */
import { z } from 'zod'
import { because } from '../kit/fault.ts'
import { instant } from '../kit/time.ts'

export const waveSizes = ['percent', 'count', 'group'] as const
/** `rest`: all devices that are in no other wave. */
export const waveKinds = [...waveSizes, 'rest'] as const

/** Of all devices. */
export const WAVE_PERCENT_MAX = 100

export const waveRules = z
  .object({
    by: z.enum(waveSizes),
    value: z.coerce
      .number()
      .int()
      .min(1)
      .max(2_147_483_647)
      .describe('percent of all devices, a number of them, or the id of a group'),
  })
  // A typing error must not make the whole fleet the first wave.
  .refine(({ by, value }) => by !== 'percent' || value <= WAVE_PERCENT_MAX, {
    path: ['value'],
    ...because({ reason: 'greater', n: WAVE_PERCENT_MAX }),
  })
export type WaveRule = z.output<typeof waveRules>

/** `short`: it ended below the success threshold. */
export const waveStates = ['waiting', 'running', 'reached', 'skipped', 'short'] as const

const count = z.number()
export const waveRow = z.object({
  nth: count,
  by: z.enum(waveKinds),
  value: z.number().nullable(),
  groupName: z.string().nullable(),
  state: z.enum(waveStates),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  total: count,
  waiting: count,
  active: count,
  soaking: count.describe('proved, and observed until the task’s soak time has passed'),
  done: count,
  failed: count,
  cancelled: count,
})

type Device = { id: number; groupId: number }
export type Wave = { by: (typeof waveKinds)[number]; value: number | null; deviceIds: number[] }

/** Spreads neighbours over the waves: serial numbers of one site often follow each other. */
const spread = (id: number) => Math.imul(id, 0x9e3779b1) >>> 0

/** How many of `total` devices a wave by percentage or number takes; null: by group, which depends on the devices. */
export const waveSize = ({ by, value }: WaveRule, total: number): number | null =>
  by === 'group'
    ? null
    : by === 'percent'
      ? Math.max(1, Math.round((total * value) / 100))
      : Math.min(value, total)

/**
 * The devices of each wave; waves that get none are left out. `groupIds`: of a group wave, the group and those below
 * it. Without rules all are in one wave.
 */
export function assignWaves(
  rules: readonly WaveRule[],
  devices: readonly Device[],
  groupIds: (rule: WaveRule) => readonly number[],
): Wave[] {
  let left = devices.toSorted((a, b) => spread(a.id) - spread(b.id))
  const waves = rules.map((rule): Wave => {
    const inGroup = rule.by === 'group' ? new Set(groupIds(rule)) : null
    const taken = inGroup
      ? left.filter(({ groupId }) => inGroup.has(groupId))
      : left.slice(0, waveSize(rule, devices.length) ?? 0)
    const ids = new Set(taken.map(({ id }) => id))
    left = left.filter(({ id }) => !ids.has(id))
    return { ...rule, deviceIds: [...ids] }
  })
  return [...waves, { by: 'rest' as const, value: null, deviceIds: left.map(({ id }) => id) }].filter(
    ({ deviceIds }) => deviceIds.length > 0,
  )
}

/** Counts of a wave's devices, without cancelled ones. */
export type WaveCounts = {
  done: number
  /** Failed after they were sent something, and not retried any more. */
  failed: number
  /** Not ended, and online or sent something already. */
  open: number
  /** Offline and not sent anything: they say nothing about the package, and are not waited for. */
  unreached: number
  /** Of `unreached`, those that may still come. */
  coming: number
  /** Ended without success before a user resumed the task: that user decided to go on without them. */
  seen: number
}

/**
 * `next`: enough of the wave's reachable devices are done. `short`: so many have failed that it cannot be reached any
 * more, or all have ended and none is done: a wave that proves nothing must neither be passed nor waited for without
 * anybody being told. A wave whose devices are all offline waits for them.
 */
export function waveVerdict(
  { done, failed, open, coming, seen }: WaveCounts,
  successPercent: number,
): 'next' | 'short' | 'wait' {
  const counted = done + failed + open
  const needed = Math.ceil((successPercent * counted) / 100)
  if (done > 0 && done >= needed) return 'next'
  if (counted > 0) return done + open < needed ? 'short' : 'wait'
  if (coming > 0) return 'wait'
  return seen > 0 ? 'next' : 'short'
}
