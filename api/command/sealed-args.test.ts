import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { setDevicePassword } from '#schema/device/commands/password'
import { setRelay } from '#schema/device/commands/relay'
import { apiTest } from '#test/api-client'
import { commandPayload } from '#workers/command/command-args'
import { sealedArgs } from './sealed-args.ts'

const { call, tenants, context } = await apiTest()
const { sql, env, now } = context
const { admin } = tenants.a
const deviceId = tenants.a.devices[0]?.id ?? 0
const password = 'never-to-be-read-again'

type Row = { id: string; name: string; args: Record<string, unknown>; deadlineAt: Date }
const stored = () =>
  sql<Row[]>`select id, name, args, deadline_at as "deadlineAt" from commands where device_id = ${deviceId}`

it('a secret argument reaches the device, and can be read in no table, log or list', async () => {
  await sql`update device_states set online = true where device_id = ${deviceId}`
  const body = { deviceId, name: setDevicePassword.name, args: { password } }
  expect((await call('command/sendCommand', body, admin)).code).toBe(0)

  const [row] = await stored()
  expect(row?.args).toEqual({ account: 'root', sealed: expect.any(String) })
  expect(JSON.stringify(row)).not.toContain(password)

  const list = await call('command/getCommandList', { deviceId }, admin)
  expect(list.data).toMatchObject({
    list: [{ name: setDevicePassword.name, args: { account: 'root' } }],
  })
  expect(JSON.stringify(list)).not.toMatch(/never-to-be-read-again|sealed/)

  const operations = await sql`select * from operations where call = 'command/sendCommand'`
  expect(operations).toHaveLength(1)
  expect(JSON.stringify(operations)).not.toContain(password)
  expect(JSON.stringify(operations)).toContain('***')

  if (!row) throw new Error('no command')
  const sent = commandPayload({ env, now }, { ...row, sn: 'SN' })
  expect(sent.args).toEqual({ account: 'root', password })
})

it('a password that the device would refuse is refused, and not repeated in the answer', async () => {
  const args = { password: 'with spaces in it' }
  const answer = await call('command/sendCommand', { deviceId, name: setDevicePassword.name, args }, admin)
  expect(answer).toMatchObject({ code: expect.any(Number), field: 'args.password' })
  expect(answer.code).not.toBe(0)
  expect(JSON.stringify(answer)).not.toContain(args.password)
})

it('arguments without a secret are stored as they are', () => {
  const args = { name: 'Relay 1', on: true }
  expect(sealedArgs(setRelay, args, env.JWT_SECRET)).toEqual(args)
})

it('a task shows of its arguments none that is stored encrypted, neither on its page nor in the commands of a device', async () => {
  const idle = tenants.a.devices[1]?.id ?? 0
  await sql`update device_states set online = true where device_id = ${idle}`
  const body = { kind: 'reboot', name: 'Night', dids: [idle], requestId: randomUUID() }
  const made = await call<{ taskId: number }>('task/addTask', body, admin)
  const taskId = made.data?.taskId ?? 0
  const args = { by: 'values', change: 'encrypted', sealed: 'encrypted' }
  await sql`update tasks set args = ${sql.json(args)} where id = ${taskId}`
  const task = await call('task/getTask', { taskId }, admin)
  expect(task.data).toMatchObject({ taskId, args: { by: 'values' } })
  const list = await call('command/getCommandList', { deviceId: idle }, admin)
  expect(list.data).toMatchObject({ list: expect.arrayContaining([expect.objectContaining({ taskId })]) })
  expect(JSON.stringify([task, list])).not.toContain('encrypted')
})
