import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** A user, a role and a picture that nothing else needs, so that calls that delete them affect no other test. */
export const furnishPeople = furnish(async ({ sql }, tenant) => {
  const imageId = randomUUID()
  await sql`insert into images (id, customer_id, mime, content) values (${imageId}, ${tenant.customerId}, 'image/webp', '\\x00')`
  const addRole = async (name: string) => {
    const [row] = await sql<{ id: number }[]>`
      insert into roles (customer_id, name, description) values (${tenant.customerId}, ${`${tenant.name} ${name}`}, ${`of ${tenant.name}`}) returning id`
    return row?.id
  }
  const addUser = async (name: string, roleId: number | undefined) => {
    const [row] = await sql<{ id: number }[]>`
      insert into users (username, password_hash, type, role_id, customer_id, realname, remark)
      values (${`${tenant.name}_${name}`}, 'x', 'customerAdmin', ${roleId ?? null}, ${tenant.customerId}, ${`${tenant.name} guest`}, ${tenant.name}) returning id`
    return row?.id
  }
  const roleId = await addRole('role')
  const userId = await addUser('guest', roleId)
  return {
    shared: { roleId, userId, logo: imageId, icon: imageId, groupIds: [tenant.groups.branch] },
    own: {
      'role/deleteRole': { roleId: await addRole('spare role') },
      'user/deleteUser': { userId: await addUser('leaver', roleId) },
    },
  }
})
