/** What can be edited of people: the half of api/kit/editables.ts that speaks of customers, users and roles. */
import { sql } from 'drizzle-orm'
import { modifyCustomer } from '#schema/people/customer'
import { confirmEmail, updateUser } from '#schema/people/profile'
import { modifyRole } from '#schema/people/role'
import { modifyUser } from '#schema/people/user'
import { customers } from '#schema/tables/customer'
import { roles, users } from '#schema/tables/user'
import type { Editable } from './edition.ts'

const person = { nickname: users.nickname, realname: users.realname }

export const peopleEditables = {
  customer: {
    table: customers,
    id: customers.id,
    fields: {
      name: customers.name,
      contact: customers.contact,
      phone: customers.phone,
      email: customers.email,
      address: customers.address,
      serviceType: customers.serviceType,
      logo: customers.logo,
      copyright: customers.copyright,
      totpRequired: customers.totpRequired,
    },
    calls: [modifyCustomer],
    key: 'customerId',
  },
  /** What somebody changes of himself. */
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
    calls: [modifyUser],
    own: [updateUser],
    key: 'userId',
  },
  role: {
    table: roles,
    id: roles.id,
    fields: {
      name: roles.name,
      description: roles.description,
      functionIds: roles.functionIds,
      menuIds: roles.menuIds,
    },
    calls: [modifyRole],
    key: 'roleId',
  },
  user: {
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
    calls: [modifyUser],
    own: [updateUser, confirmEmail],
    key: 'userId',
  },
} as const satisfies Record<string, Editable>
