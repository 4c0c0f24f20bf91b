import { sql } from 'drizzle-orm'
import { southAccountObject } from '#schema/monitor/south'
import { mappingParts } from '#schema/monitor/south/adapter'
import { projects } from '#schema/tables/project'
import { southAccounts } from '#schema/tables/south'
import { stored } from '../kit/stored.ts'

const { id, customerId, projectId, name, kind, topics, mapping, enabled, username } = southAccounts

const mapped = Object.fromEntries(
  mappingParts.map((part) => [part, sql<string | null>`${mapping} ->> ${sql.raw(`'${part}'`)}`]),
)

/** Visible with their project. */
export const storedSouthAccount = stored({
  object: southAccountObject,
  table: southAccounts,
  id,
  name,
  customerId,
  seen: (walls) =>
    sql`exists (select 1 from ${projects} where ${projects.id} = ${southAccounts.projectId} and ${walls.projects})`,
  row: () => ({ id, customerId, projectId, kind, username }),
  parts: {
    main: {
      table: southAccounts,
      id,
      // Under the names used in the form.
      fields: { name, topics: sql`array_to_string(${topics}, E'\\n')`, ...mapped },
    },
    running: { table: southAccounts, id, fields: { enabled } },
  },
  facts: { kind, username },
})
