/** What devices reported during a past upgrade, and how their items ended. Pure. */
import type { TaskFailure, TaskStep } from '#schema/kit/task-kind'
import { moved, type Place, type TaskEvent } from '#schema/task/moves'
import type { Past } from './past-of-device.ts'
import type { PastUpgrade } from './past-upgrades.ts'

export type PastDevice = Pick<Past, 'connections' | 'installs'> & { id: number; sn: string }
export type Report = { at: number; step: TaskStep | 'failed'; detail?: string }

/** The device's reports. Without an installation it failed the first time that it was online after the start. */
export function reportsOf(device: PastDevice, upgrade: PastUpgrade, failure: TaskFailure | null): Report[] {
  const { sn, connections, installs } = device
  if (failure === null) {
    const install = installs.find(({ offeredAt }) => offeredAt >= upgrade.startAt)
    if (!install) throw new Error(`${sn} did not install ${upgrade.version}`)
    const { offeredAt, restartAt, backAt } = install
    return [
      { step: 'sent', at: offeredAt },
      { step: 'connected', at: offeredAt + 1200 },
      { step: 'downloading', at: offeredAt + 1300 },
      { step: 'downloaded', at: restartAt - 6000 },
      { step: 'upgrading', at: restartAt - 4000 },
      { step: 'done', at: backAt + 900 },
    ]
  }
  const online = connections.find(({ offlineAt }) => offlineAt > upgrade.startAt)
  const at = Math.max(upgrade.startAt, online?.onlineAt ?? 0) + 1500
  const begun: Report[] = [
    { step: 'sent', at },
    { step: 'connected', at: at + 1200 },
    { step: 'downloading', at: at + 1300 },
  ]
  return failure === 'md5Failed'
    ? [
        ...begun,
        { step: 'downloaded', at: at + 95_000 },
        { step: 'failed', at: at + 96_000, detail: 'SHA-256 differs from the offered one' },
      ]
    : [...begun, { step: 'failed', at: at + 150_000 }]
}

/** Applies the table of moves, as the engine would have. */
export function placeAfter(reports: readonly Report[]): Place {
  const moves = reports.flatMap(({ step }): [TaskEvent, TaskStep?][] => {
    if (step === 'sent') return [['take'], ['leave']]
    if (step === 'failed') return [['fail']]
    return step === 'done' ? [['finish']] : [['speak', step]]
  })
  return moves.reduce<Place>(
    (place, [event, step]) => {
      const next = moved(place, event, step)
      if (!next) throw new Error(`there is no move ${event} from ${place.step}`)
      return next
    },
    { sending: 'none', step: 'created', outcome: null },
  )
}
