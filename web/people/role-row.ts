import type { getRoleList } from '#schema/people/role'
import type { Row } from '../kit/list/list-types.ts'
import { roleText, templateText } from './role-name.ts'

export type RoleRow = Row<typeof getRoleList>
/** `source`: the role to edit or view, or the template of a new role. */
export type RoleTask = { mode: 'create' | 'edit' | 'look'; source: RoleRow | null }

export const roleName = (row: RoleRow) => roleText(row.name, row.template)
export const roleAbout = (row: RoleRow) => (row.template ? templateText(row.name) : row.description)
