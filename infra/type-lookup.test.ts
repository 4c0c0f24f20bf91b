import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { openDatabase } from './postgres.ts'
import { isTypeLookup, knowsTypes } from './type-lookup.ts'

const context = await testContext()

it('distinguishes the lookup of postgres.js from our own queries', async () => {
  const text = `
      select b.oid, b.typarray
      from pg_catalog.pg_type a
      left join pg_catalog.pg_type b on b.oid = a.typelem
      where a.typcategory = 'A'`
  expect(isTypeLookup(Object.assign(new Error('terminating connection'), { query: text }))).toBe(true)
  expect(isTypeLookup(Object.assign(new Error('terminating connection'), { query: 'select 1' }))).toBe(false)
  expect(isTypeLookup(new Error('CONNECTION_CLOSED'))).toBe(false)
  expect(isTypeLookup('text')).toBe(false)
})

it('knows whether a pool has its types', async () => {
  const pool = openDatabase(context.databaseUrl, { max: 1 })
  try {
    expect(knowsTypes(pool.sql)).toBe(false)
    await pool.sql`select 1`
    expect(knowsTypes(pool.sql)).toBe(true)
  } finally {
    await pool.close()
  }
})
