import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate, type Packet, parser } from 'mqtt-packet'
import { expect, it } from 'vitest'
import type { Env } from '#infra/env'
import { afterFile } from '#test/after-file'
import { type Command, openDynamicSecurity } from './dynamic-security.ts'

const PROTOCOL = { protocolVersion: 5 } as const

/** Plays the plugin, which repeats `correlationData`; a broker that stands still answers all when `goOn` is called. */
async function playPlugin() {
  let waiting: (() => void)[] | null = null
  const saying: ((payload: string) => void)[] = []
  const server = createServer((socket) => {
    const reader = parser(PROTOCOL)
    const send = (packet: Packet) => socket.write(generate(packet, PROTOCOL))
    const answer = (payload: Buffer | string) => {
      const asked = (JSON.parse(payload.toString()) as { commands: Command[] }).commands
      const responses = asked.map(({ command, username, correlationData }) => ({
        command,
        data: { username },
        ...(correlationData === undefined ? {} : { correlationData }),
      }))
      say(JSON.stringify({ responses }))
    }
    const topic = '$CONTROL/dynamic-security/v1/response'
    const say = (payload: string) =>
      send({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false })
    saying.push(say)
    reader.on('packet', (packet) => {
      if (packet.cmd === 'connect') send({ cmd: 'connack', reasonCode: 0, sessionPresent: false })
      if (packet.cmd === 'subscribe')
        send({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: [1], reasonCode: 0 })
      if (packet.cmd !== 'publish') return
      send({ cmd: 'puback', messageId: packet.messageId ?? 0, reasonCode: 0 })
      if (waiting) waiting.push(() => answer(packet.payload))
      else answer(packet.payload)
    })
    socket.on('data', (chunk) => reader.parse(chunk))
    socket.on('error', () => undefined)
    afterFile(async () => void socket.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterFile(async () => void server.close())
  return {
    say: (payload: string) => {
      for (const one of saying) one(payload)
    },
    url: `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`,
    standStill: () => {
      waiting = []
    },
    goOn: () => {
      for (const one of waiting ?? []) one()
      waiting = null
    },
  }
}

async function connect(answerMs: number) {
  const played = await playPlugin()
  const env = { EXTERNAL_MQTT_URL: played.url, EXTERNAL_MQTT_USERNAME: 'iot' } as Env
  const connected = Promise.withResolvers<void>()
  const plugin = openDynamicSecurity(env, connected.resolve, answerMs)
  afterFile(plugin.close)
  await connected.promise
  return { played, plugin }
}

it('an answer that comes too late is not taken for that of the next request', async () => {
  const { played, plugin } = await connect(200)
  const ask = (username: string) => plugin.run([{ command: 'getClient', username }])
  played.standStill()
  await expect(ask('one')).rejects.toThrow('dynamic security')
  const two = ask('two')
  await sleep(50)
  played.goOn()
  expect(await two).toMatchObject([{ data: { username: 'two' } }])
  expect(await ask('three')).toMatchObject([{ data: { username: 'three' } }])
})

it('what is no answer is ignored', async () => {
  const { played, plugin } = await connect(60_000)
  played.standStill()
  const asked = plugin.run([{ command: 'getClient', username: 'one' }])
  for (const said of ['', '{', 'null', '[]', '{"responses":null}', '{"responses":[null]}']) played.say(said)
  await sleep(50)
  played.goOn()
  expect(await asked).toMatchObject([{ data: { username: 'one' } }])
})
