import { and, asc, count, desc, ilike } from 'drizzle-orm'
import { getCustomerList } from '#schema/customer'
import { customers } from '#schema/tables/customer'
import { handler } from '../handler.ts'
import { contains, page } from '../paging.ts'
import { visible } from '../scope.ts'

export const getCustomerListHandler = handler(getCustomerList, async ({ db, actor }, body) => {
  const where = and(
    visible(actor).customers,
    body.search ? ilike(customers.name, contains(body.search)) : undefined,
  )
  const column = body.sort === 'id' ? customers.id : customers.name
  const list = await db
    .select({ id: customers.id, name: customers.name })
    .from(customers)
    .where(where)
    .orderBy(body.order === 'desc' ? desc(column) : asc(column), asc(customers.id))
    .limit(body.limit)
    .offset(page(body))
  const [found] = await db.select({ total: count() }).from(customers).where(where)
  return { list, total: found?.total ?? 0 }
})
