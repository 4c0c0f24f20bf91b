import { expect, it } from 'vitest'
import { hmacBase64 as hmac } from '#infra/secrets'
import { composeRequest, cutBytes, isAccepted, isSmsTemplate } from '#schema/alarm/channel-message'

const at = new Date(1_795_226_430_000)
const alarm = {
  id: 1,
  sn: 'SN-1',
  deviceName: 'Kiosk "7"\n',
  groupName: 'North',
  subject: '',
  value: 5,
  threshold: 5,
  detail: null,
  task: null,
  startedAt: at.toISOString(),
  endedAt: null,
  times: 1,
}
const notice = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  kind: 'alert' as const,
  subject: '[Major] Away: Kiosk',
  payload: { rule: null, incident: null, count: 1, alarms: [alarm], text: 'Kiosk "7" is offline' },
  createdAt: at,
}
const compose = (channel: Partial<Parameters<typeof composeRequest>[0]>, phone: string | null = null) =>
  composeRequest(
    { kind: 'webhook', url: 'https://example.com/x', secret: null, template: null, ...channel },
    notice,
    { phone, at },
    hmac,
  )

it('[Standard Webhooks] the example of its specification is signed with the signature it names', () => {
  // From spec/standard-webhooks.md, "Signature scheme": secret, id, timestamp and payload are those of the
  // example.
  const key = { base64: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
  expect(hmac(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}')).toBe(
    'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

it('a webhook carries id, time in seconds and a v1 signature over both and the body', () => {
  const { headers, body } = compose({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  expect(headers).toMatchObject({ 'webhook-id': notice.id, 'webhook-timestamp': '1795226430' })
  const expected = hmac({ base64: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, `${notice.id}.1795226430.${body}`)
  expect(headers['webhook-signature']).toBe(`v1,${expected}`)
  expect(JSON.parse(body)).toMatchObject({
    type: 'alarm.alert',
    data: { count: 1, alarms: [{ sn: 'SN-1' }] },
  })
})

it('a robot says the subject once: the texts of events and tests begin with it', () => {
  const subject = 'Task “Night” completed: 2 of 3 done'
  const text = `${subject}\n3 devices: 2 done, 1 failed, 0 cancelled.`
  const completed = {
    ...notice,
    kind: 'taskCompleted' as const,
    subject,
    payload: { text, task: null, count: 0, devices: [] },
  }
  const channel = { kind: 'wecom' as const, url: 'https://example.com/x', secret: null, template: null }
  const { body } = composeRequest(channel, completed, { phone: null, at }, hmac)
  expect(JSON.parse(body)).toEqual({ msgtype: 'text', text: { content: text } })
})

it('WeCom gets a text message, unsigned', () => {
  const { body, headers } = compose({ kind: 'wecom' })
  expect(JSON.parse(body)).toEqual({
    msgtype: 'text',
    text: { content: `${notice.subject}\n${notice.payload.text}` },
  })
  expect(headers['webhook-signature']).toBeUndefined()
})

it('DingTalk’s address is signed with time and secret if the robot has one', () => {
  const { url } = compose({
    kind: 'dingtalk',
    url: 'https://oapi.example.com/robot/send?access_token=t',
    secret: 'SEC1',
  })
  const query = new URL(url).searchParams
  expect(query.get('access_token')).toBe('t')
  expect(query.get('timestamp')).toBe('1795226430000')
  expect(query.get('sign')).toBe(hmac({ text: 'SEC1' }, '1795226430000\nSEC1'))
})

it('SMS: the name of a device stays text, whatever it contains', () => {
  const { body } = compose(
    { kind: 'sms', template: '{"to":"{phone}","text":"{device}: {text}","n":{count}}' },
    '+8613800138000',
  )
  expect(JSON.parse(body)).toEqual({ to: '+8613800138000', text: 'Kiosk "7"\n: Kiosk "7" is offline', n: 1 })
})

it('SMS: a list of many alarms is cut to what providers accept, and begins with how many there are', () => {
  const text = ['Offline', ...Array.from({ length: 50 }, (_, n) => `• 网关 ${n} (SN-${n}) · 5 min`)].join(
    '\n',
  )
  const many = { ...notice, subject: '[Major] Away: 2000 alarms', payload: { ...notice.payload, text } }
  const channel = { kind: 'sms' as const, url: 'https://example.com/x', secret: null, template: null }
  const sent = JSON.parse(composeRequest(channel, many, { phone: '+8613800138000', at }, hmac).body)
  expect(sent.text).toMatch(/^\[Major\] Away: 2000 alarms\nOffline\n• 网关 0 .*…$/s)
  expect([...sent.text]).toHaveLength(400)
})

it.each([
  ['{"to":"{phone}"}', true],
  ['{"to":"{text}"}', false],
  ['to={phone}', false],
  ['"{phone}"', false],
])('the SMS template %s', (template, good) => {
  expect(isSmsTemplate(template)).toBe(good)
})

it.each([
  ['webhook', 204, '', true],
  ['webhook', 302, '', false],
  ['wecom', 200, '{"errcode":0,"errmsg":"ok"}', true],
  ['wecom', 200, '{"errcode":93000}', false],
  ['dingtalk', 200, 'hello', false],
  ['sms', 500, '', false],
] as const)('%s answering %s %s', (kind, status, text, good) => {
  expect(isAccepted(kind, { status, text })).toBe(good)
})

it('a text is truncated to bytes at a character boundary', () => {
  expect(new TextEncoder().encode(cutBytes('告'.repeat(1000), 2000)).length).toBeLessThanOrEqual(2000)
  expect(cutBytes('short', 2000)).toBe('short')
})
