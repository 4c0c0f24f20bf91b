import { beforeEach, describe, expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { type getSmsMessageList, smsRefusals } from '#schema/device/sms-message'
import type { ReplyOf } from '#schema/kit/call'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { admin } = tenants.a
const deviceId = tenants.a.devices[0]?.id ?? 0
const otherDevice = tenants.a.devices[1]?.id ?? 0

beforeEach(async () => {
  await sql`delete from sms_messages`
  await sql`delete from commands`
  await sql`update device_states set online = true where device_id = ${deviceId}`
})

const sms = (name: string, body: object, who = admin) =>
  call<{ id: number; commandId: string }>(`smsMessage/${name}SmsMessage`, body, who)
const draft = async (text = 'Hello', number = '+8613800138000') =>
  (await sms('add', { deviceId, number, text })).data?.id ?? 0
const send = (id: number) => sms('send', { deviceId, id })
const rows = async () =>
  (await call<ReplyOf<typeof getSmsMessageList>>('smsMessage/getSmsMessageList', { deviceId }, admin)).data
    ?.list ?? []
const row = async () => (await rows())[0]
const end = (state: string, error: string | null = null) =>
  sql`update commands set state = ${state}, error = ${error}, ended_at = now() where device_id = ${deviceId}`
const modify = async (id: number, text: string) =>
  sms('modify', { id, number: '+8613800138000', text, edition: (await row())?.edition })

describe('a short message', () => {
  it('[§5 SMS] has at most 1500 bytes, not characters, and a number with country code', async () => {
    const add = (number: string, text: string) => sms('add', { deviceId, number, text })
    const number = '+8613800138000'
    expect((await add(number, '店'.repeat(500))).code).toBe(0)
    expect(await add(number, '店'.repeat(501))).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'text',
    })
    expect((await add(number, 'a'.repeat(1500))).code).toBe(0)
    expect((await add(number, 'a'.repeat(1501))).field).toBe('text')
    expect((await add(number, '')).field).toBe('text')
    for (const wrong of ['13800138000', '+0113800138000', '+86 138', '+12345', '+1234567890123456'])
      expect(await add(wrong, 'Hello'), wrong).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'number',
      })
  })

  it('is a draft, is sent by a command of the device, and shows what became of it', async () => {
    const id = await draft('店'.repeat(71))
    expect(await row()).toMatchObject({ id, state: 'draft', parts: 2, sentAt: null, error: null })
    const { data } = await send(id)
    expect(await row()).toMatchObject({ state: 'sending', sentAt: expect.any(String) })
    const [ordered] = await sql`select id, name, args from commands`
    expect(ordered).toEqual({
      id: data?.commandId,
      name: 'sendSms',
      args: { number: '+8613800138000', text: '店'.repeat(71) },
    })
    await end('done')
    expect(await row()).toMatchObject({ state: 'sent', error: null })
  })

  it('that failed says why, and can be changed and sent again', async () => {
    const id = await draft()
    await send(id)
    await end('failed', 'no SIM')
    expect(await row()).toMatchObject({ state: 'failed', error: 'no SIM' })
    expect((await send(id)).code).toBe(0)
    await end('timedOut')
    expect(await row()).toMatchObject({ state: 'failed', error: 'timedOut' })
    expect((await modify(id, 'Changed')).code).toBe(0)
    expect(await row()).toMatchObject({ state: 'draft', text: 'Changed', sentAt: null, error: null })
  })

  it('is neither changed nor sent again nor deleted while it is on its way', async () => {
    const id = await draft()
    await send(id)
    expect((await send(id)).code).toBe(smsRefusals.smsNotDraft.code)
    expect((await modify(id, 'Changed')).code).toBe(smsRefusals.smsNotDraft.code)
    expect((await sms('delete', { id })).code).toBe(smsRefusals.smsSending.code)
    await end('done')
    expect((await send(id)).code).toBe(smsRefusals.smsNotDraft.code)
    expect((await modify(id, 'Changed')).code).toBe(smsRefusals.smsNotDraft.code)
    expect((await sms('delete', { id })).code).toBe(0)
    expect(await rows()).toEqual([])
  })

  it('is sent once, however many ask at the same time', async () => {
    const id = await draft()
    const codes = (await Promise.all(Array.from({ length: 6 }, () => send(id)))).map(({ code }) => code)
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(await sql`select 1 from commands`).toHaveLength(1)
  })

  it('stays a draft when its device is offline, and is sent by no other device', async () => {
    const id = await draft()
    await sql`update device_states set online = false where device_id = ${deviceId}`
    expect((await send(id)).code).toBe(deviceRefusals.deviceOffline.code)
    await sql`update device_states set online = true where device_id = ${otherDevice}`
    expect((await sms('send', { deviceId: otherDevice, id })).code).toBe(sessionRefusals.noPermission.code)
    expect(await row()).toMatchObject({ state: 'draft', sentAt: null })
  })
})
