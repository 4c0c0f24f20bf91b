/** The mail to the creator of a task that has paused itself, and to who took it over, in the transaction of the pause. */
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
  failures: TaskFailure[]
  /** Without those who may no longer log in, or want no notices. */
  readers: { email: string | null; language: Language }[]
}

export async function mailPause(
  tx: Transaction,
  ctx: Pick<WorkerContext, 'env' | 'parameters'>,
  taskId: number,
  why: Why,
): Promise<void> {
  const [task] = await tx<Facts[]>`
    select t.customer_id as "customerId", t.name, t.version,
      (select coalesce(jsonb_agg(jsonb_build_object('email', u.email, 'language',
          case when u.id = t.created_by then t.language else coalesce(u.language, t.language) end) order by u.id), '[]')
        from users u where u.id in (t.created_by, t.responsible_id) and u.status = 1 and u.alarm_state = 1) as readers,
      (select coalesce(array_agg(i.failure), '{}') from task_items i where i.task_id = t.id and not i.superseded
        and i.outcome = 'failed' and i.offers > 0 and not i.before_resume) as failures
    from tasks t where t.id = ${taskId}`
  if (!task) return
  const { customerId, readers, ...facts } = task
  const url = `${ctx.env.PUBLIC_URL}/task/upgrade/${taskId}`
  for (const { email: recipient, language } of readers) {
    if (!recipient || !isAddress(recipient)) continue
    const mail = pauseMail(sayIn(language), { ...facts, ...why, url })
    await queueMail(tx, ctx.parameters, { customerId, purpose: 'alarm', recipient, ...mail })
  }
}
