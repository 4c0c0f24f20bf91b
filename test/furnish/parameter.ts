import { furnish } from '../furnish.ts'

export const furnishParameter = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: number }[]>`
    insert into extra_parameters (customer_id, name_zh, name_en, value)
    values (${tenant.customerId}, ${`${tenant.name} 参数`}, ${`${tenant.name} parameter`}, 'x') returning id`
  const id = { id: made?.id }
  return { own: { 'parameter/modifyParameter': id, 'parameter/deleteParameter': id } }
})
