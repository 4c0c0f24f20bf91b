import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { reasonIn } from '#infra/reason-in'
import { sayIn } from '#infra/say'
import { timeZone } from '#schema/alarm/quiet'
import { macAddress, serialNumber } from '#schema/device/hello'
import { checkFields } from '#schema/kit/check'
import { faultText } from '#schema/kit/fault'
import { flag } from '#schema/kit/flag'
import { formOf } from '#schema/kit/form'
import { emailAddress, phoneNumber } from '#schema/kit/person'
import { rowIds } from '#schema/kit/row-id'

const body = z.object({
  mac: macAddress.optional(),
  sn: serialNumber.optional(),
  ip: z.ipv4().optional(),
  mail: emailAddress.optional(),
  nothingOrMail: z.union([z.literal(''), emailAddress]).optional(),
  phone: phoneNumber.optional(),
  zone: timeZone,
})

describe('a value in the wrong format', () => {
  it.each([
    [{ mac: '00-1A-2B-3C-4D-5E' }, 'must be a MAC address such as 00:1A:2B:3C:4D:5E'],
    [{ sn: 'GW 1' }, 'must be a serial number: 1 to 64 letters, digits, - or _'],
    [{ ip: '192.168.1' }, 'must be an IPv4 address such as 192.168.1.1'],
    [{ mail: 'ann@' }, 'must be an e-mail address such as name@example.com'],
    [{ nothingOrMail: 'ann@' }, 'must be an e-mail address such as name@example.com'],
    [{ phone: '12 ab' }, 'must be a phone number: 5 to 20 digits, with + before a country code'],
    [{ zone: 'Asia/Nowhere' }, 'must be the name of a time zone such as Asia/Shanghai'],
  ])('%j is told the same format by the form and by the server', (given, text) => {
    const issue = body.safeParse(given, { error: reasonIn('en-US') }).error?.issues[0]
    expect(issue?.message).toBe(text)
    const [fault] = Object.values(checkFields(formOf(body), given))
    expect(fault && faultText(fault, sayIn('en-US'))).toBe(text)
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
