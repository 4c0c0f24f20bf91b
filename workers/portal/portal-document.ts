/** The document of a revision; links are added when it is sent, and never stored. */
import type { Env } from '#infra/env'
import { downloadPassword, downloadSignature } from '#infra/secrets'
import type { PortalSchedule } from '#schema/portal/portal-schedule'
import { PORTAL_LINK_MS } from '#schema/portal/set-portal'
import type { Transaction } from '../kit/processor.ts'

type Entry = {
  id: number
  imageId: string
  mime: string
  sha256: string
  sizeBytes: number
  caption: string | null
  link: string
  schedule: PortalSchedule
}
type Known = ReadonlyMap<string, Entry>

const tokensOf = (revision: string) => (revision === '' ? [] : revision.split('-'))

/** The advertisements of these revisions, by `id.version`. */
export async function readAdvertisements(tx: Transaction, revisions: readonly string[]): Promise<Known> {
  const ids = [...new Set(revisions.flatMap(tokensOf).map((token) => Number.parseInt(token, 10)))]
  const rows = await tx<(Omit<Entry, 'schedule'> & PortalSchedule & { token: string })[]>`
    select a.id || '.' || a.version as token, a.id, i.id as "imageId", i.mime, encode(sha256(i.content), 'hex') as sha256,
      octet_length(i.content) as "sizeBytes", a.caption, a.link, a.from_date::text as "fromDate", a.to_date::text as "toDate",
      a.weekdays, a.from_time as "fromTime", a.to_time as "toTime"
    from advertisements a join images i on i.id = a.image_id where a.id = any(${ids})`
  return new Map(
    rows.map(({ token, fromDate, toDate, weekdays, fromTime, toTime, ...entry }) => [
      token,
      { ...entry, schedule: { fromDate, toDate, weekdays, fromTime, toTime } },
    ]),
  )
}

/** null: one of its advertisements has changed or is gone. */
export function documentOf(revision: string, known: Known) {
  const advertisements = tokensOf(revision).flatMap((token) => known.get(token) ?? [])
  return advertisements.length === tokensOf(revision).length ? { revision, advertisements } : null
}

/** Completes a stored document for one device. */
export function withLinks(env: Env, nowMs: number, sn: string, args: Record<string, unknown>) {
  const expiresAt = nowMs + PORTAL_LINK_MS
  const { revision, advertisements } = args as unknown as {
    revision: string
    advertisements: readonly Entry[]
  }
  return {
    revision,
    username: sn,
    password: downloadPassword(env.JWT_SECRET, `portal:${sn}`),
    expiresAt,
    advertisements: advertisements.map(({ imageId, ...entry }) => {
      const sig = downloadSignature(env.JWT_SECRET, `portal:${imageId}`, sn, expiresAt)
      return {
        ...entry,
        imageUrl: `${env.PUBLIC_URL}/files/portal/${imageId}?expires=${expiresAt}&sig=${encodeURIComponent(sig)}`,
      }
    }),
  }
}
