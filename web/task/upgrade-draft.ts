/** What somebody has chosen so far for a new upgrade, kept as a draft. */
import { z } from 'zod'
import { deviceFilter } from '#schema/device/device'
import type { BodyOf } from '#schema/kit/call'
import { packageTypes } from '#schema/task/package'
import { GUARD_PERCENT, TASK_MAX_ACTIVE, TASK_MAX_DEVICES } from '#schema/task/task-guard'
import type { addLevelUp } from '#schema/task/upgrade'
import { dropDraft, readDraft, storeDraft } from '../kit/form/drafts.ts'

const chosenPackage = z.object({
  spId: z.number(),
  name: z.string(),
  version: z.string(),
  model: z.string(),
  type: z.enum(packageTypes),
})
export type ChosenPackage = z.infer<typeof chosenPackage>

/** `sn` is null for devices handed over by their ids. */
const picked = z.object({ id: z.number(), sn: z.string().nullable() })

const draft = z.object({
  step: z.number().int().min(0).max(2),
  chosen: chosenPackage.nullable(),
  mode: z.enum(['filter', 'pick']),
  filter: deviceFilter,
  picked: z.array(picked),
  /** null: the one that is offered. */
  name: z.string().nullable(),
  description: z.string(),
  keepConfig: z.boolean(),
  /** ISO; null: now. */
  startAt: z.string().nullable(),
  /** null: as the platform has it. */
  waitOfflineMinutes: z.number().int().min(0).max(10_080).nullable(),
  server: z.string().nullable(),
  /** Both null: it never stops by itself. */
  maxFailures: z.number().int().min(1).max(TASK_MAX_DEVICES).nullable(),
  maxFailurePercent: z.number().int().min(1).max(100).nullable(),
  maxInFlight: z.number().int().min(1).max(TASK_MAX_ACTIVE),
})
export type Draft = z.infer<typeof draft>

export const emptyDraft: Draft = {
  step: 0,
  chosen: null,
  mode: 'filter',
  filter: {},
  picked: [],
  name: null,
  description: '',
  keepConfig: true,
  startAt: null,
  waitOfflineMinutes: null,
  server: null,
  maxFailures: null,
  maxFailurePercent: GUARD_PERCENT,
  maxInFlight: TASK_MAX_ACTIVE,
}

const FORM = 'upgrade'

/** What is not whole, or of another version, is no draft. */
export function parseDraft(stored: unknown): Draft {
  const read = draft.safeParse(stored)
  return read.success ? read.data : emptyDraft
}
export function restoreDraft(): { draft: Draft; at: number | null } {
  const stored = readDraft(FORM)
  const restored = parseDraft(stored?.values)
  return { draft: restored, at: restored === emptyDraft ? null : (stored?.at ?? null) }
}
export function keepDraft(value: Draft) {
  if (value === emptyDraft) dropDraft(FORM)
  else storeDraft(FORM, value)
}

/** What other pages hand over: devices by id, or the filter that names them. */
export function handOver(before: Draft, dids: string, filter: string): Draft {
  const ids = dids
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length > 0) {
    const known = new Map(before.picked.map(({ id, sn }) => [id, sn]))
    return {
      ...before,
      mode: 'pick',
      picked: [...new Set(ids)].map((id) => ({ id, sn: known.get(id) ?? null })),
    }
  }
  if (filter === '') return before
  try {
    const read = deviceFilter.safeParse(JSON.parse(filter))
    return read.success ? { ...before, mode: 'filter', filter: read.data } : before
  } catch {
    // A link that was cut: as if nothing had been handed over.
    return before
  }
}

/** The devices that the draft names; null: none yet. */
export function targetOf({
  mode,
  filter,
  picked: chosen,
}: Draft): { dids: number[] } | { filter: Draft['filter'] } | null {
  if (mode === 'filter') return { filter }
  return chosen.length === 0 ? null : { dids: chosen.map(({ id }) => id) }
}

/** null: the draft is not complete. */
export function creationOf(value: Draft, offeredName: string): BodyOf<typeof addLevelUp> | null {
  const target = targetOf(value)
  if (!value.chosen || !target) return null
  return {
    ...target,
    spId: value.chosen.spId,
    name: (value.name ?? offeredName).trim(),
    description: value.description.trim(),
    keepConfig: value.keepConfig,
    maxFailures: value.maxFailures,
    maxFailurePercent: value.maxFailurePercent,
    maxInFlight: value.maxInFlight,
    ...(value.waitOfflineMinutes === null ? {} : { waitOfflineMinutes: value.waitOfflineMinutes }),
    ...(value.startAt ? { startAt: new Date(value.startAt).toISOString() } : {}),
    ...(value.server ? { server: value.server } : {}),
  }
}
