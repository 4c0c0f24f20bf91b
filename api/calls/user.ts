import { and, asc, count, desc, eq, ilike, or } from 'drizzle-orm'
import { customers } from '#schema/tables/customer'
import { roles, users } from '#schema/tables/user'
import { getUserList } from '#schema/user'
import { handler } from '../handler.ts'
import { contains, page } from '../paging.ts'
import { visible } from '../scope.ts'

export const getUserListHandler = handler(getUserList, async ({ db, actor }, body) => {
  const found = body.search
    ? or(ilike(users.username, contains(body.search)), ilike(users.realname, contains(body.search)))
    : undefined
  const where = and(visible(actor).users, found)
  const column = body.sort === 'createdAt' ? users.createdAt : users.username
  const list = await db
    .select({
      user_id: users.id,
      username: users.username,
      realname: users.realname,
      userType: users.type,
      customerId: users.customerId,
      customerName: customers.name,
      roleName: roles.name,
      lastLoginAt: users.lastLoginAt,
    })
    .from(users)
    .leftJoin(customers, eq(customers.id, users.customerId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(where)
    .orderBy(body.order === 'desc' ? desc(column) : asc(column), asc(users.id))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await db.select({ total: count() }).from(users).where(where)
  return { list, total: counted?.total ?? 0 }
})
