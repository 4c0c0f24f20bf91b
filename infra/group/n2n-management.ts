/**
 * Client of the management port of an n2n 3 supernode: one UDP packet is the request, `begin`, `row`s and `end` are
 * the response, each a packet of JSON with the tag of the request. Source: n2n doc/ManagementAPI.md.
 */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { z } from 'zod'

/** Timeout after which a request is repeated, and the total number of tries. */
const SILENCE_MS = 1_500
const TRIES = 2
/** Limit of rows; a real supernode never sends more. */
const ROWS_MAX = 100_000

const packet = z.object({ _tag: z.string(), _type: z.string(), error: z.string().optional() }).loose()
/** Community names as we assign them; other rows are not ours. */
const edge = z.object({ community: z.string().regex(/^[!-~]{1,19}$/) })
const timestamps = z.object({ start_time: z.number() })

type Row = z.infer<typeof packet>

const plain = (text = '') => text.replace(/[^ -~]/g, '?').slice(0, 80)

function asJson(text: string): Row | null {
  try {
    return packet.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // Not JSON: another service responds at this port.
    return null
  }
}

/** Sends one request. @throws if the response is incomplete after the timeout, or an error. */
function question(host: string, port: number, method: string, silenceMs: number): Promise<Row[]> {
  const tag = String(randomInt(1_000_000))
  const socket = createSocket('udp4')
  return new Promise<Row[]>((done, fail) => {
    const rows: Row[] = []
    let timer: NodeJS.Timeout
    const end = (error?: Error) => {
      clearTimeout(timer)
      socket.removeAllListeners()
      // Late errors must not end the process.
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
    // Connected: packets from other addresses are dropped, and a closed port is reported immediately if ICMP is not
    // blocked.
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
      // UDP may lose packets; one loss is not an outage.
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

/** @throws with the reason if the supernode does not respond, twice. */
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
