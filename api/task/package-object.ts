import { getTableColumns, sql } from 'drizzle-orm'
import { packages } from '#schema/tables/package'
import { packageObject } from '#schema/task/package-object'
import { stored } from '../kit/stored.ts'

export const storedPackage = stored({
  object: packageObject,
  table: packages,
  id: packages.id,
  name: sql`${packages.name} || ' ' || ${packages.version}`,
  customerId: packages.customerId,
  seen: (walls) => walls.packages,
  row: () => getTableColumns(packages),
  facts: {
    spId: packages.id,
    model: packages.model,
    type: packages.type,
    sha256: packages.sha256,
  },
  parts: {
    main: {
      table: packages,
      id: packages.id,
      fields: {
        visibility: packages.visibility,
        customerId: packages.customerId,
        remark: packages.remark,
      },
    },
  },
})
