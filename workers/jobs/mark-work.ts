import { markWork } from '#schema/work'
import { processor } from '../processor.ts'

export const markWorkJob = processor(
  markWork,
  (ctx) => ctx.sql`
    insert into work_marks (queue, worked_at) values ('iot', now()) on conflict (queue) do update set worked_at = now()`,
)
