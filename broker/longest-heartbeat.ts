/** The parameter `heartbeatMaxS`, cached, because guards read it twice a second. */
import type { Context } from '#infra/context'
import { parameters } from '#schema/platform/parameter-list'

const LOOK_MS = 5_000

export function watchLongestHeartbeat(context: Pick<Context, 'parameters' | 'log'>) {
  const longest = { ms: parameters.heartbeatMaxS.initial * 1000 }
  const look = () =>
    context.parameters.get('heartbeatMaxS').then(
      (seconds) => {
        longest.ms = seconds * 1000
      },
      (error: unknown) => context.log.warn({ err: error }, 'parameters not read'),
    )
  void look()
  const timer = setInterval(() => void look(), LOOK_MS)
  return { longest, close: () => clearInterval(timer) }
}
