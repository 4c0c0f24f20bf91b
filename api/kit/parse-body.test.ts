import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { reasonIn } from '#infra/reason-in'
import { sayIn } from '#infra/say'
import { timeZone } from '#schema/alarm/quiet'
import { macAddress, serialNumber } from '#schema/device/hello'
import { call } from '#schema/kit/call'
import { checkFields } from '#schema/kit/check'
import { faultText } from '#schema/kit/fault'
import { flag } from '#schema/kit/flag'
import { formOf } from '#schema/kit/form'
import { emailAddress, phoneNumber } from '#schema/kit/person'
import { Refusal } from '#schema/kit/refusal'
import { rowIds } from '#schema/kit/row-id'
import { clockWindow } from '#schema/task/task-window'
import { parseBody } from './parse-body.ts'

const tried = call({
  path: '/api/test/try',
  permission: 'login',
  summary: 'A test.',
  body: z.object({ name: z.string().optional(), dids: rowIds(3) }),
  reply: z.null(),
})
const refusalOf = (given: unknown) => {
  try {
    parseBody(tried, given, 'en-US')
  } catch (error) {
    if (error instanceof Refusal) return error.params
    throw error
  }
  return null
}

const body = z.object({
  mac: macAddress.optional(),
  sn: serialNumber.optional(),
  ip: z.ipv4().optional(),
  mail: emailAddress.optional(),
  nothingOrMail: z.union([z.literal(''), emailAddress]).optional(),
  phone: phoneNumber.optional(),
  zone: timeZone,
})

describe('a refusal of a body', () => {
  it.each([
    [{ dids: '1', name: 'a\0' }, 'name', 'contains a character that cannot be stored (U+0000)'],
    [{}, 'dids', 'must have at least one entry'],
  ])('of %j says of %s that it %s', (given, field, reason) => {
    expect(refusalOf(given)).toEqual({ field, reason })
  })
})

describe('a value in the wrong format', () => {
  it.each([
    [{ mac: '00-1A-2B-3C-4D-5E' }, 'must be a MAC address such as 00:1A:2B:3C:4D:5E'],
    [{ sn: 'GW 1' }, 'must be 1 to 64 letters, digits, - or _'],
    [{ ip: '192.168.1' }, 'must be an IPv4 address such as 192.168.1.1'],
    [{ mail: 'ann@' }, 'must look like name@example.com'],
    [{ nothingOrMail: 'ann@' }, 'must look like name@example.com'],
    [{ phone: '12 ab' }, 'must be 5 to 20 digits, with + before a country code'],
    [{ zone: 'Asia/Nowhere' }, 'must be the name of a time zone such as Asia/Shanghai'],
  ])('%j is told the same format by the form and by the server', (given, text) => {
    const issue = body.safeParse(given, { error: reasonIn('en-US') }).error?.issues[0]
    expect(issue?.message).toBe(text)
    const [fault] = Object.values(checkFields(formOf(body), given))
    expect(fault && faultText(fault, sayIn('en-US'))).toBe(text)
  })

  it.each([
    ['mac', 5, 'must be text', '必须是文本'],
    ['count', {}, 'must be a number', '必须是数字'],
    ['names', 'x', 'has a wrong format', '格式不正确'],
    ['names', [], 'must have at least one entry', '至少 1 项'],
    ['letter', 'ab', 'must have at most 1 character', '最多 1 个字符'],
  ])('of %s: %j is told without the names of types', (name, value, english, chinese) => {
    const typed = z
      .object({
        mac: z.string(),
        count: z.number(),
        names: z.array(z.string()).min(1),
        letter: z.string().max(1),
      })
      .partial()
    const told = (language: 'en-US' | 'zh-CN') =>
      typed.safeParse({ [name]: value }, { error: reasonIn(language) }).error?.issues[0]?.message
    expect([told('en-US'), told('zh-CN')]).toEqual([english, chinese])
  })

  it('a window of a task does not repeat the zone that it does not know', () => {
    const window = { from: '01:00', to: '05:00', zone: 'Mars' }
    const issue = clockWindow(z.string()).safeParse(window, { error: reasonIn('en-US') }).error?.issues[0]
    expect(issue).toMatchObject({
      path: ['zone'],
      message: 'must be the name of a time zone such as Asia/Shanghai',
    })
  })

  it('is worded in the language of the user', () => {
    const issue = body.safeParse({ mac: 'x' }, { error: reasonIn('zh-CN') }).error?.issues[0]
    expect(issue?.message).toBe('必须是 MAC 地址，例如 00:1A:2B:3C:4D:5E')
  })

  it('says of a flag that it is none of the choices', () => {
    const issue = flag.safeParse(2, { error: reasonIn('en-US') }).error?.issues[0]
    expect(issue?.message).toBe('must be one of the choices')
    expect(flag.optional().safeParse('yes', { error: reasonIn('en-US') }).error?.issues[0]?.message).toBe(
      'must be one of the choices',
    )
  })

  it('names the format of the alternative that its type fits', () => {
    const ids = rowIds(3).safeParse('1;2', { error: reasonIn('en-US') }).error?.issues[0]
    expect(ids?.message).toBe('must be ids separated by commas, such as 12,15')
  })
})
