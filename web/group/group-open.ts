/** The drawers over the group list. */
import { type GroupRow, getGroupList, getGroupTree, queryGroupKeyword } from '#schema/group/group'
import { opener } from '../kit/opener.ts'

/** Calls whose results change with groups. */
export const groupReads = [queryGroupKeyword, getGroupTree, getGroupList]

export type GroupDrawer =
  | { kind: 'create'; parent: Pick<GroupRow, 'gid' | 'cid'> | null }
  | { kind: 'edit' | 'move' | 'members' | 'remote' | 'keys'; row: GroupRow }

export const groupDrawer = opener<GroupDrawer>()
