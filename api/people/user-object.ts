import { eq, getTableColumns, sql } from 'drizzle-orm'
import { userObject } from '#schema/people/user-object'
import { roles, users } from '#schema/tables/user'
import { stored } from '../kit/stored.ts'

const person = { nickname: users.nickname, realname: users.realname }
const ofRole = (column: typeof roles.functionIds | typeof roles.menuIds) =>
  sql<number[] | null>`(select ${column} from ${roles} where ${eq(roles.id, users.roleId)})`.mapWith(column)

export const storedUser = stored({
  object: userObject,
  table: users,
  id: users.id,
  name: users.username,
  customerId: users.customerId,
  seen: (walls) => walls.users,
  row: () => ({
    ...getTableColumns(users),
    roleFunctionIds: ofRole(roles.functionIds),
    roleMenuIds: ofRole(roles.menuIds),
  }),
  facts: { username: users.username },
  parts: {
    main: {
      table: users,
      id: users.id,
      fields: {
        ...person,
        tel: users.tel,
        email: users.email,
        addr: users.addr,
        remark: users.remark,
        userType: users.type,
        customerId: users.customerId,
        roleId: users.roleId,
        groupIds: sql.raw(
          'array(select ug.group_id from user_groups ug where ug.user_id = users.id order by ug.group_id)',
        ),
        alarmState: users.alarmState,
        monState: users.monState,
        icon: users.icon,
      },
    },
    status: { table: users, id: users.id, fields: { status: users.status } },
    /** Fields that users change themselves. */
    profile: {
      table: users,
      id: users.id,
      fields: {
        ...person,
        user_sex: users.sex,
        user_tel: users.tel,
        user_qq: users.qq,
        user_addr: users.addr,
        user_icon: users.icon,
      },
    },
  },
})
