/** What is known of the connection to a terminal that is watched. */
import { closeCodes } from '#schema/remote/forward-frame'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { ApiError } from '../kit/api.ts'

/**
 * `waiting`: there is no shell now. `away`: it was connected and is not any more; `unreached`: it never was. `over`: the
 * session has ended.
 */
export type WatchState = 'connecting' | 'waiting' | 'live' | 'away' | 'unreached' | 'over'

const lost = (reached: boolean): WatchState => (reached ? 'away' : 'unreached')

/** @param reached whether this session was connected before */
export const stateAfterClose = (code: number, reached: boolean): WatchState =>
  code === closeCodes.sessionEnded ? 'over' : lost(reached)

/** No connection was made, with the reason to show. */
export function stateAfterFault(
  error: unknown,
  reached: boolean,
): { state: WatchState; fault: string | null } {
  if (error instanceof ApiError && error.code === remoteRefusals.remoteEnded.code)
    return { state: 'over', fault: null }
  return { state: lost(reached), fault: error instanceof Error ? error.message : String(error) }
}
