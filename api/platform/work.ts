import { getWorkState } from '#schema/platform/work'
import { handler } from '../kit/handler.ts'
import { silentSince } from './work-state.ts'

export const getWorkStateHandler = handler(getWorkState, async (ctx) => ({
  silentSince: await silentSince(ctx),
}))
