import { getTableColumns, sql } from 'drizzle-orm'
import { groupObject } from '#schema/group/group-object'
import { groups } from '#schema/tables/group'
import { stored } from '../kit/stored.ts'

export const storedGroup = stored({
  object: groupObject,
  table: groups,
  id: groups.id,
  name: groups.name,
  customerId: groups.customerId,
  seen: (walls) => walls.groups,
  row: () => getTableColumns(groups),
  parts: {
    main: {
      table: groups,
      id: groups.id,
      fields: {
        groupName: groups.name,
        uid: sql<number>`coalesce(${groups.ownerId}, 0)`,
        name: groups.remoteAccount,
        ip: groups.remoteIp,
        n2nInfoBridge: groups.bridged,
        n2nIfnoMaskbit: groups.maskBits,
        loginType: groups.loginType,
        loginNum: groups.loginNum,
        dataPlanMb: sql<number>`coalesce(${groups.dataPlanMb}, 0)`,
        remoteApproval: groups.remoteApproval,
        remoteTargets: sql<string>`coalesce(${groups.remoteTargets}, '')`,
        groupServiceDistribution: sql<number>`coalesce(${groups.n2nServerId}, 0)`,
      },
      hidden: { password: groups.remotePassword },
    },
    /** Separate parts: moving a group in the tree does not conflict with renaming it. */
    place: {
      table: groups,
      id: groups.id,
      fields: { parentGroupId: groups.parentId, level: groups.level },
    },
  },
})
