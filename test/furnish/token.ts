import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

export const furnishToken = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: number }[]>`
    insert into api_tokens (user_id, name, hash, expires_at) values (${tenant.admin.id}, ${`${tenant.name} token`}, ${randomUUID()}, now() + interval '1 day') returning id`
  return { own: { 'token/revokeApiToken': { id: made?.id } } }
})
