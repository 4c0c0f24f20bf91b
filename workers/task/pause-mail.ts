/** The mail to the creator of a task that has paused itself, in the transaction of the pause. */
import { isAddress, queueMail } from '#infra/mail'
import { sayIn } from '#infra/say'
import type { Language } from '#schema/kit/refusal'
import type { TaskFailure } from '#schema/kit/task-kind'
import { pauseMail } from '#schema/task/task-mail'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

type Why = { failed: number; tried: number } | { wave: number; done: number; failed: number }
type Facts = {
  customerId: number | null
  name: string
  version: string | null
  language: Language
  failures: TaskFailure[]
  /** Null: they may no longer log in, or want no notices. */
  email: string | null
}

export async function mailPause(
  tx: Transaction,
  ctx: Pick<WorkerContext, 'env' | 'parameters'>,
  taskId: number,
  why: Why,
): Promise<void> {
  const [task] = await tx<Facts[]>`
    select t.customer_id as "customerId", t.name, t.version, t.language,
      (select u.email from users u where u.id = t.created_by and u.status = 1 and u.alarm_state = 1) as email,
      (select coalesce(array_agg(i.failure), '{}') from task_items i where i.task_id = t.id and not i.superseded
        and i.outcome = 'failed' and i.offers > 0 and not i.before_resume) as failures
    from tasks t where t.id = ${taskId}`
  if (!task?.email || !isAddress(task.email)) return
  const url = `${ctx.env.PUBLIC_URL}/task/upgrade/${taskId}`
  const mail = pauseMail(sayIn(task.language), { ...task, ...why, url })
  const { customerId, email: recipient } = task
  await queueMail(tx, ctx.parameters, { customerId, purpose: 'alarm', recipient, ...mail })
}
