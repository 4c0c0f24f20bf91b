/** Ctrl-C ends only the watching: prints that the task continues, and how to watch it again. */
import { exitCodes } from './exit.ts'
import { note } from './print.ts'

export async function sayWhenInterrupted<T>(
  what: string,
  again: string,
  watching: () => Promise<T>,
): Promise<T> {
  const stop = () => {
    // The progress bar has not ended its line.
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
