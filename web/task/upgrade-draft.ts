/** The choices so far for a new upgrade, stored as a draft. */
import type { DeviceFilter } from '#schema/device/device'
import type { BodyOf } from '#schema/kit/call'
import { checkFields } from '#schema/kit/check'
import type { FormField } from '#schema/kit/field'
import type { addConfig } from '#schema/task/config-task'
import { type FileType, fileTypes } from '#schema/task/offered-file'
import { JOIN_DAYS_MAX } from '#schema/task/task-join'
import { addLevelUp } from '#schema/task/upgrade'
import { dropDraft, readDraft, storeDraft } from '../kit/form/drafts.ts'
import { declaredField, declaredForm } from '../kit/form/forms.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import {
  type GuardChoice,
  joinsUntil,
  noRollout,
  proposedGuard,
  type RolloutChoice,
  rolloutBody,
} from './rollout-choice.ts'

/** What the wizard sends: a package, or a configuration file. */
export type WizardOf = 'package' | 'config'

/** Version and model are null for a configuration file. */
export type ChosenFile = {
  spId: number
  name: string
  version: string | null
  model: string | null
  type: FileType
}

export type Draft = {
  step: number
  chosen: ChosenFile | null
  mode: 'filter' | 'pick'
  filter: DeviceFilter
  /** `sn` is null for devices passed by id. */
  picked: { id: number; sn: string | null }[]
  /** null: the proposed name. */
  name: string | null
  description: string
  keepConfig: boolean
  /** ISO; null: now. */
  startAt: string | null
  /** null: the platform's default. */
  waitOfflineMinutes: number | null
  server: string | null
} & GuardChoice &
  RolloutChoice

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
  ...proposedGuard,
  ...noRollout,
}

/** The drafts of the two are kept apart. */
const forms: Record<WizardOf, string> = { package: 'upgrade', config: 'configTask' }

const filterField = declaredField(addLevelUp, 'filter')
const text = (name: string): FormField => ({ name, input: 'text', required: name === 'name' })
/** Fields of the wizard that are not in the body of the call. */
const kept: readonly FormField[] = [
  { name: 'step', input: 'number', required: true, whole: true, min: 0, max: 2 },
  { name: 'mode', input: 'choice', required: true, options: ['filter', 'pick'] },
  {
    name: 'chosen',
    input: 'fields',
    required: false,
    fields: [
      { name: 'spId', input: 'number', required: true },
      ...['name', 'version', 'model'].map(text),
      { name: 'type', input: 'choice', required: true, options: fileTypes },
    ],
  },
  {
    name: 'picked',
    input: 'rows',
    required: true,
    fields: [
      { name: 'id', input: 'number', required: true },
      { name: 'sn', input: 'text', required: false },
    ],
  },
  { name: 'joinDays', input: 'number', required: false, whole: true, min: 1, max: JOIN_DAYS_MAX },
  // null means the platform's default.
  ...declaredForm(addLevelUp)
    .fields.filter(({ name }) => name in emptyDraft && name !== 'filter')
    .map((field) => ({ ...field, required: false })),
]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFilter = (value: unknown): value is DeviceFilter =>
  isObject(value) && Object.keys(checkFields(filterField.fields ?? [], value)).length === 0

/** Incomplete data, or data of another version, is not a draft. */
export function parseDraft(stored: unknown): Draft {
  if (
    !isObject(stored) ||
    !isFilter(stored['filter']) ||
    !Object.keys(emptyDraft).every((key) => key in stored)
  )
    return emptyDraft
  return Object.keys(checkFields(kept, stored)).length === 0 ? (stored as Draft) : emptyDraft
}
export function restoreDraft(of: WizardOf): { draft: Draft; at: number | null } {
  const stored = readDraft(forms[of])
  const restored = parseDraft(stored?.values)
  return { draft: restored, at: restored === emptyDraft ? null : (stored?.at ?? null) }
}
export function keepDraft(of: WizardOf, value: Draft) {
  if (value === emptyDraft) dropDraft(forms[of])
  else storeDraft(forms[of], value)
}

/** Passed by other pages: devices by id, or the filter that selects them. */
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
    const given: unknown = JSON.parse(filter)
    return isFilter(given) ? { ...before, mode: 'filter', filter: given } : before
  } catch {
    // A truncated link: as if nothing had been passed.
    return before
  }
}

/** The devices of the draft; null: none yet. */
export function targetOf({
  mode,
  filter,
  picked: chosen,
}: Draft): { dids: number[] } | { filter: Draft['filter'] } | null {
  if (mode === 'filter') return { filter }
  return chosen.length === 0 ? null : { dids: chosen.map(({ id }) => id) }
}

/** The body of addConfig, which has the fields that every task with a file has; null: the draft is incomplete. */
export function configOf(
  value: Draft,
  offeredName: string,
  now = serverNow(),
): BodyOf<typeof addConfig> | null {
  const target = targetOf(value)
  if (!value.chosen || !target) return null
  return {
    ...target,
    spId: value.chosen.spId,
    name: (value.name ?? offeredName).trim(),
    description: value.description.trim(),
    maxFailures: value.maxFailures,
    maxFailurePercent: value.maxFailurePercent,
    maxInFlight: value.maxInFlight,
    ...rolloutBody(value),
    ...joinsUntil(value.joinDays, 'filter' in target ? target.filter : undefined, now),
    ...(value.waitOfflineMinutes === null ? {} : { waitOfflineMinutes: value.waitOfflineMinutes }),
    ...(value.startAt ? { startAt: new Date(value.startAt).toISOString() } : {}),
  }
}

/** The body of addLevelUp; null: the draft is incomplete. */
export function creationOf(
  value: Draft,
  offeredName: string,
  now = serverNow(),
): BodyOf<typeof addLevelUp> | null {
  const body = configOf(value, offeredName, now)
  return body && { ...body, keepConfig: value.keepConfig, ...(value.server ? { server: value.server } : {}) }
}
