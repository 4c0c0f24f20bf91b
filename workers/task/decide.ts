import type { DecisionFacts, TaskDecisionKind } from '#schema/task/task-decision'
import type { Transaction } from '../kit/processor.ts'

type Decided = { taskId: number; what: TaskDecisionKind; facts?: DecisionFacts }

/** Records what the engine decided about tasks, in the transaction of the decision. */
export async function decide(tx: Transaction, decided: readonly Decided[], now: Date): Promise<void> {
  if (decided.length === 0) return
  await tx`
    insert into task_decisions (task_id, at, what, facts, by_engine)
    select "taskId", ${now}, what, coalesce(facts, '{}'), true
    from jsonb_to_recordset(${tx.json([...decided])}) as v("taskId" integer, what text, facts jsonb)`
}
