/** What a new terminal still lacks before its first value arrives: the nearest cause only, because the others follow from it. */
import type { SlaveState } from '#schema/monitor/fields'
import type { CollectionState } from '#schema/monitor/monitor-device'

export type Lack =
  | 'noVariables'
  | 'offline'
  | 'refused'
  | 'planWaiting'
  | 'hidden'
  | 'noPath'
  | 'silent'
  | 'bad'
  | 'waiting'

type Facts = {
  /** How many variables the terminal has, and how many of them have a good value that is not old. */
  variables: number
  good: number
  bad: number
  /** The gateway. */
  online: boolean
  collection: CollectionState | undefined
  hidden: boolean
  slave: SlaveState | null
}

/** null: a good value has arrived. */
export function lackOf({ variables, good, bad, online, collection, hidden, slave }: Facts): Lack | null {
  if (good > 0) return null
  if (variables === 0) return 'noVariables'
  if (hidden) return 'hidden'
  if (!online) return 'offline'
  if (collection === 'refused') return 'refused'
  // A new terminal is noticed by the next round: until then the gateway has nothing to run.
  if (collection === 'waiting' || collection === 'none') return 'planWaiting'
  if (slave === 'noPath' || slave === 'silent') return slave
  return bad > 0 ? 'bad' : 'waiting'
}
