import { getWorkState } from '#schema/work'
import { handler } from '../handler.ts'
import { silentSince } from '../work-state.ts'

export const getWorkStateHandler = handler(getWorkState, async (ctx) => ({
  silentSince: await silentSince(ctx),
}))
