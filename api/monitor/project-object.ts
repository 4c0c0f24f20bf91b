import { projectObject } from '#schema/monitor/project'
import { projects } from '#schema/tables/project'
import { stored } from '../kit/stored.ts'

const { id, name, customerId, groupId, type, userId, historyDays } = projects

export const storedProject = stored({
  object: projectObject,
  table: projects,
  id,
  name,
  customerId,
  seen: (walls) => walls.projects,
  row: () => ({ id, customerId, groupId }),
  parts: { main: { table: projects, id, fields: { name, type, userId, historyDays } } },
  facts: { groupId },
})
