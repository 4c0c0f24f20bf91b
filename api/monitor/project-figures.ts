/** Figures about the devices of projects that the actor may see. */
import { type SQL, sql } from 'drizzle-orm'
import { devices } from '#schema/tables/device'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { isFed } from './source-state.ts'

export type ProjectFigures = {
  deviceCount: number
  onlineCount: number
  terminalCount: number
  answeringCount: number
}

/** The groups of a project: its own and those below it. */
export const projectGroups = (projectId: number | SQL): SQL => sql`
  with recursive tree as (
    select group_id as id from projects where id = ${projectId}
    union select g.id from groups g join tree on g.parent_id = tree.id
  ) select id from tree`

/** A group and those below it. */
export const groupsBelow = (groupId: number): SQL => sql`
  with recursive tree as (
    select id from groups where id = ${groupId}
    union select g.id from groups g join tree on g.parent_id = tree.id
  ) select id from tree`

/** By project id; projects without devices are missing. */
export async function projectFigures(
  { db, actor }: CallContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ProjectFigures>> {
  if (ids.length === 0) return new Map()
  const rows = await db.execute<ProjectFigures & { id: number }>(sql`
    with recursive tree as (
      select id as project_id, group_id from projects where id = any(${sql.param([...ids])}::int[])
      union select tree.project_id, g.id from groups g join tree on g.parent_id = tree.group_id
    ), held as (
      select tree.project_id, ${devices.id} as device_id, coalesce(s.online, false) as online
      from tree join ${devices} on ${devices.groupId} = tree.group_id
        left join device_states s on s.device_id = ${devices.id}
      where ${visible(actor).devices}
    ), asked as (
      select held.project_id, count(*) as terminals,
        count(*) filter (where (held.online and state.state = 'answering') or ${isFed}) as answering
      from held join terminals t on t.device_id = held.device_id and not t.hidden
        left join terminal_states state on state.terminal_id = t.id
      group by held.project_id
    )
    select held.project_id as id, count(*)::int as "deviceCount",
      (count(*) filter (where held.online))::int as "onlineCount",
      coalesce(min(asked.terminals), 0)::int as "terminalCount",
      coalesce(min(asked.answering), 0)::int as "answeringCount"
    from held left join asked on asked.project_id = held.project_id
    group by held.project_id`)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}
