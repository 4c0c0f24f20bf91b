import { furnish } from '../furnish.ts'

export const furnishSavedView = furnish(async ({ sql }, tenant) => {
  const make = async (name: string) => {
    const [made] = await sql<{ id: number }[]>`
      insert into saved_views (user_id, customer_id, list, name, query, shared)
      values (${tenant.admin.id}, ${tenant.customerId}, 'device/getDeviceList', ${`${tenant.name} ${name}`}, 'search=a', true)
      returning id`
    return { id: made?.id }
  }
  return {
    shared: { list: 'device/getDeviceList' },
    own: { 'view/modifySavedView': await make('view'), 'view/deleteSavedView': await make('old view') },
  }
})
