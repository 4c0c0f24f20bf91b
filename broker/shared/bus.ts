/**
 * Aedes' emitter for several brokers over Redis: a message is delivered here, and sent to another broker only if a
 * client there subscribes to it. Each broker subscribes to two channels, however many devices there are
 * [decisions/130].
 */
import mqemitter from 'mqemitter'
import type { Log } from '#infra/log'
import { matches } from '../acl.ts'
import { ALL, channelOf, Directory } from './directory.ts'
import { type Carried, pack, unpack } from './frame.ts'
import type { Line } from './line.ts'

type Deliver = (packet: Carried, done: () => void) => void
type Done = (error?: Error | null) => void
type Lines = { hears: Line; says: Line; log: Log; concurrency: number }

const SYSTEM = '$SYS/'
/**
 * Messages for other brokers that may wait for Redis; more are dropped, because the durable state is in sessions and
 * rows.
 */
const WAITING_MAX = 10_000

export function openBus(id: string, { hears, says, log, concurrency }: Lines) {
  const here = mqemitter({ concurrency, matchEmptyLevels: true })
  const directory = new Directory(id, says, log)
  /** Filters of Aedes itself, which every broker has. */
  const system = new Map<string, number>()
  let waiting = 0
  let dropped = 0
  let closing = false

  /** Whether the message was handed to Redis; a broker that no longer hears its channel is forgotten. */
  async function send(channel: string, frame: Buffer, to: string | null): Promise<void> {
    if (!says.open || waiting >= WAITING_MAX) {
      if (dropped++ % 10_000 === 0) log.warn({ dropped }, 'messages for other brokers are dropped')
      return
    }
    waiting++
    try {
      if ((await says.publish(channel, frame)) === 0 && to !== null) await directory.drop(to)
    } catch (error) {
      log.warn({ err: error }, 'a message did not reach another broker')
    } finally {
      waiting--
    }
  }

  function received(frame: Buffer): void {
    const { notice, payload } = unpack(frame)
    const { from } = notice
    if (from === id || closing) return
    if (notice.kind === 'message') here.emit({ ...notice.packet, payload }, () => undefined)
    else if (notice.kind === 'heard') directory.heard(notice.turn)
    else if (notice.kind === 'gone') directory.others.forget(from)
    else if (notice.kind === 'reset') void directory.metAnother(from).catch(failed)
    else {
      directory.changed(from, notice.more, notice.less)
      void send(channelOf(from), pack({ kind: 'heard', from: id, turn: notice.turn }), null)
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'broker on Redis')
  hears.on('messageBuffer', (_channel: Buffer, frame: Buffer) => received(frame))

  async function begin(): Promise<void> {
    await hears.subscribe(ALL, channelOf(id))
    await directory.begin()
  }
  let begun = false
  /** Redis was unavailable, or has disconnected us: what was published meanwhile is lost. */
  hears.on('ready', () => {
    if (begun && !closing) void begin().catch(failed)
  })

  return {
    /** Called once, before the first subscription. */
    begin: async () => {
      await begin()
      begun = true
    },
    /** Whether a connection to another broker wants this topic. */
    listenedElsewhere: (topic: string): boolean => directory.others.wants(topic),
    emitter: {
      concurrency,
      get current() {
        return here.current
      },
      on(filter: string, deliver: Deliver, done: () => void = () => undefined) {
        here.on(filter, deliver)
        if (filter.startsWith(SYSTEM)) {
          system.set(filter, (system.get(filter) ?? 0) + 1)
          setImmediate(done)
        } else directory.listen(filter, done)
        return this
      },
      removeListener(filter: string, deliver: Deliver, done: () => void = () => undefined) {
        here.removeListener(filter, deliver, done)
        if (!filter.startsWith(SYSTEM)) directory.leave(filter)
        return this
      },
      emit(packet: Carried, done: Done = () => undefined) {
        let open = 1
        const one = () => {
          if (--open === 0) done()
        }
        const isSystem = packet.topic.startsWith(SYSTEM)
        const everyone = isSystem && [...system.keys()].some((filter) => matches(filter, packet.topic))
        const to = isSystem ? [] : [...directory.others.of(packet.topic)]
        if (everyone || to.length > 0) {
          const { payload, ...head } = packet
          const frame = pack({ kind: 'message', from: id, packet: head }, Buffer.from(payload))
          const sent = everyone
            ? [send(ALL, frame, null)]
            : to.map((other) => send(channelOf(other), frame, other))
          open += sent.length
          for (const one_ of sent) void one_.then(one)
        }
        open++
        here.emit(packet, one)
        one()
        return this
      },
      close(done: () => void) {
        closing = true
        void directory
          .end()
          .catch(failed)
          .then(() => Promise.all([hears.quit(), says.quit()]))
          .then(() => here.close(done))
        return this
      },
    },
  }
}
