/** The document for a device's captive portal. */

import { z } from 'zod'
import { deviceText } from '../device/hello.ts'
import { command } from '../kit/command.ts'
import { secret } from '../kit/field.ts'
import { shaped } from '../kit/shape.ts'
import { deviceTime } from '../kit/time.ts'
import { advertisementEditPermission } from './advertisement.ts'

/** Maximum advertisements of one device: more would not be seen, and the message stays small. */
export const PORTAL_MAX = 20
/** Validity of the links to the pictures. */
export const PORTAL_LINK_MS = 15 * 60_000

/** `12.3-15.1`: ids with versions, in order. For devices it is an opaque text. */
export const portalRevision = z
  .string()
  .max(400)
  .regex(shaped(/^(\d+\.\d+(-\d+\.\d+)*)?$/, 'portalRevision'))

const day = z.iso.date()
const clock = z.string().regex(shaped(/^([01]\d|2[0-3]):[0-5]\d$/, 'clockTime'))

export const setPortal = command({
  name: 'setPortal',
  permission: advertisementEditPermission,
  summary:
    "The advertisements of its captive portal; replaces the earlier ones, an empty list ends them. Fetch the pictures that it does not have (by SHA-256; HTTP GET with basic authentication), check size and SHA-256, store everything durably, then `done`, and send `portalShown`. If a picture cannot be fetched or is not right, keep the earlier document and reply `failed`. It is shown by the device's own date and clock, in the order given, the next one to each visitor: the picture over the whole width, the caption below it, both leading to the link. Firmware without a captive portal leaves `setPortal` out of `hello.features`.",
  args: z.object({
    revision: portalRevision.describe('to be reported in portalShown'),
    username: z.string().max(64).describe('HTTP basic authentication: the serial number'),
    password: secret(z.string().max(64)),
    expiresAt: deviceTime.describe('the links work until then'),
    advertisements: z
      .array(
        z.object({
          id: z.int().min(1),
          imageUrl: z
            .url({ protocol: /^https?$/ })
            .max(1000)
            .describe('signed, for this device only'),
          mime: z.string().max(64),
          sha256: z.string().regex(shaped(/^[0-9a-f]{64}$/, 'sha256')),
          sizeBytes: z.int().min(1),
          caption: deviceText(120).nullable(),
          link: z
            .url({ protocol: /^https?$/ })
            .max(500)
            .describe('opened when the picture is touched'),
          schedule: z.object({
            fromDate: day.nullable().describe('first day; null: at once'),
            toDate: day.nullable().describe('last day; null: unlimited'),
            weekdays: z.array(z.int().min(1).max(7)).max(7).describe('1 Monday … 7 Sunday; empty: every day'),
            fromTime: clock.nullable().describe('null: the whole day'),
            toTime: clock
              .nullable()
              .describe(
                'exclusive; before fromTime: it lasts until the next morning and belongs to the day of its beginning',
              ),
          }),
        }),
      )
      .max(PORTAL_MAX),
  }),
  reply: z.object({ revision: portalRevision }),
  deadlineS: 300,
  repeatSafe: true,
  verify: 'reply',
  effect: 'changes',
  confirm: 'none',
  platformOnly: true,
  exampleArgs: {
    revision: '12.3',
    username: 'SN-0001',
    password: 'd8Yb0n2pX4cVq7RkLm1sTf5hWz9uEaJg',
    expiresAt: 1795227360000,
    advertisements: [
      {
        id: 12,
        imageUrl:
          'https://iot.example.com/files/portal/0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b66?expires=1795227360000&sig=x',
        mime: 'image/webp',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        sizeBytes: 84_211,
        caption: 'Free coffee with every breakfast',
        link: 'https://shop.example.com/breakfast',
        schedule: {
          fromDate: '2026-11-01',
          toDate: '2026-12-31',
          weekdays: [1, 2, 3, 4, 5],
          fromTime: '07:00',
          toTime: '11:00',
        },
      },
    ],
  },
  exampleReply: { revision: '12.3' },
})
