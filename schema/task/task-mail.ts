/** The mail to the creator of a task that has paused itself. */
import type { ServerSay } from '../kit/say.ts'
import type { TaskFailure } from '../kit/task-kind.ts'

type Stopped = {
  name: string
  /** Version of the package; null: the task sends a command. */
  version: string | null
  failed: number
  /** One entry per failed device. */
  failures: readonly TaskFailure[]
  url: string
} & ({ tried: number } | { wave: number; done: number })

export function pauseMail(say: ServerSay, of: Stopped): { subject: string; text: string } {
  const { name, version, failed, url } = of
  const counts = new Map<TaskFailure, number>()
  for (const failure of of.failures) counts.set(failure, (counts.get(failure) ?? 0) + 1)
  const causes = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([failure, count]) => `${say(`task:failure.${failure}`)}: ${count}`)
    .join('\n')
  const what =
    version === null ? say('task:pauseMail.task', { name }) : say('task:pauseMail.taskOf', { name, version })
  if ('wave' in of) {
    const { wave, done } = of
    return {
      subject: say('task:pauseMail.waveSubject', { name, wave }),
      text: say('task:pauseMail.waveText', { name: what, wave, done, failed, causes, url }),
    }
  }
  return {
    subject: say('task:pauseMail.subject', { name, failed }),
    text: say('task:pauseMail.text', { name: what, failed, tried: of.tried, causes, url }),
  }
}
