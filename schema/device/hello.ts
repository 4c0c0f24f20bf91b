/** The identity of a device; sent after every connect, once its subscription is confirmed. */
import { z } from 'zod'
import { helloConfig } from '../config/reported.ts'
import { downlink, uplink } from '../kit/message.ts'
import { shaped } from '../kit/shape.ts'
import { deviceTime } from '../kit/time.ts'

/** Text from a device: bounded, no control characters (NUL would break a whole batch in Postgres). */
export const deviceText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(shaped(/^[^\p{Cc}\p{Cs}]*$/u, 'singleLine'))

/** [threats 12] Serial numbers are topic segments: never a wildcard, never a path. */
export const serialNumber = z.string().regex(shaped(/^[A-Za-z0-9_-]{1,64}$/, 'serialNumber'))

const digits = (min: number, max: number) => z.string().regex(new RegExp(`^\\d{${min},${max}}$`))
export const macAddress = z.string().regex(shaped(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$/, 'macAddress'))

export const hello = uplink({
  name: 'hello',
  class: 'report',
  summary: 'Identity and versions. Sent once after each connect, after the subscription is acknowledged.',
  payload: z.object({
    v: z.int().min(1).max(1000).default(1).describe('protocol version the device speaks'),
    at: deviceTime,
    bootId: deviceText(64).min(1).describe('changes at every boot; e.g. /proc/sys/kernel/random/boot_id'),
    connection: deviceText(64)
      .min(1)
      .optional()
      .describe('random text of this connection, the same as in the will (`gone`); absent: it has no will'),
    model: deviceText(64).min(1),
    firmware: deviceText(64)
      .min(1)
      .describe('version of the running firmware; an upgrade is done when this equals its target'),
    hardwareType: deviceText(64).optional(),
    hardwareVersion: deviceText(64).optional(),
    manufacturer: deviceText(64).optional(),
    kernel: deviceText(128).optional(),
    mac: macAddress.optional(),
    imei: digits(14, 17).optional(),
    imsi: digits(6, 15).optional(),
    iccid: z
      .string()
      .regex(/^[0-9A-Fa-f]{10,22}$/)
      .optional(),
    operator: deviceText(64).optional(),
    configHash: z
      .string()
      .regex(/^[0-9a-f]{8,64}$/)
      .optional()
      .describe('hash of the running configuration, lower-case hex: see Configuration'),
    config: helloConfig.optional().describe('absent: its configuration cannot be read or changed from here'),
    configItem: z
      .uuid()
      .optional()
      .describe(
        'the task item whose configuration file was restored last (offers of type config); absent: none since the factory settings',
      ),
    plan: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .nullable()
      .optional()
      .describe(
        'revision of the poll plan that runs (see Variables); null: none; absent: it collects nothing',
      ),
    packages: z
      .record(deviceText(64), deviceText(64))
      .optional()
      .describe('installed packages and patches: name → version, at most 200'),
    timeZone: deviceText(64)
      .optional()
      .catch('')
      .describe(
        'where it stands, by the IANA name (`Europe/Berlin`); people are shown its local time. A name that the platform does not know is recorded and otherwise as good as none',
      )
      // Invalid text must not refuse a hello; without this the document generator would print it as a default.
      .meta({ default: undefined }),
    features: z
      .array(deviceText(32))
      .max(64)
      .optional()
      .describe('commands and other features that the device has; absent: all of its protocol version'),
  }),
  example: {
    v: 1,
    at: 1795226400000,
    bootId: '5f0c9a52-6a0e-4be4-9d8e-0b6c7c1d7c11',
    connection: '9f1d3b0c7a52',
    model: 'R200',
    firmware: '1.4.2',
    hardwareType: 'router',
    hardwareVersion: 'B2',
    manufacturer: 'Example',
    kernel: '5.15.167',
    mac: '02:00:5E:10:00:01',
    imei: '860000000000017',
    imsi: '460001234567890',
    iccid: '89860012345678901234',
    operator: 'China Mobile',
    configHash: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
    config: {
      level: 1,
      packages: { system: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752' },
      abilities: ['wifi', 'mobile'],
    },
    packages: { 'luci-base': '24.10' },
    timeZone: 'Asia/Shanghai',
    features: ['reboot'],
  },
})

export const welcome = downlink({
  name: 'welcome',
  summary: 'Response to hello: the platform clock, and how often to report status.',
  payload: z.object({
    at: deviceTime.describe('the platform clock'),
    statusEveryS: z.int().min(5).max(86_400).describe('seconds between status messages'),
  }),
  example: { at: 1795226400123, statusEveryS: 30 },
})
