import { sql as query } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { serializeError } from './log.ts'

const { db, sql } = await testContext()
const SECRET = 'argon2id-of-somebody'
const thrown = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => new Error('nothing'),
    (error: Error) => error,
  )

it('a statement that failed is logged without its values, with its cause', async () => {
  const statement = db.execute(query`select ${SECRET}::text, 1 / ${0}::int`)
  const error = await thrown(statement)
  const written = serializeError(new Error('outer', { cause: error }))
  expect(error.message).toContain(SECRET)
  expect(JSON.stringify(written)).not.toContain(SECRET)
  expect(written.message).toMatch(/^outer: Failed query: select .*division by zero$/s)
  expect(JSON.stringify(serializeError(new AggregateError([error], 'several')))).not.toContain(SECRET)
  expect(serializeError(error)['query']).toContain('$1')
})

it('a row that a rule of the database refuses is not logged, only the rule', async () => {
  const error = await thrown(
    sql`insert into users (username, password_hash, type) values (null, ${SECRET}, 'normal')`,
  )
  const written = serializeError(error)
  expect(JSON.stringify(written)).not.toContain(SECRET)
  expect(written).toMatchObject({ code: '23502', column_name: 'username', table_name: 'users' })
})

it('a command that Redis refuses is not logged: it may be the login', () => {
  const error = Object.assign(new Error('WRONGPASS invalid username-password pair'), {
    command: { name: 'auth', args: [SECRET] },
  })
  const written = serializeError(error)
  expect(JSON.stringify(written)).not.toContain(SECRET)
  expect(written.message).toContain('WRONGPASS')
})

it('what is no error, and causes in a circle, are logged too', () => {
  const circle = new Error('circle')
  circle.cause = circle
  expect(serializeError(circle).message).toContain('circle')
  expect(serializeError('text' as never)).toBe('text')
})
