import { furnish } from '../furnish.ts'

export const furnishOperation = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: number }[]>`
    insert into operations (user_id, username, customer_id, call, object, code, before, after)
    values (${tenant.admin.id}, ${tenant.admin.username}, ${tenant.customerId}, 'device/modifyDevice', ${`${tenant.name} device`}, 0, '{"name":"a"}', '{"name":"b"}') returning id`
  await sql`
    insert into logins (user_id, username, customer_id, way, code, ip) values
      (${tenant.admin.id}, ${`${tenant.name}-admin`}, ${tenant.customerId}, 'username', 0, '192.0.2.1')`
  return {
    own: { 'log/getOperation': { id: made?.id } },
  }
})
