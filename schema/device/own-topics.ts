/**
 * What a device may publish and subscribe to [threats 8]: topics below its own serial number, without publishing the
 * platform's; pure. Also for an enrolling device.
 */
import { downlinkTopic, PROTOCOL_VERSION, uplinkTopic } from '../kit/message.ts'
import { enrol, enrolled } from './enrol.ts'

const ROOT = `v${PROTOCOL_VERSION}/`
/** Of topics and filters, in characters. */
export const topicLimits = { bytes: 256, levels: 8 } as const

/** Whether a topic, or everything that a filter matches, is below `v1/{sn}/`. */
export const isBelow = (topic: string, sn: string): boolean =>
  topic.startsWith(ROOT) &&
  topic.startsWith(sn, ROOT.length) &&
  topic[ROOT.length + sn.length] === '/' &&
  topic.length > ROOT.length + sn.length + 1

/** `topic` has no wildcards. */
export const devicePublishes = (sn: string, topic: string): boolean =>
  isBelow(topic, sn) &&
  !topic.startsWith('down/', ROOT.length + sn.length + 1) &&
  topic !== `${ROOT}${sn}/down`

export const isBounded = (filter: string): boolean =>
  filter.length <= topicLimits.bytes && filter.split('/').length <= topicLimits.levels

export const deviceSubscribes = (sn: string, filter: string): boolean =>
  isBounded(filter) && isBelow(filter, sn)

export const enrollingPublishes = (sn: string, topic: string): boolean =>
  topic === uplinkTopic(sn, enrol.name)
export const enrollingSubscribes = (sn: string, filter: string): boolean =>
  filter === downlinkTopic(sn, enrolled.name)
