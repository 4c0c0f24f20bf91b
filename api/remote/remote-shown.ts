/** A session as returned by calls: used by the list and by the page of one session. */
import { sql } from 'drizzle-orm'
import { commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import { remoteSessions } from '#schema/tables/remote'
import { users } from '#schema/tables/user'
import type { Actor } from '../kit/actor.ts'
import { knownName } from '../kit/known-name.ts'

/** Needs devices and users joined. */
export const shownColumns = (actor: Actor) => ({
  sessionId: remoteSessions.id,
  deviceId: remoteSessions.deviceId,
  deviceSn: devices.sn,
  deviceName: devices.name,
  kind: remoteSessions.kind,
  scheme: remoteSessions.scheme,
  host: remoteSessions.host,
  port: remoteSessions.port,
  state: remoteSessions.state,
  createdAt: remoteSessions.createdAt,
  createdBy: knownName(actor, users, remoteSessions.userId),
  own: sql<boolean>`(${remoteSessions.userId} = ${actor.userId})`,
  tunnelAt: remoteSessions.tunnelAt,
  readyAt: remoteSessions.readyAt,
  activeAt: remoteSessions.activeAt,
  expiresAt: remoteSessions.expiresAt,
  endedAt: remoteSessions.endedAt,
  endReason: remoteSessions.endReason,
  endDetail: remoteSessions.endDetail,
  fromDeviceBytes: remoteSessions.fromDeviceBytes,
  toDeviceBytes: remoteSessions.toDeviceBytes,
})

export const sentAt =
  sql<Date | null>`(select c.sent_at from ${commands} c where c.id = ${remoteSessions.commandId})`.mapWith(
    remoteSessions.createdAt,
  )
