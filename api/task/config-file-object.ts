import { getTableColumns } from 'drizzle-orm'
import { configFiles } from '#schema/tables/package'
import { configFileObject } from '#schema/task/config-file-object'
import { stored } from '../kit/stored.ts'

export const storedConfigFile = stored({
  object: configFileObject,
  table: configFiles,
  id: configFiles.id,
  name: configFiles.name,
  customerId: configFiles.customerId,
  seen: (walls) => walls.configFiles,
  row: () => getTableColumns(configFiles),
  parts: {
    main: {
      table: configFiles,
      id: configFiles.id,
      fields: { name: configFiles.name, remark: configFiles.remark },
    },
  },
  facts: { spId: configFiles.id, sha256: configFiles.sha256 },
})
