/** The mail to the creator of a task that has paused itself. */
import type { ServerSay } from '../kit/say.ts'
import type { TaskFailure } from '../kit/task-kind.ts'

type Stopped = {
  name: string
  /** Version of the package; null: the task sends a command. */
  version: string | null
  failed: number
  tried: number
  /** One entry per failed device. */
  failures: readonly TaskFailure[]
  url: string
}

export function pauseMail(say: ServerSay, of: Stopped): { subject: string; text: string } {
  const { name, version, failed, tried, url } = of
  const counts = new Map<TaskFailure, number>()
  for (const failure of of.failures) counts.set(failure, (counts.get(failure) ?? 0) + 1)
  const causes = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([failure, count]) => `${say(`task:failure.${failure}`)}: ${count}`)
    .join('\n')
  return {
    subject: say('task:pauseMail.subject', { name, failed }),
    text: say('task:pauseMail.text', {
      name:
        version === null
          ? say('task:pauseMail.task', { name })
          : say('task:pauseMail.taskOf', { name, version }),
      failed,
      tried,
      causes,
      url,
    }),
  }
}
