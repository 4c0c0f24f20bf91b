import { expect, it } from 'vitest'
import { closeCodes } from '#schema/remote/forward-frame'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { ApiError } from '../kit/api.ts'
import { stateAfterClose, stateAfterFault } from './watch-state.ts'

it('only a connection that was there is interrupted; without one the session was not reached', () => {
  expect(stateAfterClose(1006, true)).toBe('away')
  expect(stateAfterClose(1006, false)).toBe('unreached')
})

it('a session that has ended is over, whether it was reached or not', () => {
  const ended = new ApiError(remoteRefusals.remoteEnded.code, 'ended')
  for (const reached of [true, false]) {
    expect(stateAfterClose(closeCodes.sessionEnded, reached)).toBe('over')
    expect(stateAfterFault(ended, reached)).toEqual({ state: 'over', fault: null })
  }
})

it('says why it was not reached', () => {
  expect(stateAfterFault(new Error('no permission'), false)).toEqual({
    state: 'unreached',
    fault: 'no permission',
  })
  expect(stateAfterFault(new Error('timed out'), true).state).toBe('away')
})
