import { describe, expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { sessionRefusals } from '#schema/people/session-refusals'
import { type getSavedViewList, VIEWS_MAX } from '#schema/platform/saved-view'
import { viewRefusals } from '#schema/platform/view-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b, superAdmin, systemAdmin } = tenants
type Views = ReplyOf<typeof getSavedViewList>
type Who = { username: string }

const list = 'device/getDeviceList'
const save = (name: string, body: object, who: Who) =>
  call<{ id: number }>('view/saveView', { list, name, query: 'online=offline', ...body }, who)
const views = async (who: Who, of = list) =>
  (await call<Views>('view/getSavedViewList', { list: of, limit: 100 }, who)).data?.list ?? []
const names = async (who: Who) => (await views(who)).map(({ name }) => name)

describe('a saved view', () => {
  it('belongs to one list of one user', async () => {
    expect((await save('Offline', {}, a.operator)).code).toBe(0)
    expect(await views(a.operator)).toMatchObject([
      { name: 'Offline', query: 'online=offline', mine: true, shared: false, isDefault: false },
    ])
    expect(await views(a.operator, 'package/getPackageList')).toEqual([])
    for (const other of [a.admin, a.viewer, b.admin, superAdmin]) expect(await names(other)).toEqual([])
  })

  it('when shared, can be used by all users of the same customer and changed only by its owner', async () => {
    const id = (await save('Shared', { shared: true, isDefault: true }, a.admin)).data?.id
    expect(await views(a.viewer)).toMatchObject([
      { name: 'Shared', mine: false, isDefault: false, owner: a.admin.username },
    ])
    expect(await names(b.admin)).toEqual([])
    expect(await names(superAdmin)).toEqual([])
    for (const [name, body] of [
      ['view/modifySavedView', { id, name: 'Mine now' }],
      ['view/deleteSavedView', { id }],
    ] as const)
      for (const other of [a.viewer, b.admin, superAdmin])
        expect((await call(name, body, other)).code).toBe(sessionRefusals.noPermission.code)
    expect(await names(a.admin)).toEqual(['Shared'])
  })

  it('of a platform user is shared among platform users', async () => {
    await save('Everywhere', { shared: true }, superAdmin)
    expect(await names(systemAdmin)).toEqual(['Everywhere'])
    expect(await names(b.admin)).toEqual([])
  })

  it('has a unique name, also after renaming', async () => {
    expect(await save('Offline', {}, a.operator)).toMatchObject({
      code: viewRefusals.viewNameExists.code,
      field: 'name',
      message: 'A view named Offline exists already',
    })
    const id = (await save('Other', {}, a.operator)).data?.id
    expect(await call('view/modifySavedView', { id, name: 'Offline' }, a.operator)).toMatchObject({
      code: viewRefusals.viewNameExists.code,
      field: 'name',
    })
    expect(
      (await call('view/modifySavedView', { id, name: 'Another', query: 'search=x' }, a.operator)).code,
    ).toBe(0)
    expect((await views(a.operator))[0]).toMatchObject({ name: 'Another', query: 'search=x' })
    expect((await call('view/deleteSavedView', { id }, a.operator)).code).toBe(0)
    expect(await names(a.operator)).toEqual(['Offline', 'Shared'])
  })

  it('is the default of its list only', async () => {
    const first = (await save('One', { isDefault: true }, b.admin)).data?.id
    await save('Two', { isDefault: true }, b.admin)
    const defaults = async () =>
      (await views(b.admin)).filter((view) => view.isDefault).map(({ name }) => name)
    expect(await defaults()).toEqual(['Two'])
    await call('view/modifySavedView', { id: first, isDefault: true }, b.admin)
    expect(await defaults()).toEqual(['One'])
  })

  it.each([
    ['a query of more than 2 KB', { query: 'a'.repeat(2049) }],
    ['a query that is no query', { query: 'javascript:alert("x")' }],
    ['a name of 65 characters', { name: 'n'.repeat(65) }],
    ['a list that is no name', { list: '../users' }],
  ])('refuses %s', async (_, body) => {
    expect((await save('x', body, a.viewer)).code).toBe(sessionRefusals.invalid.code)
  })

  it(`is kept at most ${VIEWS_MAX} times per user and list, also when many are saved at once`, async () => {
    const answers = await Promise.all(
      Array.from({ length: VIEWS_MAX + 5 }, (_, i) => save(`View ${i}`, {}, a.viewer)),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(VIEWS_MAX)
    expect(answers.filter(({ code }) => code === viewRefusals.viewTooMany.code)).toHaveLength(5)
  })

  it('of a user who moved to another customer is shared with nobody, and does not go with the former one', async () => {
    const [user] = await context.sql<{ id: number; username: string; role: number }[]>`
      insert into users (username, password_hash, type, customer_id, role_id)
      select 'mover', password_hash, type, customer_id, role_id from users where id = ${a.admin.id}
      returning id, username, role_id as role`
    if (!user) throw new Error('no user')
    const id = (await save('Where I was', { shared: true }, user)).data?.id
    expect(await names(a.admin)).toContain('Where I was')
    const moved = {
      userId: user.id,
      userType: 'customerAdmin',
      roleId: user.role,
      customerId: b.customerId,
    }
    expect((await call('user/modifyUser', moved, superAdmin)).code).toBe(0)
    expect((await call('view/modifySavedView', { id, name: 'Where I am' }, user)).code).toBe(0)
    expect(await names(a.admin)).not.toContain('Where I am')
    expect(await names(b.admin)).not.toContain('Where I am')
    expect(await views(user)).toMatchObject([{ name: 'Where I am', mine: true, shared: false }])
    const [row] = await context.sql`select customer_id as customer from saved_views where id = ${id ?? 0}`
    expect(row).toEqual({ customer: b.customerId })
  })
})
