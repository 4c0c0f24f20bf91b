/** The choices of the fast access wizard: in the address, so that Back and a reload keep them, and as a draft for another day. */
import { parseAsInteger, useQueryStates } from 'nuqs'
import { useEffect, useState } from 'react'
import { dropDraft, readDraft, storeDraft } from '../kit/form/drafts.ts'
import type { FormValues } from '../kit/form/form-model.ts'

const FORM = 'fastAccess'
/** The `terminalId` of a terminal that is added at the end. */
export const NEW_TERMINAL = 0
/** Project, device, terminal, template, variables; then the values arrive. */
export const steps = ['project', 'device', 'terminal', 'template', 'variables'] as const
export const FINISH = steps.length

type Id = number | null
export type Access = { step: number; projectId: Id; deviceId: Id; terminalId: Id; templateId: Id }

const id = parseAsInteger
const parsers = {
  step: parseAsInteger.withDefault(0),
  projectId: id,
  deviceId: id,
  terminalId: id,
  templateId: id,
}
const ids = ['projectId', 'deviceId', 'terminalId', 'templateId'] as const
const nothing: Access = { step: 0, projectId: null, deviceId: null, terminalId: null, templateId: null }

/** A draft of another version is ignored. */
export function parseAccess(stored: Readonly<Record<string, unknown>>): {
  access: Access
  terminal: FormValues
} {
  const numberOr = <E>(value: unknown, otherwise: E) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise
  const { terminal } = stored
  return {
    access: {
      step: Math.min(numberOr(stored['step'], 0), FINISH - 1),
      ...(Object.fromEntries(ids.map((name) => [name, numberOr(stored[name], null)])) as Omit<
        Access,
        'step'
      >),
    },
    terminal: typeof terminal === 'object' && terminal !== null ? (terminal as FormValues) : {},
  }
}

/** The furthest step that the choices allow: an address may be edited, or a link shortened. */
export function allowedStep({ step, projectId, deviceId, terminalId, templateId }: Access): number {
  const chosen = [projectId, deviceId, terminalId, templateId]
  const missing = chosen.indexOf(null)
  const furthest = missing === -1 ? (terminalId === NEW_TERMINAL ? FINISH - 1 : FINISH) : missing
  return Math.max(0, Math.min(step, furthest))
}

export function useAccess() {
  const [address, setAddress] = useQueryStates(parsers)
  const [restored] = useState(() => {
    const draft = ids.every((name) => address[name] === null) || address.terminalId === NEW_TERMINAL
    const stored = draft ? readDraft(FORM) : null
    return stored && { at: stored.at, ...parseAccess(stored.values) }
  })
  const [restoredAt, setRestoredAt] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (!restored || ids.some((name) => address[name] !== null)) return
    setRestoredAt(restored.at)
    void setAddress(restored.access)
  }, [])
  const change = (part: Partial<Access>) =>
    void setAddress(part, { history: part.step === undefined ? 'replace' : 'push' })
  return {
    access: { ...address, step: allowedStep(address) },
    change,
    restoredAt,
    /** Of the new terminal, as far as it was filled in. */
    terminal: restored?.terminal ?? {},
    keep: (terminal: FormValues) => {
      if (address.step === FINISH) dropDraft(FORM)
      else if (ids.some((name) => address[name] !== null)) storeDraft(FORM, { ...address, terminal })
    },
    forget: () => {
      dropDraft(FORM)
      setRestoredAt(null)
    },
    restart: () => {
      dropDraft(FORM)
      setRestoredAt(null)
      void setAddress(nothing, { history: 'push' })
    },
  }
}
