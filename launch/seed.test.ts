import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { seedAdmin, seedFirstCustomer, whichPassword } from './seed.ts'

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

it('the first customer has its default group, also if the first start was cut off between the two', async () => {
  await sql`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`
  await sql`create trigger cut_off before insert on groups execute function cut_off()`
  await expect(seedFirstCustomer(sql)).rejects.toThrow('cut off')
  await sql`drop trigger cut_off on groups`
  await seedFirstCustomer(sql)
  expect(
    await sql`select c.name, g.is_default from customers c left join groups g on g.customer_id = c.id`,
  ).toEqual([{ name: 'Default', is_default: true }])
})
