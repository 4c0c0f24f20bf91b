/**
 * What each account may do at Mosquitto, as rules of its dynamic security plugin; pure. They allow the same as
 * broker/acl.ts. A literal filter is looked up before patterns, and a higher priority before a lower one.
 */
import { enrol, enrolled } from '#schema/device/enrol'
import { downlinkTopic, PROTOCOL_VERSION, uplinkTopic } from '#schema/kit/message'

export type Rule = {
  acltype: 'publishClientSend' | 'publishClientReceive' | 'subscribeLiteral' | 'subscribePattern'
  topic: string
  allow: boolean
  priority: number
}

const rule = (acltype: Rule['acltype'], topic: string, allow = true): Rule => ({
  acltype,
  topic,
  allow,
  priority: allow ? 0 : 10,
})

const own = (sn: string) => `v${PROTOCOL_VERSION}/${sn}`

export const deviceRules = (sn: string): Rule[] => [
  rule('publishClientSend', own(sn), false),
  rule('publishClientSend', `${own(sn)}/down/#`, false),
  rule('publishClientSend', `${own(sn)}/#`),
  rule('publishClientReceive', `${own(sn)}/#`),
  rule('subscribePattern', `${own(sn)}/#`),
]

/** The role of all enrolment keys: the request names its key. */
export const enrolRules: readonly Rule[] = [
  rule('publishClientSend', uplinkTopic('+', enrol.name)),
  rule('publishClientReceive', downlinkTopic('+', enrolled.name)),
  // The only filter with a wildcard that the pattern would allow.
  rule('subscribeLiteral', downlinkTopic('+', enrolled.name), false),
  rule('subscribePattern', downlinkTopic('+', enrolled.name)),
]

const UPLINKS = uplinkTopic('+', '#')
const SHARED_UPLINKS = `$share/iot/${UPLINKS}`

/**
 * The subscriptions of each session, and those that it may have from other settings. A single session at Mosquitto uses
 * no shared subscription: Mosquitto 2.0 forgets those when it restarts, and would drop what devices send until we
 * reconnect.
 */
export const filtersOf = (
  kind: 'mosquitto' | 'emqx',
  sessions: number,
): { filter: string; former: string } =>
  kind === 'mosquitto' && sessions === 1
    ? { filter: UPLINKS, former: SHARED_UPLINKS }
    : { filter: SHARED_UPLINKS, former: UPLINKS }

/** In addition to the role `admin`, which `mosquitto_ctrl dynsec init` grants. */
export const platformRules: readonly Rule[] = [
  rule('publishClientSend', downlinkTopic('+', '#')),
  rule('publishClientReceive', UPLINKS),
  rule('subscribeLiteral', UPLINKS),
  rule('subscribeLiteral', SHARED_UPLINKS),
]
