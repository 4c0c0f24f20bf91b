/** The request for a notice on each kind of channel. Pure: the HMAC function is passed in. */
import type { ChannelKind, NoticeKind, NoticePayload } from './alarm-channel.ts'
import { fill } from './alarm-text.ts'
import { eventFacts, isChannelEvent } from './channel-event.ts'

export const WEBHOOK_SECRET_PREFIX = 'whsec_'

export type Channel = {
  kind: ChannelKind
  url: string
  /** `whsec_` and base64 of the key; for DingTalk its own text. */
  secret: string | null
  template: string | null
}
export type Notice = {
  id: string
  kind: NoticeKind
  subject: string
  payload: NoticePayload
  createdAt: Date
}
/** HMAC-SHA-256, base64. The key is base64 (`whsec_…` without its prefix) or plain text. */
export type Hmac = (key: { base64: string } | { text: string }, text: string) => string
type Request = { url: string; headers: Record<string, string>; body: string }

/** WeCom refuses more than 2048 bytes, DingTalk more than 20,000. */
const ROBOT_TEXT_BYTES = 2000

/** The texts of events and tests begin with their subject already. */
const robotText = ({ subject, payload: { text } }: Notice) =>
  text.startsWith(subject) ? text : `${subject}\n${text}`

/** Providers refuse messages of more than 500 characters, with their signature and the rest of the template. */
const SMS_TEXT_MAX = 400

/** A list of many alarms does not fit: its beginning, below the subject, which says how many there are. */
function smsText({ subject, payload: { text } }: Notice): string {
  const characters = [...text]
  if (characters.length <= SMS_TEXT_MAX) return text
  return `${[...subject, '\n', ...characters].slice(0, SMS_TEXT_MAX - 1).join('')}…`
}

/** The beginning that fits, cut between characters. */
export function cutBytes(text: string, max: number): string {
  const encoder = new TextEncoder()
  if (encoder.encode(text).length <= max) return text
  let used = 0
  let cut = ''
  for (const character of text) {
    used += encoder.encode(character).length
    if (used > max - 3) break
    cut += character
  }
  return `${cut}…`
}

/** Standard Webhooks: id, time and body are signed together, so that none can be replaced or replayed later. */
function signed(notice: Notice, secret: string | null, at: Date, body: string, hmac: Hmac) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'iot-cloud-platform',
    'webhook-id': notice.id,
    'webhook-timestamp': timestamp,
  }
  if (secret !== null)
    headers['webhook-signature'] = `v1,${hmac(
      { base64: secret.slice(WEBHOOK_SECRET_PREFIX.length) },
      `${notice.id}.${timestamp}.${body}`,
    )}`
  return headers
}

/** Values become parts of JSON strings, so quotes in a device's name are escaped. */
const jsonPart = (value: string | number) => JSON.stringify(String(value)).slice(1, -1)

/** The request that sends the notice. `phone` is for SMS. */
export function composeRequest(
  channel: Channel,
  notice: Notice,
  to: { phone: string | null; at: Date },
  hmac: Hmac,
): Request {
  const { payload } = notice
  const robot = JSON.stringify({
    msgtype: 'text',
    text: { content: cutBytes(robotText(notice), ROBOT_TEXT_BYTES) },
  })
  const json = { 'content-type': 'application/json; charset=utf-8' }
  switch (channel.kind) {
    case 'webhook': {
      const body = JSON.stringify({
        type: isChannelEvent(notice.kind) ? eventFacts[notice.kind].type : `alarm.${notice.kind}`,
        timestamp: notice.createdAt.toISOString(),
        data: { subject: notice.subject, ...payload },
      })
      return { url: channel.url, headers: signed(notice, channel.secret, to.at, body, hmac), body }
    }
    case 'wecom':
      return { url: channel.url, headers: json, body: robot }
    case 'dingtalk': {
      const url = new URL(channel.url)
      if (channel.secret !== null) {
        const timestamp = String(to.at.getTime())
        url.searchParams.set('timestamp', timestamp)
        url.searchParams.set('sign', hmac({ text: channel.secret }, `${timestamp}\n${channel.secret}`))
      }
      return { url: url.href, headers: json, body: robot }
    }
    case 'sms': {
      const [first] = 'alarms' in payload ? payload.alarms : payload.devices
      const values = {
        phone: to.phone ?? '',
        text: smsText(notice),
        subject: notice.subject,
        rule: 'rule' in payload ? (payload.rule?.name ?? '') : (payload.task?.name ?? ''),
        device: first?.deviceName ?? '',
        sn: first?.sn ?? '',
        count: payload.count,
      }
      const parts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, jsonPart(value)]))
      const body = fill(channel.template ?? '{"phone":"{phone}","text":"{text}"}', parts)
      return { url: channel.url, headers: signed(notice, channel.secret, to.at, body, hmac), body }
    }
  }
}

/** Whether the notice was accepted. Robots refuse with status 200 and an `errcode`. */
export function isAccepted(kind: ChannelKind, answer: { status: number; text: string }): boolean {
  if (answer.status < 200 || answer.status > 299) return false
  if (kind !== 'wecom' && kind !== 'dingtalk') return true
  const code = /"errcode"\s*:\s*(-?\d+)/.exec(answer.text)?.[1]
  return code === '0'
}

/** Whether the template is valid JSON for any values, and contains the phone number. */
export function isSmsTemplate(template: string): boolean {
  if (!template.includes('{phone}')) return false
  try {
    const parsed: unknown = JSON.parse(template)
    return typeof parsed === 'object' && parsed !== null
  } catch {
    // Not JSON: the caller reports it.
    return false
  }
}
