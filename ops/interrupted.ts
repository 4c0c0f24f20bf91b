/** Ctrl-C ends the watching, not what is watched: say so, and how to look on. */
import { exitCodes } from './exit.ts'
import { note } from './print.ts'

export async function sayWhenInterrupted<T>(
  what: string,
  again: string,
  watching: () => Promise<T>,
): Promise<T> {
  const stop = () => {
    // The bar's line is not over.
    if (process.stderr.isTTY) process.stderr.write('\n')
    note(`${what} goes on without you: \`${again}\` watches it again`)
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', stop)
  try {
    return await watching()
  } finally {
    process.off('SIGINT', stop)
  }
}
