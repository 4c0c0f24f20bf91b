/**
 * The management port of an n2n 3 supernode: one UDP packet asks, `begin`, `row`s and `end` answer, each a packet of
 * JSON with the tag of the question. Source: n2n doc/ManagementAPI.md.
 */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { z } from 'zod'

/** Silence after which a question is asked again, and how often in all. */
const SILENCE_MS = 1_500
const TRIES = 2
/** A supernode that talks without end is no supernode. */
const ROWS_MAX = 100_000

const packet = z.object({ _tag: z.string(), _type: z.string(), error: z.string().optional() }).loose()
/** Names of communities as we give them; whatever else stands there is not one of ours. */
const edge = z.object({ community: z.string().regex(/^[!-~]{1,19}$/) })
const timestamps = z.object({ start_time: z.number() })

type Row = z.infer<typeof packet>

const plain = (text = '') => text.replace(/[^ -~]/g, '?').slice(0, 80)

function asJson(text: string): Row | null {
  try {
    return packet.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // Not JSON: some other service answers at this port.
    return null
  }
}

/** Asks once. @throws when the answer does not end in time, or is an error. */
function question(host: string, port: number, method: string, silenceMs: number): Promise<Row[]> {
  const tag = String(randomInt(1_000_000))
  const socket = createSocket('udp4')
  return new Promise<Row[]>((done, fail) => {
    const rows: Row[] = []
    let timer: NodeJS.Timeout
    const end = (error?: Error) => {
      clearTimeout(timer)
      socket.removeAllListeners()
      // Errors that are still on their way must not end the process.
      socket.on('error', () => undefined)
      socket.close()
      if (error) fail(error)
      else done(rows)
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => end(new Error(`no answer from ${host}:${port}`)), silenceMs)
    }
    socket.on('error', end)
    socket.on('message', (bytes) => {
      const row = asJson(bytes.toString('utf8'))
      if (row?._tag !== tag) return
      if (row._type === 'error') end(new Error(`${host}:${port} answered: ${plain(row.error)}`))
      else if (row._type === 'end') end()
      else if (rows.length >= ROWS_MAX) end(new Error(`${host}:${port} does not stop answering`))
      else {
        if (row._type === 'row') rows.push(row)
        wait()
      }
    })
    // Connected: packets from elsewhere are dropped, and a closed port is told at once where ICMP comes through.
    socket.connect(port, host, (...failed: unknown[]) => {
      const [error] = failed
      if (error instanceof Error) return end(error)
      socket.send(`r ${tag} ${method}\n`)
      wait()
    })
    wait()
  })
}

async function ask(host: string, port: number, method: string, silenceMs: number): Promise<Row[]> {
  let last: unknown
  for (let i = 0; i < TRIES; i++) {
    try {
      return await question(host, port, method, silenceMs)
    } catch (error) {
      // UDP loses packets; one loss is not an outage.
      last = error
    }
  }
  throw last
}

export type SupernodeState = {
  startedAt: Date | null
  /** Edges by community; federated supernodes are not counted. */
  edges: ReadonlyMap<string, number>
}

/** n2n writes this in place of the name of its federation. */
const FEDERATION = '-/-'

/** @throws with the reason when the supernode does not answer, twice. */
export async function readSupernode(
  host: string,
  port: number,
  silenceMs = SILENCE_MS,
): Promise<SupernodeState> {
  const [stamp] = await ask(host, port, 'timestamps', silenceMs)
  const rows = await ask(host, port, 'edges', silenceMs)
  const edges = new Map<string, number>()
  for (const row of rows) {
    const parsed = edge.safeParse(row)
    if (!parsed.success || parsed.data.community === FEDERATION) continue
    edges.set(parsed.data.community, (edges.get(parsed.data.community) ?? 0) + 1)
  }
  const started = timestamps.safeParse(stamp)
  return { startedAt: started.success ? new Date(started.data.start_time * 1000) : null, edges }
}
