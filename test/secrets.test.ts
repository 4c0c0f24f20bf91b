/** Every declared call and command: what sounds like a secret says whether it is one, and no secret is logged. */
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { sendCommand } from '#schema/command/command'
import { isCall } from '#schema/kit/call'
import { isCommand } from '#schema/kit/command'
import { namedFields, soundsSecret } from '#schema/kit/secret'
import { apiTest } from './api-client.ts'
import { bodyFor } from './sample-body.ts'

const { app, context, tenants, token } = await apiTest()
const calls = await gatherDeclared(isCall)
const commands = await gatherDeclared(isCommand)

/** Accepted as a password. */
const MARK = 'Mark-4417'

it('says of each field that sounds like a secret whether it is one', () => {
  const silent = [
    ...calls.flatMap(({ name, body, reply }) => [[name, body] as const, [name, reply] as const]),
    ...commands.flatMap(({ name, args, reply }) => [[name, args] as const, [name, reply] as const]),
  ].flatMap(([name, schema]) =>
    namedFields(schema)
      .filter((field) => soundsSecret(field.name) && field.secret === undefined)
      .map((field) => `${name}: ${field.name}`),
  )
  expect(silent).toEqual([])
})

const secretsIn = (call: (typeof calls)[number]) =>
  namedFields(call.body).flatMap(({ name, secret }) => (secret ? [name] : []))
const writing = calls.filter((call) => call.writes && secretsIn(call).length > 0)

it.each(writing.map((call) => [call.name, call] as const))(
  'keeps the secrets of %s out of the log',
  async (name, call) => {
    const marked = Object.fromEntries(secretsIn(call).map((field) => [field, MARK]))
    const body = { ...bodyFor(call, marked), ...marked }
    await send(call.path, body)
    await send(call.path, { ...body, undeclared: MARK })
    expect(await leaks()).toEqual([])
    // Calls without a login are logged only if they were worth it.
    if (call.permission !== 'none') expect(await rowsOf(name)).toBeGreaterThan(0)
  },
)

it('keeps the secrets of commands out of the log', async () => {
  await send(sendCommand.path, {
    deviceId: tenants.a.devices[0]?.id,
    name: 'uploadBackup',
    args: { password: MARK },
  })
  expect(await rowsOf(sendCommand.name)).toBe(1)
  expect(await leaks()).toEqual([])
})

async function send(url: string, payload: object): Promise<void> {
  await app.inject({ method: 'POST', url, headers: { token: await token(tenants.superAdmin) }, payload })
}
const rowsOf = async (name: string) =>
  (await context.sql`select 1 from operations where call = ${name}`).length
const leaks = () =>
  context.sql`select call, body, before, after from operations where operations::text like ${`%${MARK}%`}`
