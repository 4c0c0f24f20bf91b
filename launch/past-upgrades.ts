/** Two upgrades of the demonstration's past, so that each device ends with the firmware that the simulator gives it. */
import type { Identity } from '#device-sim/fleet'
import { modelOf } from '#device-sim/models'
import type { TaskFailure } from '#schema/kit/task-kind'
import type { PastInstall } from './past-of-device.ts'

const MODEL = 'R200'
const DAY_MS = 86_400_000
/** 2 a.m. in Shanghai. */
const AT_NIGHT_MS = 18 * 3_600_000

export type PastUpgrade = {
  readonly model: string
  readonly from: string
  readonly version: string
  readonly startAt: number
  /** By serial number; null: it succeeded. */
  readonly devices: ReadonlyMap<string, TaskFailure | null>
}

const FAILED_MAX = 4
const causes = ['downloadTimeout', 'md5Failed'] as const satisfies readonly TaskFailure[]

/**
 * Three weeks ago an upgrade succeeded everywhere; nine days ago one to the newest firmware for a part of the fleet
 * failed on some devices. `now` in ms. A small fleet may have had neither.
 */
export function planUpgrades(fleet: readonly Identity[], now: number): PastUpgrade[] {
  const [newest, middle = newest, oldest = middle] = modelOf(MODEL).firmware
  const running = (version: string) =>
    fleet.filter(({ model, firmware }) => model.name === MODEL && firmware === version).map(({ sn }) => sn)
  const [upgraded, left] = [running(newest), running(middle)]
  const failing = left.slice(0, Math.min(FAILED_MAX, Math.ceil(upgraded.length / 3)))
  const night = (daysAgo: number) => Math.floor(now / DAY_MS - daysAgo) * DAY_MS + AT_NIGHT_MS
  const succeeded = (sns: readonly string[]) => sns.map((sn) => [sn, null] as const)
  return [
    {
      model: MODEL,
      from: oldest,
      version: middle,
      startAt: night(21),
      devices: new Map(succeeded([...upgraded, ...left])),
    },
    {
      model: MODEL,
      from: middle,
      version: newest,
      startAt: night(9),
      devices: new Map([
        ...succeeded(upgraded),
        ...failing.map((sn, i) => [sn, causes[i % causes.length] ?? 'unknownError'] as const),
      ]),
    },
  ].filter(({ devices }) => devices.size > 0)
}

/** The upgrades that this device installed, in their order. */
export const installedBy = (upgrades: readonly PastUpgrade[], sn: string): PastUpgrade[] =>
  upgrades.filter(({ devices }) => devices.get(sn) === null)

/** The firmware of a device at a time in the past [ms]. */
export function firmwareAt(
  { sn, firmware }: Identity,
  upgrades: readonly PastUpgrade[],
  installs: readonly PastInstall[],
  at: number,
): string {
  const installed = installedBy(upgrades, sn)
  const done = installs.filter(({ backAt }) => backAt <= at).length
  return done === 0 ? (installed[0]?.from ?? firmware) : (installed[done - 1]?.version ?? firmware)
}
