import { markWork } from '#schema/platform/work'
import { processor } from '../kit/processor.ts'

export const markWorkJob = processor(
  markWork,
  (ctx) => ctx.sql`
    insert into work_marks (queue, worked_at) values ('iot', now()) on conflict (queue) do update set worked_at = now()`,
)
