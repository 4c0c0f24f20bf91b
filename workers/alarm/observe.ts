/** Runs the gathered observers for the kinds that enabled rules use. */
import { gather, mismatch } from '#infra/gather'
import { type AlarmKind, alarmKindNames, kindsWhere } from '#schema/alarm/alarm-kind'
import { markDevices } from './mark-devices.ts'
import { isObserver, isTaskObserver, type Look, type Observer, type TaskObserver } from './observer.ts'

type AnyObserver = Observer | TaskObserver
const isAny = (value: unknown): value is AnyObserver => isObserver(value) || isTaskObserver(value)

/** A module exports one observer, or a list of them. */
async function read(): Promise<AnyObserver[]> {
  const folder = new URL('./observers/', import.meta.url)
  const lists = await gather(
    folder,
    (value): value is AnyObserver[] => Array.isArray(value) && value.every(isAny),
  )
  return [...(await gather(folder, isAny)), ...lists.flat()]
}
const observers = await read()

/** @throws if a declared alarm kind does not have exactly one observer: its rules would never fire. */
export function checkObservers(kinds: readonly string[] = alarmKindNames): void {
  const wrong = mismatch(
    kinds,
    observers.map(({ alarm }) => alarm),
  )
  if (wrong.length > 0) throw new Error(`alarm kinds and observers do not match: ${wrong.join('; ')}`)
}

const marked = new Set(kindsWhere((facts) => facts.marked === true))

/**
 * Fills `observed` for the kinds that an enabled rule uses. With one of the kinds that compare devices with their marks, all of
 * these run and keep the marks up to date: otherwise a rule of another of them would begin with what changed before it.
 */
export async function observe(kinds: ReadonlySet<AlarmKind>, look: Look): Promise<void> {
  await markDevices(look.tx)
  const anyMarked = [...marked].some((kind) => kinds.has(kind))
  for (const observer of observers.filter(isObserver))
    if (kinds.has(observer.alarm) || (anyMarked && marked.has(observer.alarm))) await observer.run(look)
}

/** Lets the kinds about tasks open and end their alarms; returns how many were opened. */
export async function observeTasks({ tx, at }: Look): Promise<number> {
  let opened = 0
  for (const observer of observers.filter(isTaskObserver)) opened += await observer.run(tx, at)
  return opened
}
