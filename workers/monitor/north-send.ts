/** Delivers a batch to one target, in order; resolves only when the target has acknowledged all of it. */

import { openKafkaLine } from '#infra/monitor/outbound-kafka'
import { openBrokerLine } from '#infra/monitor/outbound-mqtt'
import { postOutbound } from '#infra/outbound'
import { unseal } from '#infra/secrets'
import type { NorthFault, NorthKind } from '#schema/monitor/north-kinds'
import { makesLines } from '#schema/monitor/north-lines'
import type { WorkerContext } from '../kit/processor.ts'
import type { Message } from './north-read.ts'

export const SEND_TIMEOUT_MS = 15_000
/** The connection to a broker or a cluster is kept open between two runs of the job. */
const IDLE_MS = 60_000
const KEPT_BYTES = 512

export type Receiver = {
  id: number
  kind: NorthKind
  addressSealed: string
  username: string | null
  secretSealed: string | null
  template: string | null
}

/** The target's failure to acknowledge, by kind. */
export class NorthFailure extends Error {
  readonly fault: NorthFault
  readonly status: number | null
  constructor(fault: NorthFault, status: number | null, cause?: unknown) {
    super(status === null ? fault : `${fault}: ${status}`, { cause })
    this.fault = fault
    this.status = status
  }
}

type Line = { send: (batch: readonly Message[]) => Promise<void>; close: () => void }
type Opened = { line: Line; signature: string; timer: NodeJS.Timeout | null }
const lines = new Map<number, Opened>()

function drop(id: number): void {
  const found = lines.get(id)
  if (!found) return
  if (found.timer) clearTimeout(found.timer)
  found.line.close()
  lines.delete(id)
}

/** Closes what stays open between two runs; for tests and the end of the process. */
export const closeNorthLines = () => {
  for (const id of lines.keys()) drop(id)
}

async function openLine(ctx: WorkerContext, to: Receiver, address: string, password: string | undefined) {
  const options = {
    address,
    // Two workers never forward to one target at the same time; a broker ends the former connection of a name.
    clientId: `iot-north-${to.id}`,
    username: to.username ?? undefined,
    password,
    allowPrivate: ctx.env.WEBHOOK_ALLOW_PRIVATE,
  }
  if (to.kind === 'kafka') {
    const line = await openKafkaLine(options)
    return { send: (batch: readonly Message[]) => line.send(batch, SEND_TIMEOUT_MS), close: line.close }
  }
  const line = await openBrokerLine(options)
  return {
    send: async (batch: readonly Message[]) => {
      await Promise.all(batch.map(({ topic, body }) => line.publish(topic, body, SEND_TIMEOUT_MS)))
    },
    close: line.close,
  }
}

async function lineOf(ctx: WorkerContext, to: Receiver, address: string, secret: string | undefined) {
  const signature = `${to.addressSealed} ${to.username} ${to.secretSealed}`
  const found = lines.get(to.id)
  if (found?.signature === signature) return found
  drop(to.id)
  const opened: Opened = { line: await openLine(ctx, to, address, secret), signature, timer: null }
  lines.set(to.id, opened)
  return opened
}

/** Errors with which brokers and clusters reject a message. */
const REFUSED =
  /not authorized|bad user name|identifier rejected|authentication|authorization|does not host this topic|invalid topic/i

async function sendByLine(
  ctx: WorkerContext,
  to: Receiver,
  address: string,
  secret: string | undefined,
  batch: Message[],
) {
  try {
    const opened = await lineOf(ctx, to, address, secret)
    if (opened.timer) clearTimeout(opened.timer)
    await opened.line.send(batch)
    opened.timer = setTimeout(() => drop(to.id), IDLE_MS).unref()
  } catch (error) {
    drop(to.id)
    throw new NorthFailure(REFUSED.test(String(error)) ? 'refused' : 'unreachable', null, error)
  }
}

/** One list: what a template makes a list of its own is continued by the next report's. */
const listOf = (batch: readonly Message[]) => {
  const parts = batch.map(({ body }) => body.trim())
  const rows = parts.map((body) => (body.startsWith('[') ? body.slice(1, -1).trim() : body))
  return `[${rows.filter((row) => row !== '').join(',')}]`
}

async function sendHttp(
  ctx: WorkerContext,
  { template }: Receiver,
  address: string,
  secret: string | undefined,
  batch: Message[],
) {
  const asLines = makesLines(template)
  const answer = await postOutbound(address, {
    headers: {
      'content-type': asLines ? 'text/plain; charset=utf-8' : 'application/json',
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
    },
    body: asLines ? batch.map(({ body }) => body).join('\n') : listOf(batch),
    timeoutMs: SEND_TIMEOUT_MS,
    keepBytes: KEPT_BYTES,
    allowPrivate: ctx.env.WEBHOOK_ALLOW_PRIVATE,
  }).catch((error: unknown) => {
    throw new NorthFailure('unreachable', null, error)
  })
  if (answer.status < 200 || answer.status > 299) throw new NorthFailure('refused', answer.status)
}

/** @throws NorthFailure; then any part of the batch may have arrived, and all of it is sent again. */
export async function sendNorth(ctx: WorkerContext, to: Receiver, batch: Message[]): Promise<void> {
  let address: string
  let secret: string | undefined
  try {
    address = unseal(to.addressSealed, ctx.env.JWT_SECRET)
    secret = to.secretSealed === null ? undefined : unseal(to.secretSealed, ctx.env.JWT_SECRET)
  } catch (error) {
    // Encrypted with another JWT_SECRET.
    throw new NorthFailure('unreadable', null, error)
  }
  if (to.kind === 'http') await sendHttp(ctx, to, address, secret, batch)
  else await sendByLine(ctx, to, address, secret, batch)
}
