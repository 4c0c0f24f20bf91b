/** Network diagnosis by a device. Targets are passed to programs, so they must be names or addresses. */

import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { shaped } from '#schema/kit/shape'
import { deviceText } from '../hello.ts'

export const deviceDiagnosePermission = permission({
  id: 1414,
  name: 'deviceDiagnose',
  role: 'operator',
  under: 'device-list',
})

/** A host name [RFC 1123] or an address: never an option, never shell syntax. */
const HOST_PATTERN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|[0-9a-fA-F]*:[0-9a-fA-F:.]*)$/
export const hostTarget = z.string().trim().max(253).regex(shaped(HOST_PATTERN, 'host'))

const ms = z.number().min(0).max(600_000)
/** Output of the program, for people; the device truncates longer output. */
const output = z.array(deviceText(200)).max(64).describe('what the program printed, line by line')

const shared = {
  permission: deviceDiagnosePermission,
  repeatSafe: true,
  verify: 'reply',
  effect: 'harmless',
  confirm: 'none',
  place: 'part',
} as const

export const ping = command({
  ...shared,
  name: 'ping',
  summary:
    'Sends echo requests to a host and counts the responses. A host that does not respond is a result, not a failure.',
  args: z.object({ target: hostTarget, count: z.int().min(1).max(20).default(4) }),
  reply: z.object({
    address: deviceText(64).optional().describe('what the name resolved to'),
    sent: z.int().min(0).max(20),
    received: z.int().min(0).max(20),
    minMs: ms.optional(),
    avgMs: ms.optional(),
    maxMs: ms.optional(),
    output,
  }),
  deadlineS: 60,
  exampleArgs: { target: 'example.com', count: 4 },
  exampleReply: {
    address: '93.184.215.14',
    sent: 4,
    received: 4,
    minMs: 31.2,
    avgMs: 33.9,
    maxMs: 37.1,
    output: ['64 bytes from 93.184.215.14: seq=0 ttl=52 time=31.2 ms'],
  },
})

export const traceroute = command({
  ...shared,
  name: 'traceroute',
  summary: 'The routers on the way to a host; a hop that does not respond has no address.',
  args: z.object({ target: hostTarget, maxHops: z.int().min(1).max(30).default(20) }),
  reply: z.object({
    hops: z
      .array(
        z.object({
          hop: z.int().min(1).max(30),
          address: deviceText(64).optional(),
          name: deviceText(253).optional(),
          ms: ms.optional(),
        }),
      )
      .max(30),
    reached: z.boolean(),
    output,
  }),
  deadlineS: 120,
  exampleArgs: { target: 'example.com', maxHops: 20 },
  exampleReply: {
    hops: [{ hop: 1, address: '10.64.0.1', ms: 21.4 }, { hop: 2 }],
    reached: false,
    output: ['1  10.64.0.1  21.4 ms', '2  *'],
  },
})

const dnsTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'PTR', 'SRV'] as const

export const lookUp = command({
  ...shared,
  name: 'lookUp',
  summary:
    'Asks the DNS, by the servers of the device or by a given one. A name without records is a result.',
  args: z.object({
    name: hostTarget,
    type: z.enum(dnsTypes).default('A'),
    server: hostTarget.optional().describe('absent: as the device is configured'),
  }),
  reply: z.object({
    server: deviceText(253).optional().describe('the server that responded'),
    status: z.enum(['ok', 'noSuchName', 'noRecords', 'serverFailed', 'timedOut']),
    records: z.array(deviceText(500)).max(64),
    tookMs: ms.optional(),
    output,
  }),
  deadlineS: 60,
  exampleArgs: { name: 'example.com', type: 'A' },
  exampleReply: { server: '10.64.0.1', status: 'ok', records: ['93.184.215.14'], tookMs: 24, output: [] },
})
