/** Converts "follow the filter" of a request to columns of the task. [decisions/108] */
import { refuse } from '#schema/kit/refusal'
import { JOIN_DAYS_MAX, joinFilter, momentary } from '#schema/task/task-join'
import { taskRefusals } from '#schema/task/task-refusals'
import type { CallContext } from '../kit/handler.ts'
import type { Target } from './file-target.ts'

const DAY_MS = 86_400_000

type Asked = Target & { joinUntil?: string | null | undefined }

/**
 * `counted`: its creator confirmed the number of devices, which must not grow. @throws Refusal joinNeedsFilter,
 * joinOfMoment, joinEnd, joinCounted
 */
export function joinColumns({ now }: CallContext, { filter, dids, joinUntil }: Asked, counted = false) {
  if (!joinUntil) return { joins: null, joinUntil: null }
  if (counted) refuse(taskRefusals.joinCounted, {}, 'joinUntil')
  if (dids || !filter) refuse(taskRefusals.joinNeedsFilter, {}, 'joinUntil')
  const moment = momentary(filter)
  if (moment !== null) refuse(taskRefusals.joinOfMoment, { name: moment }, 'joinUntil')
  const until = new Date(joinUntil)
  const days = (until.getTime() - now().getTime()) / DAY_MS
  if (days <= 0 || days > JOIN_DAYS_MAX) refuse(taskRefusals.joinEnd, { days: JOIN_DAYS_MAX }, 'joinUntil')
  return { joins: joinFilter.parse(filter), joinUntil: until }
}
