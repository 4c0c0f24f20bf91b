import { describe, expect, it } from 'vitest'
import { hashSecret } from '#infra/secrets'
import { isEnrolmentKey } from '#schema/device/enrol'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants

const create = (body: object) =>
  call<{ id: number; key: string; expiresAt: string; mqtt: { plain: string; tls: string } }>(
    'device/createEnrolmentKey',
    { label: 'Depot', ...body },
    a.admin,
  )

describe('an enrolment key', () => {
  it('is shown once, stored hashed, with expiry and count', async () => {
    const { data } = await create({ groupId: a.groups.branch, expiresInHours: 2, maxCount: 5 })
    expect(isEnrolmentKey(data?.key ?? '')).toBe(true)
    expect(data?.mqtt).toEqual({
      plain: `:${context.env.MQTT_PORT}`,
      tls: `:${context.env.MQTTS_PORT}`,
    })
    const [row] = await context.sql`
      select customer_id as customer, group_id as group, max_count as max, extract(epoch from expires_at - now())::int / 60 as minutes
      from enrolment_keys where hash = ${hashSecret(data?.key ?? '')}`
    expect(row).toMatchObject({ customer: a.customerId, group: a.groups.branch, max: 5 })
    expect(row?.['minutes']).toBeGreaterThan(117)
    const listed = await call<{ list: object[] }>('device/getEnrolmentKeyList', { search: 'dep' }, a.admin)
    expect(listed.data?.list).toMatchObject([
      {
        label: 'Depot',
        groupName: 'Branch',
        usedCount: 0,
        maxCount: 5,
        revokedAt: null,
        createdBy: a.admin.username,
      },
    ])
    expect(JSON.stringify(listed)).not.toContain(data?.key)
    const ofRoot = await call('device/getEnrolmentKeyList', { groupId: a.groups.root }, a.admin)
    expect(ofRoot.data, 'keys of one group').toMatchObject({ total: 0 })
  })

  it('is created for own groups only, and revoked by users of the customer only, twice without harm', async () => {
    expect((await create({ groupId: b.groups.root })).code).toBe(sessionRefusals.noPermission.code)
    const made = (await create({ groupId: a.groups.root })).data
    expect((await call('device/revokeEnrolmentKey', { id: made?.id }, b.admin)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect(await call('device/revokeEnrolmentKey', { id: made?.id }, a.admin)).toMatchObject({ code: 0 })
    expect(await call('device/revokeEnrolmentKey', { id: made?.id }, a.admin)).toMatchObject({ code: 0 })
    const [row] =
      await context.sql`select revoked_at is not null as revoked from enrolment_keys where id = ${made?.id ?? 0}`
    expect(row).toEqual({ revoked: true })
  })
})
