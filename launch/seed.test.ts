import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { seedAdmin, whichPassword } from './seed.ts'

const { sql } = await testContext()

it('a start does not call ADMIN_PASSWORD the password of admin when a former one set another', async () => {
  expect(await seedAdmin(sql, 'First-12345')).toBeNull()
  expect(await whichPassword(sql, 'First-12345')).toBe('as ADMIN_PASSWORD')
  expect(await seedAdmin(sql, 'Other-12345')).toBeNull()
  expect(await whichPassword(sql, 'Other-12345')).toBe(
    'not as ADMIN_PASSWORD, which only the first start uses (lost: npm run --silent admin -- reset-password)',
  )
  expect(await whichPassword(sql, undefined)).toBe(
    'as shown at the first start, or as ADMIN_PASSWORD was then (lost: npm run --silent admin -- reset-password)',
  )
})
