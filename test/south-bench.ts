/** Accounts of foreign sources against the real broker, and what is stored of what they send. */
import type { ISubackPacket, Packet } from 'mqtt-packet'
import { expect } from 'vitest'
import { hashSecret } from '#infra/secrets'
import type { SouthMapping } from '#schema/monitor/south/adapter'
import type { SouthKind } from '#schema/monitor/south-kinds'
import { brokerTest } from './broker-test.ts'
import { addTemplate, addTerminal } from './collecting.ts'

const PASSWORD = 'a-generated-password'

export async function southTest(prefix: string) {
  const { context, broker, tenants, dial, login, device } = await brokerTest(prefix, 20)
  const { sql } = context
  let made = 0

  async function one(query: Promise<readonly { id: number }[]>): Promise<number> {
    return (await query)[0]?.id ?? 0
  }
  const projects = new Map<number, number>()
  async function projectOf({ customerId, groups }: typeof tenants.a): Promise<number> {
    const known = projects.get(customerId)
    if (known) return known
    const id = await one(sql`
      insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Plant', 'energy') returning id`)
    projects.set(customerId, id)
    return id
  }

  async function account(
    kind: SouthKind,
    topics: string[],
    { tenant = tenants.a, mapping = {} as SouthMapping } = {},
  ) {
    const username = `south.${(++made).toString(2).replaceAll('0', 'a').replaceAll('1', 'b').padStart(12, 'c')}`
    const id = await one(sql`
      insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics, mapping)
      values (${tenant.customerId}, ${await projectOf(tenant)}, ${username}, ${kind}, ${username}, ${hashSecret(PASSWORD)}, ${topics},
        ${sql.json(mapping)}) returning id`)
    return { id, username }
  }

  /** A terminal with these variables, linked to the account by this name. */
  async function linked(accountId: number, source: string, names: Record<string, string>, of = device()) {
    const templateId = await addTemplate(sql, of.customerId)
    let slot = 0
    for (const [name, type] of Object.entries(names))
      await sql`
        insert into variables (template_id, slot, name, unit, data_type, precision, io_controller)
        values (${templateId}, ${slot++}, ${name}, '-', ${type}, 2, 'source')`
    const terminalId = await addTerminal(sql, of, templateId)
    await sql`insert into south_terminals (account_id, terminal_id, source) values (${accountId}, ${terminalId}, ${source})`
    return terminalId
  }

  async function connect(
    username: string,
    { password = PASSWORD, clientId = 'gw', will = undefined as unknown } = {},
  ) {
    const raw = await dial()
    raw.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId,
      keepalive: 60,
      username,
      password: Buffer.from(password),
      ...(will ? { will } : {}),
    } as Packet)
    const ack = (await raw.take('connack')) as { returnCode?: number }
    return { raw, code: ack.returnCode }
  }

  async function source(username: string, over: Parameters<typeof connect>[1] = {}) {
    const { raw, code } = await connect(username, over)
    expect(code).toBe(0)
    let id = 0
    const send = (topic: string, payload: unknown, qos: 0 | 1 | 2 = 1) => {
      const text = Buffer.isBuffer(payload) || typeof payload === 'string' ? payload : JSON.stringify(payload)
      raw.send({ cmd: 'publish', topic, payload: text, qos, messageId: ++id, retain: false, dup: false })
      return id
    }
    const say = async (topic: string, payload: unknown) => {
      const mine = send(topic, payload)
      await raw.take((packet) => packet.cmd === 'puback' && packet.messageId === mine)
    }
    const subscribe = async (topic: string) => {
      raw.send({ cmd: 'subscribe', messageId: ++id, subscriptions: [{ topic, qos: 0 }] })
      return ((await raw.take('suback')) as ISubackPacket).granted[0]
    }
    return { raw, send, say, subscribe }
  }

  const latest = async (terminalId: number) =>
    Object.fromEntries(
      (
        await sql<{ name: string; value: number | null; text: string | null; quality: number }[]>`
          select v.name, l.value, l.text, l.quality from variable_latest l join terminals t on t.id = l.terminal_id
            join variables v on v.template_id = t.template_id and v.slot = l.slot where l.terminal_id = ${terminalId}`
      ).map(({ name, value, text, quality }) => [
        name,
        quality === 0 ? (text ?? value) : `quality ${quality}`,
      ]),
    )
  const reports = async (terminalId: number) =>
    (await sql`select 1 from variable_reports where terminal_id = ${terminalId}`).length

  return {
    context,
    port: broker.ports.mqtt,
    tenants,
    dial,
    login,
    device,
    one,
    projectOf,
    account,
    linked,
    connect,
    source,
    latest,
    reports,
  }
}
